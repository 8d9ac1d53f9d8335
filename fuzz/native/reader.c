/* Reading lines: read_rows against a plain parser, which splits lines and fields and asks strtod for every number. */

#include "../../native/reader.h"
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The plain parser ------------------------------------------------------------------------------------------------ */

struct plain_row {
    struct text topic, tag, document;
    double value;
};

/* What a file holds; `regular` is 0 where a line is not as it should be. */
struct plain_file {
    struct plain_row *rows;
    size_t count;
    int regular;
};

static int is_white(uint8_t byte)
{
    return byte && strchr(" \t\n\x0b\x0c\r", byte) != NULL;
}

static double by_strtod(const uint8_t *text, size_t length)
{
    char *word = room_for(length + 1);
    memcpy(word, text, length);
    word[length] = '\0';
    return strtod(word, NULL);
}

static size_t digits_at(const uint8_t *text, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && text[end] >= '0' && text[end] <= '9')
        end++;
    return end - at;
}

static size_t sign_at(const uint8_t *text, size_t length, size_t at)
{
    return at < length && (text[at] == '-' || text[at] == '+');
}

static int is_decimal(const uint8_t *text, size_t length)
{
    size_t at = sign_at(text, length, 0), whole = digits_at(text, length, at), parts = 0;
    at += whole;
    if (at < length && text[at] == '.') {
        parts = digits_at(text, length, at + 1);
        at += 1 + parts;
    }
    if (whole + parts == 0)
        return 0;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at += 1 + sign_at(text, length, at + 1);
        size_t exponent = digits_at(text, length, at);
        if (exponent == 0)
            return 0;
        at += exponent;
    }
    return at == length;
}

static int is_small_grade(const uint8_t *text, size_t length)
{
    size_t sign = sign_at(text, length, 0), digits = digits_at(text, length, sign);
    return digits >= 1 && digits <= 3 && sign + digits == length && fabs(by_strtod(text, length)) <= 127;
}

/* UTF-8 by decoding: the code point, its shortest form, and no surrogates. */
static int is_text(const uint8_t *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint8_t lead = text[at];
        size_t size = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
        static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
        uint32_t point = size == 1 ? lead : lead & (0x7Fu >> size);
        if (size == 0 || at + size > length)
            return 0;
        for (size_t i = 1; i < size; i++) {
            if (text[at + i] >> 6 != 2)
                return 0;
            point = point << 6 | (text[at + i] & 0x3F);
        }
        if (point < least[size] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
            return 0;
        at += size;
    }
    return 1;
}

static int take_plainly(uint8_t role, const uint8_t *field, size_t length, struct plain_row *row)
{
    struct text text = {(uint8_t *)field, length, length};
    switch (role) {
    case TOPIC:
        row->topic = text;
        return is_text(field, length);
    case TAG:
        row->tag = text;
        return is_text(field, length);
    case DOCUMENT:
        row->document = text;
        return is_text(field, length);
    case SCORE:
        row->value = is_decimal(field, length) ? by_strtod(field, length) : NAN;
        return isfinite(row->value) != 0;
    case GRADE:
        row->value = is_small_grade(field, length) ? by_strtod(field, length) + 0.0 : NAN;
        return isfinite(row->value) != 0;
    default:
        return 1;
    }
}

/* Cells of tables: what is quoted, padded, empty, very long or no UTF-8 is left to Python. */
static int is_plain_cell(const uint8_t *cell, size_t length)
{
    return length >= 1 && length <= 131072 && cell[0] > ' ' && cell[length - 1] > ' ' && !memchr(cell, '"', length) &&
           !memchr(cell, '\r', length) && is_text(cell, length);
}

/* Read a line; returns 1 for a row, 0 for a line that holds nothing, -1 for one that is not as it should be. */
static int read_plainly(const uint8_t *line, size_t length, const struct shape *shape, struct plain_row *row)
{
    size_t columns = strlen(shape->roles), found = 0, at = 0;
    while (at < length && is_white(line[at]))
        at++;
    if (at == length || line[at] == '#')
        return 0;
    while (at < length) {
        size_t end = at;
        while (end < length && !is_white(line[end]))
            end++;
        if (found == columns || !take_plainly((uint8_t)shape->roles[found++], line + at, end - at, row))
            return -1;
        at = end;
        while (at < length && is_white(line[at]))
            at++;
    }
    return found == columns ? 1 : -1;
}

/* The same for a line of a table. */
static int read_table_plainly(const uint8_t *line, size_t length, const struct shape *shape, struct plain_row *row)
{
    size_t columns = strlen(shape->roles), at = 0;
    if (length == 0)
        return 0;
    length -= line[length - 1] == '\r';
    for (size_t column = 0; column < columns; column++) {
        size_t end = at;
        while (end < length && line[end] != shape->separator)
            end++;
        if (!is_plain_cell(line + at, end - at) || !take_plainly((uint8_t)shape->roles[column], line + at, end - at, row))
            return -1;
        if ((end == length) != (column + 1 == columns))
            return -1;
        at = end + 1;
    }
    return 1;
}

static struct plain_file plain(const uint8_t *data, size_t length, const struct shape *shape)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += data[i] == '\n';
    struct plain_file file = {room_for(lines * sizeof(struct plain_row)), 0, 1};
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && data[end] != '\n')
            end++;
        struct plain_row row = {{0}, {0}, {0}, 0};
        int outcome = (shape->separator ? read_table_plainly : read_plainly)(data + at, end - at, shape, &row);
        if (outcome < 0)
            return (struct plain_file){file.rows, file.count, 0};
        if (outcome)
            file.rows[file.count++] = row;
        at = end + 1;
    }
    return file;
}

/* The reader ------------------------------------------------------------------------------------------------------ */

static int otherwise(const uint8_t *text, size_t length, double *number)
{
    *number = by_strtod(text, length);
    return isfinite(*number) ? 0 : -1;
}

static struct rows rows_of(size_t room, size_t span_room, size_t text_room)
{
    return (struct rows){.starts = room_for(room * sizeof(int64_t)),
                         .lengths = room_for(room * sizeof(int32_t)),
                         .hashes = room_for(room * sizeof(uint64_t)),
                         .values = room_for(room * sizeof(double)),
                         .topics = room_for(span_room * sizeof(struct span)),
                         .tags = room_for(span_room * sizeof(struct span)),
                         .text = room_for(text_room),
                         .room = room,
                         .span_room = span_room,
                         .text_room = text_room};
}

static void carry(void *to, const void *from, size_t bytes)
{
    if (bytes)
        memcpy(to, from, bytes);
}

/* Return the same rows with more room, by a little or by much. */
static struct rows larger(struct draw *draw, const struct rows *rows)
{
    size_t more = one_in(draw, 4) ? 1000 : below(draw, 3), spans = one_in(draw, 4) ? 1000 : 1 + below(draw, 3);
    size_t text = one_in(draw, 4) ? 9000 : below(draw, 40);
    struct rows copy = rows_of(rows->room + more + (text == 0), rows->span_room + spans, rows->text_room + text);
    carry(copy.starts, rows->starts, rows->count * sizeof *copy.starts);
    carry(copy.lengths, rows->lengths, rows->count * sizeof *copy.lengths);
    carry(copy.hashes, rows->hashes, rows->count * sizeof *copy.hashes);
    carry(copy.values, rows->values, rows->count * sizeof *copy.values);
    carry(copy.topics, rows->topics, rows->topic_count * sizeof *copy.topics);
    carry(copy.tags, rows->tags, rows->tag_count * sizeof *copy.tags);
    carry(copy.text, rows->text, rows->text_count);
    copy.count = rows->count;
    copy.topic_count = rows->topic_count;
    copy.tag_count = rows->tag_count;
    copy.text_count = rows->text_count;
    return copy;
}

static struct layout layout_of(const struct shape *shape)
{
    return (struct layout){.roles = copy_of(shape->roles, strlen(shape->roles)),
                           .columns = strlen(shape->roles),
                           .separator = shape->separator,
                           .otherwise = otherwise};
}

/* Read a file piece by piece, in arrays that are too small at first; returns whether it is regular. */
static int read_pieces(struct draw *draw, const struct text *file, const struct shape *shape, struct rows *rows)
{
    struct layout layout = layout_of(shape);
    int in_pieces = !one_in(draw, 3);
    size_t done = 0, end = in_pieces ? 0 : file->length;
    *rows = one_in(draw, 2) ? rows_of(below(draw, 4), below(draw, 4), below(draw, 60)) : rows_of(700, 700, 16 * file->length);
    for (;;) {
        int is_last = end == file->length;
        size_t consumed = 0;
        /* exactly the bytes that there are so far: what follows must not be looked at */
        const uint8_t *piece = copy_of(file->data + done, end - done);
        enum outcome outcome = read_rows(piece, end - done, is_last, &layout, rows, &consumed);
        if (outcome == IRREGULAR)
            return 0;
        if (consumed > end - done) {
            differ(__FILE__, __LINE__, "consumed <= given");
            return 0;
        }
        done += consumed;
        if (outcome == FULL)
            *rows = larger(draw, rows);
        else if (is_last)
            return 1;
        else
            end += 1 + below(draw, file->length - end);
    }
}

static int is_bytes(const uint8_t *data, int64_t start, int64_t length, size_t room, const struct text *text)
{
    return start >= 0 && length == (int64_t)text->length && (uint64_t)start + text->length <= room &&
           (text->length == 0 || !memcmp(data + start, text->data, text->length));
}

static int is_equal_text(const struct text *one, const struct text *other)
{
    return one->length == other->length && (one->length == 0 || !memcmp(one->data, other->data, one->length));
}

static void check_spans(const struct plain_file *file, const struct rows *rows, const struct span *spans, size_t count,
                        size_t offset)
{
    size_t found = 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct text *name = (const struct text *)((const char *)&file->rows[i] + offset);
        const struct text *before = i ? (const struct text *)((const char *)&file->rows[i - 1] + offset) : NULL;
        if (before && is_equal_text(name, before))
            continue;
        SAME(found < count);
        SAME(spans[found].row == (int64_t)i);
        SAME(is_bytes(rows->text, spans[found].start, spans[found].length, rows->text_count, name));
        found++;
    }
    SAME(found == count);
}

static void check_hashes(struct draw *draw, const struct rows *rows)
{
    struct names names = {copy_of(rows->text, rows->text_count), rows->text_count, rows->starts, rows->lengths, NULL, rows->count};
    uint64_t *hashes = room_for(rows->count * sizeof *hashes);
    SAME(hash_names(names, hashes) == 0);
    for (size_t i = 0; i < rows->count; i++)
        SAME(hashes[i] == rows->hashes[i]);
    if (rows->count && one_in(draw, 4)) { /* a name that is not within the text */
        int64_t *starts = copy_of(rows->starts, rows->count * sizeof *starts);
        size_t at = below(draw, rows->count);
        starts[at] = one_in(draw, 2) ? -1 - (int64_t)below(draw, 9) : (int64_t)(rows->text_count + 1 + below(draw, 9));
        names.starts = starts;
        SAME(hash_names(names, hashes) == -1);
    }
}

static void check_file(struct draw *draw, const struct text *text, const struct shape *shape)
{
    struct plain_file file = plain(text->data, text->length, shape);
    struct rows rows;
    int regular = read_pieces(draw, text, shape, &rows);
    SAME(regular == file.regular);
    if (!regular)
        return;
    SAME(rows.count == file.count);
    SAME(rows.text_count <= rows.text_room);
    for (size_t i = 0; i < file.count; i++) {
        if (strchr(shape->roles, DOCUMENT))
            SAME(is_bytes(rows.text, rows.starts[i], rows.lengths[i], rows.text_count, &file.rows[i].document));
        if (strchr(shape->roles, SCORE) || strchr(shape->roles, GRADE))
            SAME(!memcmp(&rows.values[i], &file.rows[i].value, sizeof(double)));
    }
    if (strchr(shape->roles, TOPIC))
        check_spans(&file, &rows, rows.topics, rows.topic_count, offsetof(struct plain_row, topic));
    if (strchr(shape->roles, TAG))
        check_spans(&file, &rows, rows.tags, rows.tag_count, offsetof(struct plain_row, tag));
    if (strchr(shape->roles, DOCUMENT))
        check_hashes(draw, &rows);
}

/* TREC's runs and judgments, MS MARCO's, topic-document-score; and columns in other orders. */
static const struct shape shapes[] = {{"tsdsvr", 0},  {"tsdg", 0},   {"tdv", 0},     {"tdv", '\t'},  {"tdg", '\t'}, {"tsdg", '\t'},
                                      {"vdt", ','},   {"rsdtvs", 0}, {"dv", '\t'},   {"tsdsv", ' '}, {"g", 0},      {"sstdssgr", 0}};

static const struct shape *draw_shape(struct draw *draw)
{
    return &shapes[one_in(draw, 2) ? 0 : below(draw, sizeof shapes / sizeof *shapes)];
}

void try_reader(struct draw *draw)
{
    const struct shape *shape = draw_shape(draw);
    struct text file = draw_file(draw, shape);
    show_text(file.data, file.length);
    check_file(draw, &file, shape);
}

void try_truncations(struct draw *draw)
{
    const struct shape *shape = draw_shape(draw);
    struct text file = draw_file(draw, shape);
    size_t most = file.length < 200 ? file.length : 200;
    for (size_t length = 0; length <= most; length++) {
        struct text part = {copy_of(file.data, length), length, length};
        show_text(part.data, length);
        check_file(draw, &part, shape);
    }
}
