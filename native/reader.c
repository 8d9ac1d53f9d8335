/* Lines of files as rows, and rows as ranks and grades. */

#include "reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

/* Bytes and words ------------------------------------------------------------------------------------------------ */

#define EACH_BYTE 0x0101010101010101ULL
#define HIGH_BITS 0x8080808080808080ULL

static inline uint64_t word_at(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static inline uint32_t half_word_at(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* White space as Python's bytes.split has it. */
static inline int is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline int is_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') < 10;
}

static inline int is_equal(const uint8_t *one, const uint8_t *other, size_t length)
{
    for (; length >= 8; one += 8, other += 8, length -= 8)
        if (word_at(one) != word_at(other))
            return 0;
    for (; length; one++, other++, length--)
        if (*one != *other)
            return 0;
    return 1;
}

/* Return where the first byte of at most a space stands, or the end: no other byte can end a field. */
static inline const uint8_t *next_low(const uint8_t *p, const uint8_t *end)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t word = word_at(p);
        uint64_t low = (word - EACH_BYTE * 0x21) & ~word & HIGH_BITS; /* its lowest bit is that of the first such byte */
        if (low)
            return p + (__builtin_ctzll(low) >> 3);
        p += 8;
    }
#endif
    while (p < end && *p > ' ')
        p++;
    return p;
}

/* UTF-8 as Python decodes it: the shortest form, no surrogates, nothing above U+10FFFF. */
static inline int is_utf8(const uint8_t *p, size_t length)
{
    const uint8_t *end = p + length;
    while (end - p >= 8 && !(word_at(p) & HIGH_BITS))
        p += 8;
    while (p < end) {
        uint8_t lead = *p++;
        if (lead < 0x80)
            continue;
        int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || end - p < more)
            return 0;
        uint8_t lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (*p < lowest || *p > highest)
            return 0;
        for (p++; --more; p++)
            if ((*p & 0xC0) != 0x80)
                return 0;
    }
    return 1;
}

/* Return where a field that begins here ends: at white space or at the end. */
static inline const uint8_t *field_end(const uint8_t *p, const uint8_t *end)
{
    for (;;) {
        p = next_low(p, end);
        if (p == end || is_space(*p))
            return p;
        p++; /* a control character, which is part of the field */
    }
}

#define LONGEST_CELL 131072 /* Python's module for tables refuses longer ones */

/* Return where a cell of a table that begins here ends: at a separator or at the end of a line; NULL for one that is
   quoted, padded, empty, too long or not UTF-8, of which more is to be said. */
static const uint8_t *cell_end(const uint8_t *p, const uint8_t *end, uint8_t separator)
{
    const uint8_t *stop = p;
    while (stop < end && *stop != separator && *stop != '\n' && *stop != '\r' && *stop != '"')
        stop++;
    if (stop == p || stop - p > LONGEST_CELL || *p <= ' ' || stop[-1] <= ' ' || (stop < end && *stop == '"'))
        return NULL;
    return is_utf8(p, (size_t)(stop - p)) ? stop : NULL;
}

/* Numbers -------------------------------------------------------------------------------------------------------- */

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#define EXACT (UINT64_C(1) << 53) /* whole numbers up to here are floats */

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* Return the float nearest to digits / 10^places, ties to even; 0 < digits < 10^19 and places <= 27, as 5^27 < 2^63. */
static double nearest_quotient(uint64_t digits, int places)
{
    uint64_t fives = 1;
    for (int i = 0; i < places; i++)
        fives *= 5;
    /* digits / 5^places with 64 bits or more of quotient; what is left over only says whether it is exact */
    int shift = __builtin_clzll(digits);
    wide above = (wide)(digits << shift) << 64;
    wide quotient = above / fives;
    uint64_t rest = (uint64_t)(above % fives) != 0;
    int length = quotient >> 64 ? 128 - __builtin_clzll((uint64_t)(quotient >> 64)) : 64 - __builtin_clzll((uint64_t)quotient);
    int extra = length - 53;
    uint64_t kept = (uint64_t)(quotient >> extra);
    wide cut = quotient & (((wide)1 << extra) - 1), half = (wide)1 << (extra - 1);
    if (cut > half || (cut == half && (rest || (kept & 1))))
        kept++;
    return ldexp((double)kept, extra - 64 - shift - places);
}
#endif

/* Return the float nearest to digits * 10^power, or -1 where that is not found here. */
static inline double nearest(uint64_t digits, int power)
{
    if (digits == 0)
        return 0.0;
    if (digits <= EXACT && FLT_EVAL_METHOD == 0) {
        /* both are floats, so that one rounding is the nearest */
        if (power <= 0 && power >= -22)
            return (double)digits / tens[-power];
        if (power > 0 && power <= 22)
            return (double)digits * tens[power];
    }
#ifdef __SIZEOF_INT128__
    if (power <= 0 && power >= -27)
        return nearest_quotient(digits, -power);
#endif
    return -1.0;
}

#define BEYOND 1000000 /* exponents from here on are read elsewhere */

/* Read a decimal number, which is the whole field; returns 0, or -1 if it is none or not finite. */
static int read_decimal(const uint8_t *p, const uint8_t *end, read_number otherwise, double *number)
{
    const uint8_t *begin = p;
    int negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    uint64_t digits = 0;
    const uint8_t *first = p, *point = NULL;
    for (; p < end; p++) {
        if (is_digit(*p))
            digits = digits * 10 + (uint64_t)(*p - '0'); /* may overflow: then there are more than 19 */
        else if (*p == '.' && !point)
            point = p;
        else
            break;
    }
    ptrdiff_t count = p - first - (point != NULL);
    if (count == 0)
        return -1;
    ptrdiff_t power = point ? -(p - point - 1) : 0;
    if (p < end) {
        if (*p != 'e' && *p != 'E')
            return -1;
        p++;
        int below = p < end && *p == '-';
        p += p < end && (*p == '-' || *p == '+');
        ptrdiff_t exponent = 0;
        if (p == end)
            return -1;
        for (; p < end; p++) {
            if (!is_digit(*p))
                return -1;
            if (exponent < BEYOND)
                exponent = exponent * 10 + (*p - '0');
        }
        if (exponent >= BEYOND) /* of which only the first digits are known here */
            return otherwise(begin, (size_t)(end - begin), number);
        power += below ? -exponent : exponent;
    }
    if (count > 19) {
        /* zeros at the front are no digits of the number */
        for (const uint8_t *q = first; count > 19 && q < end && (*q == '0' || *q == '.'); q++)
            count -= *q == '0';
    }
    double found = -1.0;
    if (count <= 19 && power >= -27 && power <= 22)
        found = nearest(digits, (int)power);
    if (found >= 0) {
        *number = negative ? -found : found;
        return 0;
    }
    return otherwise(begin, (size_t)(end - begin), number);
}

#define HIGHEST_GRADE 127 /* larger ones are read elsewhere */

/* Read a grade that is a whole number of few digits; returns 0, or -1 if it is anything else. */
static int read_grade(const uint8_t *p, const uint8_t *end, double *number)
{
    int negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end || end - p > 3)
        return -1;
    int grade = 0;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return -1;
        grade = grade * 10 + (*p - '0');
    }
    *number = negative ? -grade : grade;
    return grade <= HIGHEST_GRADE ? 0 : -1;
}

/* Hashes --------------------------------------------------------------------------------------------------------- */

/* Multiply, and fold the upper half of the product into the lower. */
static inline uint64_t folded(uint64_t one, uint64_t other)
{
#ifdef __SIZEOF_INT128__
    wide product = (wide)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
    uint64_t upper, lower = _umul128(one, other, &upper);
    return lower ^ upper;
#else
    uint64_t a = one >> 32, b = one & 0xFFFFFFFF, c = other >> 32, d = other & 0xFFFFFFFF;
    uint64_t low = b * d, middle = a * d + (low >> 32), cross = b * c + (middle & 0xFFFFFFFF);
    return ((cross << 32) | (low & 0xFFFFFFFF)) ^ (a * c + (middle >> 32) + (cross >> 32));
#endif
}

/* Odd numbers whose bits look drawn: parts of the square roots of 2, 3 and 5. */
#define ROOT_2 UINT64_C(0x6A09E667F3BCC909)
#define ROOT_3 UINT64_C(0xBB67AE8584CAA73B)
#define ROOT_5 UINT64_C(0x3C6EF372FE94F82B)

static inline uint64_t hash(const uint8_t *p, size_t length)
{
    uint64_t state = ROOT_2 ^ length, low, high;
    size_t left = length;
    for (; left > 16; p += 16, left -= 16)
        state = folded(word_at(p) ^ ROOT_3, word_at(p + 8) ^ state);
    if (left >= 8) {
        low = word_at(p);
        high = word_at(p + left - 8);
    } else if (left >= 4) {
        low = half_word_at(p);
        high = half_word_at(p + left - 4);
    } else {
        low = left ? (uint64_t)p[0] << 16 | (uint64_t)p[left >> 1] << 8 | p[left - 1] : 0;
        high = 0;
    }
    return folded(folded(low ^ ROOT_3, high ^ state) ^ ROOT_5, ROOT_2);
}

int are_within(struct names names)
{
    for (size_t i = 0; i < names.count; i++) {
        int64_t start = names.starts[i];
        int32_t length = names.lengths[i];
        if (start < 0 || length < 0 || (uint64_t)start > names.length || (uint64_t)length > names.length - (uint64_t)start)
            return 0;
    }
    return 1;
}

int hash_names(struct names names, uint64_t *hashes)
{
    if (!are_within(names))
        return -1;
    for (size_t i = 0; i < names.count; i++)
        hashes[i] = hash(names.data + names.starts[i], (size_t)names.lengths[i]);
    return 0;
}

/* Lines ---------------------------------------------------------------------------------------------------------- */

/* Add a name to the text; there is room for it. */
static inline int64_t keep(struct rows *rows, const uint8_t *name, size_t length)
{
    size_t start = rows->text_count;
    memcpy(rows->text + start, name, length);
    rows->text_count += length;
    return (int64_t)start;
}

/* Begin a new span if a name is not that of the span before; returns 0, or -1 if the name is not UTF-8. */
static inline int extend(struct span *spans, size_t *count, const uint8_t *name, size_t length, struct rows *rows)
{
    if (*count) {
        const struct span *last = &spans[*count - 1];
        if ((size_t)last->length == length && is_equal(rows->text + last->start, name, length))
            return 0;
    }
    if (!is_utf8(name, length))
        return -1;
    spans[*count] = (struct span){(int64_t)rows->count, keep(rows, name, length), (int64_t)length};
    ++*count;
    return 0;
}

/* Take a field for what its column is; returns 0, or -1 if it is not. */
static inline int take_field(const uint8_t *p, const uint8_t *stop, uint8_t role, const struct layout *layout,
                             struct rows *rows)
{
    size_t row = rows->count, length = (size_t)(stop - p);
    switch (role) {
    case TOPIC:
        return extend(rows->topics, &rows->topic_count, p, length, rows);
    case TAG:
        return extend(rows->tags, &rows->tag_count, p, length, rows);
    case DOCUMENT:
        if (length > INT32_MAX || !is_utf8(p, length))
            return -1;
        rows->starts[row] = keep(rows, p, length);
        rows->lengths[row] = (int32_t)length;
        rows->hashes[row] = hash(p, length);
        return 0;
    case SCORE:
        return read_decimal(p, stop, layout->otherwise, &rows->values[row]);
    case GRADE:
        return read_grade(p, stop, &rows->values[row]);
    default:
        return 0;
    }
}

/* Go over white space that is within a line. */
static inline const uint8_t *over_spaces(const uint8_t *p, const uint8_t *end)
{
    while (p < end && is_space(*p) && *p != '\n')
        p++;
    return p;
}

/* Read a line whose columns are parted by white space; returns where it ends, or NULL if it is not as it should be. */
static inline const uint8_t *read_line(const uint8_t *p, const uint8_t *end, const struct layout *layout, struct rows *rows)
{
    for (size_t column = 0; column < layout->columns; column++) {
        const uint8_t *stop = field_end(p, end);
        if (stop == p || take_field(p, stop, layout->roles[column], layout, rows) < 0)
            return NULL;
        p = stop;
        p += p < end && *p == ' '; /* one, as a rule */
        if (p < end && *p <= ' ')
            p = over_spaces(p, end);
    }
    return p < end && *p != '\n' ? NULL : p; /* what is to be said of further columns is said elsewhere */
}

/* Read a line of a table; returns where it ends, or NULL if it is not as it should be. */
static const uint8_t *read_table_line(const uint8_t *p, const uint8_t *end, const struct layout *layout, struct rows *rows)
{
    for (size_t column = 0; column < layout->columns; column++) {
        if (column && (p == end || *p++ != layout->separator))
            return NULL;
        const uint8_t *stop = cell_end(p, end, layout->separator);
        if (stop == NULL || take_field(p, stop, layout->roles[column], layout, rows) < 0)
            return NULL;
        p = stop;
    }
    p += p < end && *p == '\r';
    return p < end && *p != '\n' ? NULL : p;
}

enum outcome read_rows(const uint8_t *data, size_t length, int is_last, const struct layout *layout, struct rows *rows,
                       size_t *consumed)
{
    const uint8_t *p = data, *end = data + length;
    while (!is_last && end > data && end[-1] != '\n')
        end--;
    while (p < end) {
        *consumed = (size_t)(p - data);
        if (!layout->separator)
            p = over_spaces(p, end);
        if (p == end)
            break;
        if (*p == '#' && !layout->separator) { /* tables have comments above their header alone */
            const uint8_t *line = memchr(p, '\n', (size_t)(end - p));
            p = line ? line : end - 1;
        } else if (*p != '\n') {
            size_t before = rows->text_count, topics = rows->topic_count, tags = rows->tag_count;
            if (rows->count == rows->room || topics == rows->span_room || tags == rows->span_room)
                return FULL;
            /* a line adds at most its own bytes to the text */
            size_t left = rows->text_room - before, most = (size_t)(end - p);
            if (left < most) {
                const uint8_t *line = memchr(p, '\n', most);
                if (left < (line ? (size_t)(line - p) : most))
                    return FULL;
            }
            p = layout->separator ? read_table_line(p, end, layout, rows) : read_line(p, end, layout, rows);
            if (p == NULL)
                return IRREGULAR;
            rows->count++;
        }
        p += p < end; /* over the line break */
    }
    *consumed = (size_t)(end - data);
    return READ;
}

/* Looking up ----------------------------------------------------------------------------------------------------- */

/* A slot holds the upper half of a hash and the number of a name within its group, from 1; an empty one is 0. */

size_t slots_for(size_t names)
{
    size_t count = 4;
    while (count < 2 * names)
        count *= 2;
    return count;
}

static inline uint64_t slot_of(uint64_t hash, size_t number)
{
    return (hash & UINT64_C(0xFFFFFFFF00000000)) | (uint64_t)number;
}

static inline int is_same(struct names one, size_t i, struct names other, size_t j)
{
    int32_t length = one.lengths[i];
    return length == other.lengths[j] && is_equal(one.data + one.starts[i], other.data + other.starts[j], (size_t)length);
}

int are_same(struct names one, struct names other)
{
    for (size_t i = 0; i < one.count; i++)
        if (!is_same(one, i, other, i))
            return 0;
    return 1;
}

/* Put a name into the slots, if it is not there already; returns whether it was not. */
static inline int put_name(struct names names, size_t i, size_t first, uint64_t *slots, size_t count)
{
    uint64_t found, mine = slot_of(names.hashes[i], i - first + 1);
    size_t place = names.hashes[i] & (count - 1);
    while ((found = slots[place])) {
        if ((found ^ mine) >> 32 == 0 && is_same(names, i, names, first + (uint32_t)found - 1))
            return 0;
        place = (place + 1) & (count - 1);
    }
    slots[place] = mine;
    return 1;
}

int64_t fill_slots(struct names names, size_t first, size_t last, uint64_t *slots, size_t count)
{
    memset(slots, 0, count * sizeof *slots);
    for (size_t i = first; i < last; i++)
        if (!put_name(names, i, first, slots, count))
            return (int64_t)i;
    return -1;
}

size_t count_different(struct names names, uint64_t *slots, size_t count)
{
    size_t different = 0;
    memset(slots, 0, count * sizeof *slots);
    for (size_t i = 0; i < names.count; i++)
        different += (size_t)put_name(names, i, 0, slots, count);
    return different;
}

/* Return which of the names in slots a name is, from 0, or -1 if it is none of them. */
static inline int64_t find_name(struct names wanted, size_t i, struct names known, size_t base, const uint64_t *slots,
                                size_t count)
{
    uint64_t own = wanted.hashes[i];
    size_t place = own & (count - 1);
    for (size_t tries = 0; tries < count && slots[place]; tries++) {
        size_t number = base + (uint32_t)slots[place] - 1;
        if ((slots[place] ^ own) >> 32 == 0 && number < known.count && is_same(wanted, i, known, number))
            return (int64_t)number;
        place = (place + 1) & (count - 1);
    }
    return -1;
}

void find_cells(struct names wanted, size_t first, size_t last, struct names known, size_t base, const uint64_t *slots,
                size_t count, const uint8_t *cells, size_t size, const uint8_t *missing, uint8_t *found)
{
    if (size == 1) { /* the usual size, which needs no copying */
        for (size_t i = first; i < last; i++) {
            int64_t at = find_name(wanted, i, known, base, slots, count);
            found[i - first] = at < 0 ? *missing : cells[at];
        }
        return;
    }
    for (size_t i = first; i < last; i++) {
        int64_t at = find_name(wanted, i, known, base, slots, count);
        memcpy(found + (i - first) * size, at < 0 ? missing : cells + (size_t)at * size, size);
    }
}

/* Ranking -------------------------------------------------------------------------------------------------------- */

/* Return whether a row goes before another: by score, and equal scores by name, last first. */
static inline int is_before(struct names names, const double *scores, int64_t one, int64_t other)
{
    if (scores[one] != scores[other])
        return scores[one] > scores[other];
    int32_t mine = names.lengths[one], theirs = names.lengths[other];
    int order = memcmp(names.data + names.starts[one], names.data + names.starts[other], (size_t)(mine < theirs ? mine : theirs));
    return order ? order > 0 : mine > theirs;
}

/* Sort by merging: short stretches by insertion, then pairs of stretches, from one array into the other and back. */
static void sort_rows(struct names names, const double *scores, int64_t *order, int64_t *spare, size_t count)
{
    const size_t stretch = 8;
    for (size_t begin = 0; begin < count; begin += stretch) {
        size_t end = count - begin < stretch ? count : begin + stretch;
        for (size_t i = begin + 1; i < end; i++) {
            int64_t row = order[i];
            size_t j = i;
            for (; j > begin && is_before(names, scores, row, order[j - 1]); j--)
                order[j] = order[j - 1];
            order[j] = row;
        }
    }
    int64_t *from = order, *to = spare;
    for (size_t width = stretch; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            size_t middle = count - begin < width ? count : begin + width;
            size_t end = count - begin < 2 * width ? count : begin + 2 * width;
            size_t i = begin, j = middle;
            for (size_t k = begin; k < end; k++) {
                int second = i == middle || (j < end && is_before(names, scores, from[j], from[i]));
                to[k] = second ? from[j++] : from[i++];
            }
        }
        int64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}

int rank_rows(struct names names, const double *scores, size_t first, size_t last, int64_t *order, uint8_t *tied,
              int64_t *spare)
{
    size_t count = last - first;
    int is_sorted = 1;
    for (size_t i = first; i < last; i++)
        order[i - first] = (int64_t)i;
    for (size_t i = first + 1; i < last && is_sorted; i++)
        is_sorted = scores[i] < scores[i - 1] || is_before(names, scores, (int64_t)i - 1, (int64_t)i);
    if (!is_sorted)
        sort_rows(names, scores, order, spare, count);
    for (size_t i = 0; i < count; i++)
        tied[i] = i > 0 && scores[order[i]] == scores[order[i - 1]];
    return is_sorted;
}
