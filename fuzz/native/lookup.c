/* Looking up names and ranking rows: slots against a look at all names, the order against a plain one. */

#include "../../native/reader.h"
#include "fuzz.h"

#include <string.h>

/* Names, of which some come twice; hashes are spoilt now and then, so that different names have the same. */
static struct names draw_names(struct draw *draw, size_t most, unsigned spoilt)
{
    size_t count = some_length(draw, most), room = 0;
    uint8_t *data = room_for(64 * count);
    int64_t *starts = room_for(count * sizeof *starts);
    int32_t *lengths = room_for(count * sizeof *lengths);
    uint64_t *hashes = room_for(count * sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        starts[i] = (int64_t)room;
        lengths[i] = one_in(draw, 100) ? 0 : (int32_t)draw_name(draw, data + room, 64);
        room += (size_t)lengths[i];
    }
    struct names names = {copy_of(data, room), room, starts, lengths, hashes, count};
    hash_names(names, hashes);
    for (size_t i = 0; i < count; i++) {
        static const uint64_t masks[] = {UINT64_MAX, 3, UINT64_C(0xFFFFFFFF00000000), 0, UINT64_C(0x300000001)};
        hashes[i] &= masks[spoilt % 5];
    }
    return names;
}

static int is_same(struct names one, size_t i, struct names other, size_t j)
{
    return one.lengths[i] == other.lengths[j] &&
           (one.lengths[i] == 0 || !memcmp(one.data + one.starts[i], other.data + other.starts[j], (size_t)one.lengths[i]));
}

/* Return the first name that stood there before, or -1. */
static int64_t first_twice(struct names names, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        for (size_t j = first; j < i; j++)
            if (is_same(names, i, names, j))
                return (int64_t)i;
    return -1;
}

static void check_cells(struct draw *draw, struct names known, size_t base, size_t stop, const uint64_t *slots, size_t count,
                        unsigned spoilt, int trusted)
{
    struct names wanted = draw_names(draw, 80, spoilt);
    size_t size = one_in(draw, 2) ? 1 : 1 + below(draw, 9), first = below(draw, wanted.count + 1);
    size_t last = first + below(draw, wanted.count - first + 1);
    uint8_t *cells = room_for(known.count * size), *missing = room_for(size), *found = room_for((last - first) * size);
    for (size_t i = 0; i < known.count * size; i++)
        cells[i] = (uint8_t)bits(draw);
    memset(missing, 0x5A, size);
    find_cells(wanted, first, last, known, base, slots, count, cells, size, missing, found);
    if (!trusted)
        return;
    for (size_t i = first; i < last; i++) {
        const uint8_t *cell = missing;
        for (size_t j = base; j < stop && cell == missing; j++)
            if (is_same(wanted, i, known, j))
                cell = cells + j * size;
        SAME(!memcmp(found + (i - first) * size, cell, size));
    }
}

/* How many different names there are, and whether names are the same as others. */
static void check_counts(struct draw *draw, struct names names, unsigned spoilt)
{
    size_t count = slots_for(names.count), different = 0;
    for (size_t i = 0; i < names.count; i++) {
        size_t j = 0;
        while (!is_same(names, i, names, j))
            j++;
        different += j == i;
    }
    SAME(count_different(names, room_for(count * sizeof(uint64_t)), count) == different);
    struct names other = names;
    other.data = copy_of(names.data, names.length);
    SAME(are_same(names, other));
    other = draw_names(draw, 9, spoilt);
    size_t least = other.count < names.count ? other.count : names.count;
    int same = 1;
    other.count = names.count = least;
    for (size_t i = 0; i < least; i++)
        same &= is_same(names, i, other, i);
    SAME(are_same(names, other) == same);
}

void try_lookup(struct draw *draw)
{
    unsigned spoilt = one_in(draw, 2) ? 0 : (unsigned)below(draw, 5);
    struct names names = draw_names(draw, 120, spoilt);
    check_counts(draw, names, spoilt);
    size_t first = below(draw, names.count + 1), last = first + below(draw, names.count - first + 1);
    if (first_twice(names, first, last) >= 0 && one_in(draw, 2)) { /* more cases without repeats */
        while (first_twice(names, first, last) >= 0)
            last--;
    }
    size_t count = slots_for(last - first);
    SAME(count >= 2 * (last - first) && (count & (count - 1)) == 0);
    uint64_t *slots = room_for(count * sizeof *slots);
    int64_t twice = fill_slots(names, first, last, slots, count);
    SAME(twice == first_twice(names, first, last));
    if (one_in(draw, 10)) /* slots that nobody filled: wrong answers are fine, a step outside is not */
        for (size_t i = 0; i < count; i++)
            slots[i] = one_in(draw, 2) ? bits(draw) : below(draw, 4 * names.count + 4);
    else if (twice < 0) {
        check_cells(draw, names, first, last, slots, count, spoilt, 1);
        return;
    }
    check_cells(draw, names, below(draw, names.count + 9), last, slots, count, spoilt, 0);
}

static int is_before(struct names names, const double *scores, size_t one, size_t other)
{
    if (scores[one] != scores[other])
        return scores[one] > scores[other];
    size_t mine = (size_t)names.lengths[one], theirs = (size_t)names.lengths[other], least = mine < theirs ? mine : theirs;
    const uint8_t *p = names.data + names.starts[one], *q = names.data + names.starts[other];
    for (size_t i = 0; i < least; i++)
        if (p[i] != q[i])
            return p[i] > q[i];
    return mine > theirs;
}

void try_ranking(struct draw *draw)
{
    struct names names = draw_names(draw, 300, 0);
    size_t first = below(draw, names.count + 1), last = first + below(draw, names.count - first + 1), count = last - first;
    double *scores = room_for(names.count * sizeof *scores);
    size_t values = 1 + below(draw, one_in(draw, 2) ? 1000 : 5);
    int falling = one_in(draw, 3);
    for (size_t i = 0; i < names.count; i++)
        scores[i] = falling ? -(double)(i / values) : (double)below(draw, values) - 2;
    int64_t *order = room_for(count * sizeof *order), *spare = room_for(count * sizeof *spare);
    uint8_t *tied = room_for(count);
    int sorted = rank_rows(names, scores, first, last, order, tied, spare), identical = 1, repeated = 0;
    uint8_t *seen = room_for(names.count);
    memset(seen, 0, names.count);
    for (size_t i = 0; i < count; i++) {
        SAME(order[i] >= (int64_t)first && order[i] < (int64_t)last && !seen[order[i]]++);
        identical &= order[i] == (int64_t)(first + i);
        if (i) {
            size_t before = (size_t)order[i - 1], row = (size_t)order[i];
            SAME(!is_before(names, scores, row, before));
            repeated |= !is_before(names, scores, before, row);
            SAME(tied[i] == (scores[row] == scores[before]));
        } else {
            SAME(tied[0] == 0);
        }
    }
    SAME(repeated || sorted == identical);
}
