/* From the bytes of a run or judgment file to documents by topic and rank, in one pass. Plain C on pointers and lengths.

   Whatever is not plain ends the pass, and Python says what is wrong, or copes: so nothing that a person reads is decided
   here. The caller sees to it that arrays are as long as is said below, once. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if !defined(__SIZEOF_INT128__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words of 128 bits, least significant byte first, are needed; Python does the same work more slowly"
#endif

#define EXPORTED __attribute__((visibility("default")))

__extension__ typedef unsigned __int128 wide;

/* What is handed over ---------------------------------------------------------------------------------------------- */

#define PAD 64   /* so many bytes behind a file are overwritten, and so many behind other texts can be read */
#define AROUND 3 /* so many slots at the end repeat those at the beginning */

/* A judged document: its first 16 bytes, with zeros behind a shorter name, its length and its code. */
struct entry {
    uint64_t low, high;
    int32_t length, code;
};

/* The judgments, arranged for looking up; filled once by `build_index`, in arrays that the caller owns. Group t has the
   names bounds[t] .. bounds[t + 1], the slots offsets[t] .. offsets[t + 1], which are a power of 2 and AROUND more, and
   the entries from bounds[t] + t on, of which the first is that of no name. Groups 0 .. topics - 1 hold the documents of
   a topic, and the last group holds the topics, whose codes are their numbers. */
struct index {
    const uint8_t *text; /* UTF-8 */
    const int64_t *starts;
    const int32_t *lengths, *codes;
    const int64_t *bounds, *offsets;
    uint32_t *slots; /* some bits of a hash, and the number of an entry */
    struct entry *entries;
    int64_t topics;
};

/* Documents of one topic under one tag: which topic of the judgments, or -1; its rows in the output, of which there are
   none for topics without judgments; and where the names of topic and tag stand in the file, a tag like that of the group
   before in the same place. */
struct group {
    int64_t topic, first, count, start, length, tag_start, tag_length;
};

/* How a pass ends: well; at a line that is wrong or odd, or a document that stands twice in a topic; at a topic that comes
   back later in a file, so that rows are to be put together first; or without memory. */
enum status { DONE, NOT_PLAIN, SCATTERED, NO_MEMORY };
enum option { SINGLE = 1, AS_THEY_STAND = 2 };

/* What is written, group after group, best first. A line of a run has at least 12 bytes and one of judgments 8: there
   is room for so many rows and groups as a file of this size may have. */
struct output {
    int32_t *codes;   /* of grades, -1 for documents without judgments; NULL without an index */
    uint8_t *tied;    /* whether a rank has the score of the one before; or NULL */
    int64_t *starts;  /* where names stand in the file; or NULL */
    int32_t *lengths; /* how long they are; with `starts` */
    double *values;   /* scores or grades; or NULL */
    int32_t *owners;  /* which group a row is of; with it rows stand as in the file; or NULL */
    struct group *groups;
    int64_t group_count, rows;
    int64_t beyond_ascii; /* whether some byte is above 127, or 0: then names may have blanks that nobody sees */
};

/* Bytes and words -------------------------------------------------------------------------------------------------- */

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define HIGH_BITS UINT64_C(0x8080808080808080)

static inline uint64_t word_at(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
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

static const uint64_t first_bytes[9] = {
    0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, ~UINT64_C(0)};

/* The first 16 bytes of a name, zeros behind its end; 16 can be read. */
static inline void words_of(const uint8_t *p, size_t length, uint64_t *low, uint64_t *high)
{
    *low = word_at(p) & first_bytes[length < 8 ? length : 8];
    *high = word_at(p + 8) & first_bytes[length < 8 ? 0 : length < 16 ? length - 8 : 8];
}

static inline uint64_t folded(uint64_t one, uint64_t other)
{
    wide product = (wide)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t secret[] = {UINT64_C(0x6A09E667F3BCC909), UINT64_C(0xBB67AE8584CAA73B), UINT64_C(0x3C6EF372FE94F82B)};

/* Have hashes depend on numbers drawn by the process, so that nobody can make up names that share one. */
EXPORTED void set_secret(const uint64_t *words)
{
    memcpy(secret, words, sizeof secret);
}

/* Hash a name; 16 bytes from where its last 16 begin can be read. */
static inline uint64_t hash(const uint8_t *p, size_t length)
{
    uint64_t state = secret[0] ^ length, low, high;
    for (; length > 16; p += 16, length -= 16)
        state = folded(word_at(p) ^ secret[1], word_at(p + 8) ^ state);
    words_of(p, length, &low, &high);
    return folded(folded(low ^ secret[1], high ^ state) ^ secret[2], secret[0]);
}

static int grow(void *array, size_t size)
{
    void *longer = realloc(*(void **)array, size);
    if (longer)
        *(void **)array = longer;
    return longer ? 0 : -1;
}

/* Numbers ---------------------------------------------------------------------------------------------------------- */

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t fives[] = {
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125,
    UINT64_C(6103515625), UINT64_C(30517578125), UINT64_C(152587890625), UINT64_C(762939453125),
    UINT64_C(3814697265625), UINT64_C(19073486328125), UINT64_C(95367431640625), UINT64_C(476837158203125),
    UINT64_C(2384185791015625), UINT64_C(11920928955078125), UINT64_C(59604644775390625),
    UINT64_C(298023223876953125), UINT64_C(1490116119384765625), UINT64_C(7450580596923828125)};

/* The float nearest to digits / 10^places, ties to even; 0 < digits < 10^19 and places <= 27, as 5^27 < 2^63. */
static double nearest_quotient(uint64_t digits, int places)
{
    /* both begin with a bit that is set, so that half of the one is below the other, and the quotient has 63 or 64 bits */
    int left = __builtin_clzll(digits), right = __builtin_clzll(fives[places]);
    uint64_t below = fives[places] << right;
    wide above = (wide)(digits << left) << 63;
    uint64_t quotient = (uint64_t)(above / below), rest = above != (wide)quotient * below;
    int extra = quotient >> 63 ? 11 : 10;
    uint64_t bits = quotient >> extra, cut = quotient & ((UINT64_C(1) << extra) - 1), half = UINT64_C(1) << (extra - 1);
    bits += cut > half || (cut == half && (rest || (bits & 1)));
    uint64_t power = (uint64_t)(1023 + extra - 63 + right - left - places) << 52; /* a power of 2: nothing is rounded */
    double scale;
    memcpy(&scale, &power, sizeof scale);
    return (double)bits * scale;
}

/* The float nearest to digits * 10^power, or -1 where that is not found here; digits < 10^19. */
static inline double nearest(uint64_t digits, int power)
{
    if (digits == 0)
        return 0;
    if (digits >> 53 == 0 && power >= -22 && power <= 22)
        return power < 0 ? (double)(int64_t)digits / tens[-power] : (double)(int64_t)digits * tens[power];
    return power >= -27 && power <= 0 ? nearest_quotient(digits, -power) : -1;
}

#define LONG 400 /* longer numbers are not read here */

/* Read a number as Python does; returns -1 for what is none, or not finite. */
static int read_any(const uint8_t *p, size_t length, double *number)
{
    const uint8_t *begin = p, *end = p + length;
    int negative = *p == '-', power = 0, count = 0, exponent = 0, divided = 0;
    p += *p == '-' || *p == '+';
    uint64_t digits = 0;
    int many = 0;
    for (int behind = 0; p < end && (is_digit(*p) || (*p == '.' && !behind)); p++) {
        behind |= *p == '.';
        if (*p == '.')
            continue;
        many |= digits >= UINT64_C(100000000000000000); /* 10^17 */
        digits = digits * 10 + (uint64_t)(*p - '0');
        power -= behind, count = 1;
    }
    if (!count || length > LONG)
        return -1;
    if (p < end) {
        if (*p != 'e' && *p != 'E')
            return -1;
        p++;
        divided = p < end && *p == '-';
        p += p < end && (*p == '-' || *p == '+');
        if (p == end)
            return -1;
        for (; p < end && is_digit(*p); p++)
            exponent = exponent < 10000 ? exponent * 10 + (*p - '0') : exponent;
        if (p < end)
            return -1;
    }
    double found = many ? -1 : nearest(digits, power + (divided ? -exponent : exponent));
    if (found < 0) { /* where a locale has no decimal point, this ends too soon */
        char *stop;
        found = strtod((const char *)begin, &stop);
        if ((const uint8_t *)stop != end || !isfinite(found) || found == 0) /* a grade of 1e-400 is not 0 */
            return -1;
    } else if (negative)
        found = -found;
    *number = found;
    return 0;
}

#define ZEROS UINT64_C(0x3030303030303030)

/* The number of eight digits, which are the lower halves of the bytes of a word. */
static inline uint64_t eight_digits(uint64_t word)
{
    word = word * 2561 >> 8;
    word = (word & UINT64_C(0x00FF00FF00FF00FF)) * 6553601 >> 16;
    return (word & UINT64_C(0x0000FFFF0000FFFF)) * UINT64_C(42949672960001) >> 32;
}

static inline int are_digits(uint64_t word)
{
    return !(((word + UINT64_C(0x7676767676767676)) | word) & HIGH_BITS);
}

/* Read a usual number: up to 8 digits, a point, and up to 16 digits, zeros at the end not counted; eight at a time.
   32 bytes from its start on can be read. */
static inline int read_number(const uint8_t *p, size_t length, double *number)
{
    static const uint64_t scale[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    const uint8_t *begin = p;
    size_t all = length;
    int negative = *p == '-';
    p += negative;
    length -= (size_t)negative;
    uint64_t head = word_at(p), dots = head ^ EACH_BYTE * '.';
    dots = (dots - EACH_BYTE) & ~dots & HIGH_BITS;
    size_t point = dots ? (size_t)__builtin_ctzll(dots) >> 3 : 8;
    point = point < length ? point : length;
    size_t places = length - point;
    places -= places > 0;
    if (point - 1 > 7 || (point == 8 && length > 8 && p[8] != '.'))
        return read_any(begin, all, number);
    uint64_t whole = (head ^ ZEROS) << (64 - 8 * point);
    if (point + places <= 8) { /* one word holds them all */
        uint64_t part = places ? (word_at(p + point + 1) ^ ZEROS) << (64 - 8 * places) : 0;
        whole = places < 8 ? whole >> 8 * places | part : part;
        if (!are_digits(whole))
            return read_any(begin, all, number);
        double found = (double)(int64_t)eight_digits(whole) / tens[places];
        *number = negative ? -found : found;
        return 0;
    }
    while (places > 16 && word_at(p + point + places - 7) == ZEROS)
        places -= 8;
    while (places > 16 && p[point + places] == '0')
        places--;
    size_t near = places < 8 ? places : 8;
    uint64_t part = near ? (word_at(p + point + 1) ^ ZEROS) << (64 - 8 * near) : 0;
    uint64_t digits = eight_digits(whole) * scale[near] + eight_digits(part);
    if (!are_digits(whole) || !are_digits(part) || places > 16)
        return read_any(begin, all, number);
    if (places > 8) {
        uint64_t far = (word_at(p + point + 9) ^ ZEROS) << (64 - 8 * (places - 8));
        if (!are_digits(far) || digits >= UINT64_C(100000000000)) /* times 10^8 that is below 10^19 */
            return read_any(begin, all, number);
        digits = digits * scale[places - 8] + eight_digits(far);
    }
    double found = digits >> 53 ? nearest_quotient(digits, (int)places) : (double)(int64_t)digits / tens[places];
    *number = negative ? -found : found;
    return 0;
}

/* Names of the judgments ------------------------------------------------------------------------------------------- */

/* How many bits number the entries of a group, as a mask; the other bits of a slot are of the hash. */
static inline uint32_t numbering(const struct index *index, int64_t group)
{
    uint32_t mask = 1;
    while (mask < (uint64_t)(index->bounds[group + 1] - index->bounds[group]))
        mask = 2 * mask + 1;
    return mask;
}

static inline size_t slots_of(const struct index *index, int64_t group)
{
    return (size_t)(index->offsets[group + 1] - index->offsets[group]) - AROUND;
}

/* Which entry of a group a name has, or 0, and then *place is the slot that it would have. */
static uint32_t find_entry(const struct index *index, int64_t group, const uint8_t *name, size_t length, uint64_t hash,
                           size_t *place)
{
    const uint32_t *slot = index->slots + index->offsets[group];
    size_t mask = slots_of(index, group) - 1, at = hash & mask;
    uint32_t numbers = numbering(index, group), print = (uint32_t)(hash >> 32) & ~numbers;
    for (; slot[at]; at = (at + 1) & mask) {
        int64_t row = index->bounds[group] + (slot[at] & numbers) - 1;
        if ((slot[at] ^ print) <= numbers && (size_t)index->lengths[row] == length &&
            is_equal(index->text + index->starts[row], name, length))
            return slot[at] & numbers;
    }
    *place = at;
    return 0;
}

/* Fill slots and entries; returns 0, or -1 if a name stands twice in a group. */
EXPORTED int build_index(struct index *index)
{
    for (int64_t g = 0; g <= index->topics; g++) {
        int64_t first = index->bounds[g], count = index->bounds[g + 1] - first;
        uint32_t *slot = index->slots + index->offsets[g], numbers = numbering(index, g);
        struct entry *entry = index->entries + first + g;
        memset(slot, 0, slots_of(index, g) * sizeof *slot);
        entry[0] = (struct entry){0, 0, -1, -1};
        for (int64_t i = 1; i <= count; i++) {
            const uint8_t *name = index->text + index->starts[first + i - 1];
            size_t length = (size_t)index->lengths[first + i - 1], at;
            uint64_t own = hash(name, length);
            if (find_entry(index, g, name, length, own, &at))
                return -1;
            slot[at] = ((uint32_t)(own >> 32) & ~numbers) | (uint32_t)i;
            words_of(name, length, &entry[i].low, &entry[i].high);
            entry[i].length = (int32_t)length, entry[i].code = index->codes[first + i - 1];
        }
        memcpy(slot + slots_of(index, g), slot, AROUND * sizeof *slot);
    }
    return 0;
}

/* Rows of one topic ------------------------------------------------------------------------------------------------ */

struct rows {
    const uint8_t *data; /* where names stand */
    double *values;
    uint64_t *hashes;
    uint64_t *keys; /* the higher the score, the lower the key */
    int64_t *starts;
    int32_t *lengths, *codes, *order, *spare;
    uint32_t *slots;
    size_t count, room, slot_room;
    int falls; /* whether each score is below the one before */
};

static int more_rows(struct rows *rows)
{
    size_t room = rows->room ? 2 * rows->room : 1024;
    if (room > INT32_MAX || grow(&rows->values, room * 8) || grow(&rows->hashes, room * 8) ||
        grow(&rows->starts, room * 8) || grow(&rows->lengths, room * 4) || grow(&rows->codes, room * 4) ||
        grow(&rows->order, room * 4) || grow(&rows->spare, room * 4) || grow(&rows->keys, room * 8))
        return -1;
    rows->room = room;
    return 0;
}

static void free_rows(struct rows *rows)
{
    free(rows->values), free(rows->hashes), free(rows->starts), free(rows->lengths), free(rows->codes);
    free(rows->order), free(rows->spare), free(rows->keys), free(rows->slots);
}

/* See that no document stands twice. */
static enum status find_repeat(struct rows *rows)
{
    size_t slots = 16;
    while (slots < 4 * rows->count)
        slots *= 2;
    if (slots > rows->slot_room) {
        if (grow(&rows->slots, slots * sizeof *rows->slots))
            return NO_MEMORY;
        rows->slot_room = slots;
    }
    memset(rows->slots, 0, slots * sizeof *rows->slots);
    for (size_t i = 0; i < rows->count; i++) {
        size_t at = rows->hashes[i] & (slots - 1);
        for (; rows->slots[at]; at = (at + 1) & (slots - 1)) {
            size_t j = rows->slots[at] - 1;
            if (rows->hashes[i] == rows->hashes[j] && rows->lengths[i] == rows->lengths[j] &&
                is_equal(rows->data + rows->starts[i], rows->data + rows->starts[j], (size_t)rows->lengths[i]))
                return NOT_PLAIN;
        }
        rows->slots[at] = (uint32_t)i + 1;
    }
    return DONE;
}

/* A number that is at most a limit, and another one instead of what is above; in a way that no compiler makes a branch. */
static inline uint32_t chosen(uint32_t one, uint32_t limit, uint32_t otherwise)
{
    uint32_t above = (uint32_t)(((uint64_t)limit - one) >> 32); /* all bits, or none */
    return (one & ~above) | (otherwise & above);
}

#define SOON 12           /* rows ahead of which slots are asked for */
#define UNSURE UINT32_MAX /* an entry that is to be looked for */

/* Look up every row. Whether a document is judged cannot be foreseen, so that four slots are compared without a branch:
   there is one only if none of them is empty, or if hashes agree and names do not. What is compared is asked for well
   before, as the judgments of all topics do not fit into the nearest caches. */
static void look_up(struct rows *rows, const struct index *index, int64_t topic)
{
    const uint32_t *slot = index->slots + index->offsets[topic];
    const struct entry *entries = index->entries + index->bounds[topic] + topic;
    const uint64_t *hashes = rows->hashes;
    uint32_t numbers = numbering(index, topic), *number = (uint32_t *)rows->order;
    size_t mask = slots_of(index, topic) - 1, count = rows->count;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(slot + (hashes[i + SOON < count ? i + SOON : i] & mask));
        const uint32_t *at = slot + (hashes[i] & mask);
        uint32_t print = (uint32_t)(hashes[i] >> 32) & ~numbers;
        uint32_t found = -(uint32_t)((at[0] != 0) & (at[1] != 0) & (at[2] != 0) & (at[3] != 0));
        for (int k = 3; k >= 0; k--)
            found = chosen(at[k] ^ print, numbers, found);
        __builtin_prefetch(entries + (found == UNSURE ? 0 : found));
        number[i] = found;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *name = rows->data + rows->starts[i];
        size_t length = (size_t)rows->lengths[i], place;
        const struct entry *entry = &entries[number[i] == UNSURE ? 0 : number[i]];
        uint64_t low, high;
        words_of(name, length, &low, &high);
        int same = (entry->low == low) & (entry->high == high) & (entry->length == (int32_t)length);
        if (length > 16 && same) {
            int64_t row = index->bounds[topic] + number[i] - 1;
            same = is_equal(index->text + index->starts[row] + 16, name + 16, length - 16);
        }
        int32_t code = entry->code | (same - 1);
        if ((number[i] != 0) & (same == 0))
            code = entries[find_entry(index, topic, name, length, hashes[i], &place)].code;
        rows->codes[i] = code;
    }
}

/* Order ------------------------------------------------------------------------------------------------------------ */

static inline uint64_t key_of(double score)
{
    uint64_t bits;
    score += 0.0; /* of zeros one alone is left */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~bits & ~(UINT64_C(1) << 63);
}

/* Whether a row goes before another: the higher score. */
static inline int has_higher_score(const struct rows *rows, int32_t one, int32_t other)
{
    return rows->keys[one] < rows->keys[other];
}

/* Whether a row goes before another of equal score: the greater bytes of its name, then the longer name. */
static inline int has_later_name(const struct rows *rows, int32_t one, int32_t other)
{
    int32_t mine = rows->lengths[one], theirs = rows->lengths[other];
    int order = memcmp(rows->data + rows->starts[one], rows->data + rows->starts[other],
                       (size_t)(mine < theirs ? mine : theirs));
    return order ? order > 0 : mine > theirs;
}

/* Sort rows by merging neighbours, without a branch on which comes first; those that follow each other already are
   copied. Those of which none is first stay as they come. */
static inline void sort(const struct rows *rows, int32_t *order, size_t count,
                        int (*is_before)(const struct rows *, int32_t, int32_t))
{
    int32_t *from = order, *to = rows->spare;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            size_t middle = count - begin < width ? count : begin + width;
            size_t end = count - begin < 2 * width ? count : begin + 2 * width, i = begin, j = middle, k = begin;
            if (middle < end && is_before(rows, from[middle], from[middle - 1]))
                while (i < middle && j < end) {
                    size_t second = (size_t)is_before(rows, from[j], from[i]);
                    to[k++] = from[i ^ ((i ^ j) & (0 - second))]; /* j if it is the second */
                    j += second, i += 1 - second;
                }
            while (i < middle)
                to[k++] = from[i++];
            while (j < end)
                to[k++] = from[j++];
        }
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}

/* Put rows out from a place on, as they stand or best first; documents of equal score and grade stay as they come where
   no names are asked for. */
static void put(struct rows *rows, struct output *out, size_t at, int sorted)
{
    int32_t *order = rows->order;
    size_t count = rows->count;
    const double *scores = rows->values;
    for (size_t i = 0; i < count; i++)
        order[i] = (int32_t)i, rows->keys[i] = key_of(scores[i]);
    if (sorted)
        sort(rows, order, count, has_higher_score);
    for (size_t i = 0, j; sorted && i < count; i = j) {
        int differ = out->starts != NULL;
        for (j = i + 1; j < count && scores[order[j]] == scores[order[i]]; j++)
            differ |= rows->codes[order[j]] != rows->codes[order[i]];
        if (differ && j > i + 1)
            sort(rows, order + i, j - i, has_later_name);
        if (out->tied)
            memset(out->tied + at + i + 1, 1, j - i - 1);
    }
    for (size_t i = 0; i < count; i++) {
        size_t row = (size_t)order[i];
        if (out->codes)
            out->codes[at + i] = rows->codes[row];
        if (out->starts)
            out->starts[at + i] = rows->starts[row], out->lengths[at + i] = rows->lengths[row];
        if (out->values)
            out->values[at + i] = rows->values[row];
    }
}

/* Put the rows of a group out, unless a document stands twice among them. */
static enum status finish(struct rows *rows, const struct index *index, struct output *out, struct group *group, int options)
{
    enum status status = find_repeat(rows);
    if (status != DONE)
        return status;
    group->first = out->rows, group->count = (int64_t)rows->count;
    if (index && group->topic < 0)
        return DONE;
    if (index)
        look_up(rows, index, group->topic);
    if (out->tied)
        memset(out->tied + out->rows, 0, rows->count);
    put(rows, out, (size_t)out->rows, !rows->falls && !(options & AS_THEY_STAND));
    out->rows += (int64_t)rows->count;
    return DONE;
}

/* Do the same with rows that are in memory: group g has rows bounds[g] .. bounds[g + 1] and the topic groups[g].topic.
   The text has PAD bytes more. */
EXPORTED int judge_rows(const uint8_t *text, const int64_t *starts, const int32_t *lengths, const double *scores,
                        const int64_t *bounds, const struct index *index, struct output *out, int options)
{
    struct rows rows = {.data = text};
    enum status status = DONE;
    out->rows = 0;
    for (int64_t g = 0; status == DONE && g < out->group_count; g++) {
        rows.count = 0, rows.falls = 1;
        for (int64_t i = bounds[g]; status == DONE && i < bounds[g + 1]; i++) {
            size_t row = rows.count++;
            if (row == rows.room && more_rows(&rows)) {
                status = NO_MEMORY;
                break;
            }
            double score = options & SINGLE ? (float)scores[i] : scores[i];
            rows.falls &= !row || score < rows.values[row - 1];
            rows.values[row] = score, rows.starts[row] = starts[i], rows.lengths[row] = lengths[i];
            rows.hashes[row] = hash(text + starts[i], (size_t)lengths[i]);
        }
        if (status == DONE)
            status = finish(&rows, index, out, &out->groups[g], options);
    }
    free_rows(&rows);
    return status;
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

struct field {
    const uint8_t *start;
    size_t length;
};

struct line {
    struct field topic, document, value, tag;
};

#define RUN 6
#define JUDGMENTS 4 /* so many columns they have */
#define EXACT 8     /* so many digits make a float of their own */

#define BLOCK 128 /* words: 8 kB of a file, so that masks and bytes stay in the nearest cache */

/* Which bytes of a piece of a file are white space, and which are line breaks. */
struct block {
    const uint8_t *base;
    size_t words;
    uint64_t high; /* not 0 if some byte, of any block so far, is above 127, or 0 */
    uint64_t spaces[BLOCK + 2], breaks[BLOCK];
};

static inline uint64_t masks_of(const uint8_t *p, uint64_t *breaks, uint64_t *high)
{
    uint64_t spaces = 0, found = 0;
#if defined(__SSE2__)
    for (int i = 0; i < 64; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(p + i)), t = _mm_sub_epi8(v, _mm_set1_epi8('\t'));
        __m128i s = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(_mm_min_epu8(t, _mm_set1_epi8(4)), t));
        spaces |= (uint64_t)(unsigned)_mm_movemask_epi8(s) << i;
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))) << i;
        *high |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(v, _mm_cmpeq_epi8(v, _mm_setzero_si128())));
    }
#else
    for (int i = 0; i < 64; i += 8) {
        uint64_t v = word_at(p + i), low = v & ~HIGH_BITS, s, n;
        *high |= (v | ((v - EACH_BYTE) & ~v)) & HIGH_BITS;
        /* high bits of bytes that are 9 to 13, a space, or a line break */
        s = (low + EACH_BYTE * (0x80 - 9)) & ~(low + EACH_BYTE * (0x80 - 14));
        n = ~((low ^ EACH_BYTE * '\n') + EACH_BYTE * 0x7F);
        s = (s | ~((low ^ EACH_BYTE * ' ') + EACH_BYTE * 0x7F)) & ~v & HIGH_BITS;
        spaces |= (s >> 7) * UINT64_C(0x0102040810204080) >> 56 << i; /* least significant byte first */
        found |= ((n & ~v & HIGH_BITS) >> 7) * UINT64_C(0x0102040810204080) >> 56 << i;
    }
#endif
    *breaks = found;
    return spaces;
}

/* Find white space from p on, to the end or as far as a block goes. */
static void look_at(struct block *block, const uint8_t *p, const uint8_t *end)
{
    size_t words = (size_t)(end - p) / 64 + 1;
    words = words < BLOCK ? words : BLOCK;
    for (size_t i = 0; i < words; i++)
        block->spaces[i] = masks_of(p + 64 * i, &block->breaks[i], &block->high);
    block->spaces[words] = block->spaces[words + 1] = 0;
    block->base = p, block->words = words;
}

static inline void arrange(struct line *line, const struct field *fields, int columns)
{
    line->topic = fields[0], line->document = fields[2];
    line->value = fields[columns == RUN ? 4 : 3];
    line->tag = columns == RUN ? fields[5] : (struct field){fields[0].start, 0};
}

/* Split any line, which ends at a line break; returns 1 for a row, 0 for a line without one, -1 for one that is wrong. */
static int split_any(const uint8_t *p, const uint8_t *stop, struct line *line, int columns)
{
    struct field fields[RUN];
    for (int i = 0; i <= columns; i++) {
        while (p < stop && (*p == ' ' || (uint8_t)(*p - '\t') < 5))
            p++;
        if (p == stop || (i == 0 && *p == '#')) {
            if (i == columns)
                arrange(line, fields, columns);
            return i == 0 ? 0 : i == columns ? 1 : -1;
        }
        const uint8_t *start = p;
        while (*p != ' ' && (uint8_t)(*p - '\t') >= 5)
            p++;
        if (i < columns)
            fields[i] = (struct field){start, (size_t)(p - start)};
    }
    return -1; /* what is to be said of further columns is said elsewhere */
}

/* Split a line with one blank between fields by the masks of the block that holds it, others by bytes: at[i] is where
   field i ends, counted from the line's begin. */
static inline int split(const struct block *block, const uint8_t *p, const uint8_t *stop, struct line *line, int columns)
{
    size_t from = (size_t)(p - block->base), length = (size_t)(stop - p), word = from / 64, at[RUN];
    if (length < 64) {
        /* the bits of the line and its line break, from two words; a shift by 64, which C does not have, is made of two */
        uint64_t left = block->spaces[word] >> (from & 63) | block->spaces[word + 1] << 1 << (~from & 63), doubled, after;
        left &= (UINT64_C(2) << length) - 1;
        doubled = left & (left >> 1 | 1); /* two blanks in a row, or one at the begin */
        for (int i = 0; i < columns; i++, left = after)
            at[i] = (size_t)__builtin_ctzll(left | UINT64_C(1) << 63), after = left & (left - 1);
        /* too many fields, too few, or one too few where the bit that was set for a missing blank is that of the break */
        if (doubled || left || at[columns - 2] == length || at[columns - 1] != length)
            return split_any(p, stop, line, columns);
    } else {
        uint64_t left = block->spaces[word] & ~UINT64_C(0) << (from & 63);
        for (int i = 0; i < columns; i++) {
            while (!left)
                left = block->spaces[++word];
            at[i] = 64 * word + (size_t)__builtin_ctzll(left) - from;
            left &= left - 1;
            if (at[i] == (i ? at[i - 1] + 1 : 0) || (i == columns - 1) != (at[i] == length))
                return split_any(p, stop, line, columns);
        }
    }
    line->topic = (struct field){p, at[0]};
    line->document = (struct field){p + at[1] + 1, at[2] - at[1] - 1};
    line->value = (struct field){p + at[columns == RUN ? 3 : 2] + 1, columns == RUN ? at[4] - at[3] - 1 : length - at[2] - 1};
    line->tag = columns == RUN ? (struct field){p + at[4] + 1, length - at[4] - 1} : (struct field){p, 0};
    return 1;
}

/* Files ------------------------------------------------------------------------------------------------------------ */

struct file {
    const uint8_t *data, *end;
    const struct index *index;
    struct output *out;
    int columns, options;
    struct rows rows;
    uint32_t *slots; /* numbers of groups, by names of topic and tag; 0 is none */
    size_t slot_count;
    struct block block;
};

static inline int is_field(struct field one, struct field other)
{
    if (one.length != other.length)
        return 0;
    if (one.length <= 8)
        return !((word_at(one.start) ^ word_at(other.start)) & first_bytes[one.length]);
    return is_equal(one.start, other.start, one.length);
}

/* Take lines of one topic and tag as rows, from *begin on; *begin becomes the line behind them, and `first` the first of
   them, without a topic if there was none. */
static enum status read_stretch(struct file *file, const uint8_t **begin, struct line *first)
{
    struct rows *rows = &file->rows;
    struct block *block = &file->block;
    const uint8_t *p = *begin, *end = file->end;
    size_t row = 0, word;
    double last = INFINITY, value;
    int falls = 1;
    struct line line;
    uint64_t breaks; /* those left of a word of the block */
    *first = (struct line){0};
    if (p < block->base || p >= block->base + 64 * block->words)
        look_at(block, p, end);
    word = (size_t)(p - block->base) / 64;
    breaks = block->breaks[word] & ~UINT64_C(0) << ((size_t)(p - block->base) & 63);
    for (const uint8_t *stop; p < end; p = stop + 1) {
        while (!breaks && word + 1 < block->words)
            breaks = block->breaks[++word];
        if (!breaks) {
            /* the next block begins with this line; if the line is longer than a block, there is no break in it */
            look_at(block, p, end);
            for (word = 0; word < block->words && !(breaks = block->breaks[word]); word++)
                continue;
        }
        int kind;
        if (breaks) {
            stop = block->base + 64 * word + __builtin_ctzll(breaks);
            breaks &= breaks - 1;
            kind = file->columns == RUN ? split(block, p, stop, &line, RUN) : split(block, p, stop, &line, JUDGMENTS);
        } else {
            stop = memchr(p, '\n', (size_t)(file->end + 1 - p));
            for (const uint8_t *q = p; q < stop; q++)
                block->high |= (*q & 0x80) | !*q;
            block->words = word = 0;
            kind = split_any(p, stop, &line, file->columns);
        }
        if (kind < 0)
            return NOT_PLAIN;
        if (!kind)
            continue;
        if (first->topic.start == NULL || !is_field(line.topic, first->topic) || !is_field(line.tag, first->tag)) {
            if (*line.topic.start == '#')
                continue; /* a comment of as many words */
            if (first->topic.start)
                break;
            *first = line;
        }
        if (row == rows->room && more_rows(rows))
            return NO_MEMORY;
        /* grades are exact, and those that are longer need not be what they are as floats */
        if (line.document.length > INT32_MAX || (file->columns == JUDGMENTS && line.value.length > EXACT) ||
            read_number(line.value.start, line.value.length, &value) < 0)
            return NOT_PLAIN;
        if (file->options & SINGLE)
            value = (float)value;
        falls &= value < last;
        last = rows->values[row] = value;
        rows->starts[row] = line.document.start - file->data;
        rows->lengths[row] = (int32_t)line.document.length;
        rows->hashes[row] = hash(line.document.start, line.document.length);
        row++;
    }
    rows->falls = falls, rows->count = row;
    *begin = p < end ? p : end;
    return DONE;
}

static inline uint64_t hash_of_group(struct field topic, struct field tag)
{
    return hash(topic.start, topic.length) ^ hash(tag.start, tag.length) * secret[1];
}

/* Find the slot of the group of a topic and a tag, or the one that it would have. */
static size_t slot_of_group(const struct file *file, struct field topic, struct field tag)
{
    size_t mask = file->slot_count - 1, at = hash_of_group(topic, tag) & mask;
    for (; file->slots[at]; at = (at + 1) & mask) {
        const struct group *each = &file->out->groups[file->slots[at] - 1];
        if (is_field(topic, (struct field){file->data + each->start, (size_t)each->length}) &&
            is_field(tag, (struct field){file->data + each->tag_start, (size_t)each->tag_length}))
            break;
    }
    return at;
}

/* Find the group of a line, or add it. */
static enum status find_group(struct file *file, const struct line *line, size_t *found)
{
    struct output *out = file->out;
    if (2 * (size_t)(out->group_count + 1) > file->slot_count) {
        file->slot_count = file->slot_count ? 2 * file->slot_count : 256;
        if (grow(&file->slots, file->slot_count * sizeof *file->slots))
            return NO_MEMORY;
        memset(file->slots, 0, file->slot_count * sizeof *file->slots);
        for (size_t g = 0; g < (size_t)out->group_count; g++) {
            const struct group *each = &out->groups[g];
            struct field topic = {file->data + each->start, (size_t)each->length};
            struct field tag = {file->data + each->tag_start, (size_t)each->tag_length};
            file->slots[slot_of_group(file, topic, tag)] = (uint32_t)g + 1;
        }
    }
    struct field topic = line->topic, tag = line->tag;
    uint32_t *slot = &file->slots[slot_of_group(file, topic, tag)];
    size_t place;
    if (!*slot) {
        struct group *group = &out->groups[out->group_count];
        *group = (struct group){.topic = -1, .start = topic.start - file->data, .length = (int64_t)topic.length};
        const struct group *before = group - (out->group_count > 0);
        int same = is_field(tag, (struct field){file->data + before->tag_start, (size_t)before->tag_length});
        group->tag_start = same ? before->tag_start : tag.start - file->data, group->tag_length = (int64_t)tag.length;
        if (file->index) {
            int64_t topics = file->index->topics;
            const struct entry *entries = file->index->entries + file->index->bounds[topics] + topics;
            uint64_t own = hash(topic.start, topic.length);
            group->topic = entries[find_entry(file->index, topics, topic.start, topic.length, own, &place)].code;
        }
        *slot = (uint32_t)++out->group_count;
    }
    *found = *slot - 1;
    return DONE;
}

/* Read a file of so many columns; PAD bytes behind it are overwritten. Where the status is not DONE nothing else holds. */
EXPORTED int read_rows(uint8_t *data, size_t size, int columns, const struct index *index, struct output *out, int options)
{
    struct file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return NO_MEMORY;
    file->data = file->rows.data = data, file->end = data + size, file->index = index, file->out = out;
    file->columns = columns, file->options = options;
    memset(data + size, '\n', PAD);
    out->rows = out->group_count = 0;
    enum status status = DONE;
    for (const uint8_t *p = data; p < file->end && status == DONE;) {
        struct line first;
        size_t group, before = (size_t)out->group_count, at = (size_t)out->rows;
        status = read_stretch(file, &p, &first);
        if (status != DONE || first.topic.start == NULL) /* or comments alone */
            break;
        status = find_group(file, &first, &group);
        if (status == DONE && out->owners) {
            for (size_t i = 0; i < file->rows.count; i++)
                out->owners[at + i] = (int32_t)group;
            put(&file->rows, out, at, 0);
            out->rows += (int64_t)file->rows.count;
        } else if (status == DONE)
            status = group < before ? SCATTERED : finish(&file->rows, index, out, &out->groups[group], options);
    }
    out->beyond_ascii = file->block.high != 0;
    free_rows(&file->rows), free(file->slots), free(file);
    return status;
}
