/* The loops of interval scales. Python's functions of the same names say what they compute, intervals.h what they need. */

#include "intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loops over floats are compiled for processors with wider registers too, and the widest that is there is taken when they
   are called: WIDENED makes a function of one whose name ends in _plainly. All give the same bits. */
#if defined(__GNUC__) && defined(__x86_64__)
#define INLINED static inline __attribute__((always_inline))
#define WIDENED(name, parameters, arguments)                                                                           \
    __attribute__((target("avx512f"))) static void name##_by_16 parameters { name##_plainly arguments; }               \
    __attribute__((target("avx2"))) static void name##_by_8 parameters { name##_plainly arguments; }                   \
    void name parameters                                                                                               \
    {                                                                                                                  \
        if (__builtin_cpu_supports("avx512f"))                                                                         \
            name##_by_16 arguments;                                                                                    \
        else if (__builtin_cpu_supports("avx2"))                                                                       \
            name##_by_8 arguments;                                                                                     \
        else                                                                                                           \
            name##_plainly arguments;                                                                                  \
    }
#else
#define INLINED static inline
#define WIDENED(name, parameters, arguments)                                                                           \
    void name parameters { name##_plainly arguments; }
#endif

/* Sums that wrap around, as numpy's do. */
static inline int64_t plus(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static inline int64_t minus(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one - (uint64_t)other);
}

static inline int64_t times(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one * (uint64_t)other);
}

static inline int64_t at_most(int64_t number, int64_t most)
{
    return number < most ? number : most;
}

static inline int64_t at_least(int64_t number, int64_t least)
{
    return number > least ? number : least;
}

/* ---- meeting in the middle ---- */

/* The first place between two whose number is not below the wanted one. */
static inline int64_t first_not_below(const int64_t *numbers, int64_t left, int64_t right, int64_t wanted)
{
    /* without branches to guess, but for the number of steps */
    for (int64_t length = right - left; length > 0;) {
        int64_t half = length >> 1;
        left += numbers[left + half] < wanted ? length - half : 0;
        length = half;
    }
    return left;
}

static inline int64_t start_of(const struct index *index, int64_t cell, int64_t size)
{
    int64_t start = index->wide ? ((const int64_t *)index->starts)[cell] : ((const int32_t *)index->starts)[cell];
    return at_least(at_most(start, size), 0);
}

static inline int64_t place_in(const struct table *table, int64_t wanted)
{
    if (table->size == 0)
        return 0;
    int64_t cell = minus(wanted, table->numbers[0]) >> table->index.width;
    if (cell < 0)
        return 0;
    if (cell >= table->index.cells)
        return table->size;
    int64_t left = start_of(&table->index, cell, table->size);
    return first_not_below(table->numbers, left, start_of(&table->index, cell + 1, table->size), wanted);
}

/* Note the pairs of a number with those of a table from a place on, up to the most; return how many there are by now. */
static inline int64_t note_pairs(const struct windows *windows, int64_t window, int64_t inside, int64_t number,
                                 const int64_t *table, int64_t size, int64_t place, int64_t most)
{
    for (; place < size && table[place] <= most; place++, inside++)
        if (inside < windows->room) {
            int64_t *pair = windows->found + 2 * (window * windows->room + inside);
            pair[0] = number;
            pair[1] = table[place];
        }
    return inside;
}

/* Products of up to 128 bits, in four pieces of 31. */
static inline void add_product(int64_t *pieces, int64_t weight, int64_t total)
{
    int64_t low = times(weight, total & 0x7FFFFFFF), high = times(weight, total >> 31);
    pieces[0] = plus(pieces[0], low & 0x7FFFFFFF);
    pieces[1] = plus(pieces[1], low >> 31);
    pieces[2] = plus(pieces[2], high & 0x7FFFFFFF);
    pieces[3] = plus(pieces[3], high >> 31);
}

/* Look up what one window wants up to a limit, from the last number down. */
INLINED void look_up_window(const struct looped *looped, const struct table *table, const struct windows *windows,
                            int64_t window, int64_t *sums, int64_t before, int64_t limit, int counted)
{
    int64_t low = windows->lows[window], high = windows->highs[window];
    int64_t first = looped->firsts[window], last = looped->lasts[window], inside = windows->inside[window];
    int64_t below = 0;
    for (; last > first; last--) {
        int64_t number = looped->numbers[last - 1], wanted = minus(low, number);
        if (wanted > limit)
            break;
        int64_t place = place_in(table, wanted);
        if (counted)
            add_product(sums + 4 * window, looped->weights[last - 1], table->totals[place]);
        else
            below = plus(below, plus(before, place));
        inside = note_pairs(windows, window, inside, number, table->numbers, table->size, place, minus(high, number));
    }
    if (!counted)
        sums[window] = plus(sums[window], below);
    looped->lasts[window] = last;
    windows->inside[window] = inside;
}

void look_up_sums(const struct looped *looped, const struct table *table, const struct windows *windows, int64_t *sums,
                  int64_t piece, int64_t before, int64_t ceiling)
{
    /* piece by piece of the table, for all windows, so that what is looked up is still in the processor's cache */
    int64_t end = 0;
    do {
        end = piece < table->size - end ? end + piece : table->size;
        int64_t limit = end < table->size ? at_most(table->numbers[end], ceiling) : ceiling;
        for (int64_t window = 0; window < windows->count; window++)
            if (looped->weights == NULL)
                look_up_window(looped, table, windows, window, sums, before, limit, 0);
            else
                look_up_window(looped, table, windows, window, sums, before, limit, 1);
    } while (end < table->size);
}

void sweep_sums(const int64_t *tops, int64_t first, int64_t last, const int64_t *tails, int64_t size,
                const struct windows *windows, int64_t *below)
{
    for (int64_t window = 0; window < windows->count; window++) {
        int64_t low = windows->lows[window], high = windows->highs[window], total = 0, inside = 0, place = first;
        int64_t left = first < last ? first_not_below(tails, 0, size, minus(low, tops[first])) : 0;
        /* up through the tops and down through the tails, without branches to guess */
        while (place < last && left > 0) {
            int64_t top = tops[place], next = left < size ? left : size - 1;
            int down = tails[left - 1] >= minus(low, top);
            total = plus(total, down ? 0 : left);
            if (!down & (left < size) & (tails[next] <= minus(high, top)))
                inside = note_pairs(windows, window, inside, top, tails, size, left, minus(high, top));
            left -= down;
            place += !down;
        }
        for (; place < last && size > 0 && tails[0] <= minus(high, tops[place]); place++)
            inside = note_pairs(windows, window, inside, tops[place], tails, size, 0, minus(high, tops[place]));
        below[window] = total;
        windows->inside[window] = inside;
    }
}

/* ---- tables of sums ---- */

void merge_sums(const int64_t *one, int64_t length, const int64_t *other, int64_t shorter, int64_t offset,
                int64_t *restrict merged)
{
    int64_t i = 0, j = 0, k = length - 1, m = shorter - 1, first = 0, last = length + shorter - 1;
    /* from both ends at once: two chains of steps that do not wait for each other, without branches to guess */
    while (first < last && j <= m) {
        int64_t low = one[i], low_other = plus(other[j], offset);
        int64_t high = one[k], high_other = plus(other[m], offset);
        int front = low <= low_other, back = high > high_other;
        merged[first++] = front ? low : low_other;
        merged[last--] = back ? high : high_other;
        i += front;
        j += !front;
        k -= back;
        m -= !back;
    }
    while (first <= last) {
        int front = j > m || (i <= k && one[i] <= plus(other[j], offset));
        merged[first++] = front ? one[i] : plus(other[j], offset);
        i += front;
        j += !front;
    }
}

/* The first place of each cell that has numbers, and where there are none that of the next one; no branches to guess. */
#define INDEX_SUMS(type)                                                                                               \
    do {                                                                                                               \
        type *starts = index->starts, next = (type)size;                                                               \
        for (int64_t cell = 0; cell <= cells; cell++)                                                                  \
            starts[cell] = (type)size;                                                                                 \
        for (int64_t place = size - 1; place >= 0 && cells >= 0; place--)                                              \
            starts[at_least(at_most(minus(sums[place], sums[0]) >> width, cells), 0)] = (type)place;                   \
        for (int64_t cell = cells; cell >= 0; cell--)                                                                  \
            starts[cell] = next = starts[cell] < next ? starts[cell] : next;                                           \
    } while (0)

void index_sums(const int64_t *sums, int64_t size, const struct index *index)
{
    int64_t cells = index->cells;
    int width = index->width;
    if (index->wide)
        INDEX_SUMS(int64_t);
    else
        INDEX_SUMS(int32_t);
}

/* ---- counting small sums on a grid ---- */

enum { STRETCH = 2048, SOURCES = 4 };

/* Add sources to as many cells, one after the other; or first to each other, as if to zeros, and then to the cells. */
INLINED void add_sources_plainly(double *restrict cells, const double *const *sources, int count, int64_t length,
                                 int together)
{
    const double *a = sources[0], *b = count > 1 ? sources[1] : a, *c = count > 2 ? sources[2] : a;
    const double *d = count > 3 ? sources[3] : a;
    switch (together ? -count : count) {
    case 4:
        for (int64_t at = 0; at < length; at++)
            cells[at] = (((cells[at] + a[at]) + b[at]) + c[at]) + d[at];
        break;
    case -4:
        for (int64_t at = 0; at < length; at++)
            cells[at] += ((a[at] + b[at]) + c[at]) + d[at];
        break;
    case -3:
        for (int64_t at = 0; at < length; at++)
            cells[at] += (a[at] + b[at]) + c[at];
        break;
    case -2:
        for (int64_t at = 0; at < length; at++)
            cells[at] += a[at] + b[at];
        break;
    default: /* one by one */
        for (int place = 0; place < count; place++)
            for (int64_t at = 0; at < length; at++)
                cells[at] += sources[place][at];
    }
}

WIDENED(add_sources, (double *cells, const double *const *sources, int count, int64_t length, int together),
        (cells, sources, count, length, together))

/* Add to the cells from first to last what a block adds to them, in the order of its shifts. */
static void add_shifted(const double *table, int64_t first, int64_t last, const int64_t *shifts, int64_t count,
                        double *fresh)
{
    int64_t number = 0;
    while (number < count && shifts[number] < last) {
        const double *sources[SOURCES] = {table};
        int together = 0;
        /* those that reach all of the cells, several at a time */
        while (together < SOURCES && number < count && shifts[number] <= first)
            sources[together++] = table + (first - shifts[number++]);
        if (together > 0) {
            add_sources(fresh, sources, together, last - first, 0);
            continue;
        }
        /* one that reaches the cells from its shift on */
        add_sources(fresh + (shifts[number] - first), sources, 1, last - shifts[number], 0);
        number++;
    }
}

/* Add a block to the cells from first to last where it has few shifts, none of them reaching into these cells. */
static int add_few(double *table, int64_t first, int64_t last, const int64_t *shifts, int64_t count)
{
    const double *sources[SOURCES];
    if (count < 1 || count > SOURCES)
        return 0;
    for (int number = 0; number < count; number++) {
        if (shifts[number] > first || shifts[number] < last - first)
            return 0;
        sources[number] = table + (first - shifts[number]);
    }
    add_sources(table + first, sources, (int)count, last - first, 1);
    return 1;
}

void add_blocks(double *table, int64_t length, const int64_t *cells, const int64_t *starts, int64_t blocks)
{
    double fresh[STRETCH];
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t *shifts = cells + starts[block], count = starts[block + 1] - starts[block];
        /* from the top, so that what is added has not been changed yet */
        for (int64_t last = length; last > 0; last -= STRETCH) {
            int64_t first = at_least(last - STRETCH, 0);
            const double *whole = fresh;
            if (add_few(table, first, last, shifts, count))
                continue;
            memset(fresh, 0, (size_t)(last - first) * sizeof *fresh);
            add_shifted(table, first, last, shifts, count, fresh);
            add_sources(table + first, &whole, 1, last - first, 0);
        }
    }
}

/* ---- following a value rank by rank ---- */

struct descended descend(const struct descent *given, int64_t value, int64_t start)
{
    int64_t left = 1, room = given->room;
    given->residues[0] = value;
    given->reached[0] = start;
    for (int64_t level = 0; level < given->levels; level++) {
        const int64_t *residues = given->residues + level % 2 * room, *reached = given->reached + level % 2 * room;
        int64_t *rests = given->residues + (level + 1) % 2 * room, *ends = given->reached + (level + 1) % 2 * room;
        int64_t *below = given->below + (level + 1) * given->states, kept = 0, weight = given->weights[level];
        int64_t enough = plus(given->tails[level + 1], given->slack);
        for (int64_t place = 0; place < left; place++) {
            const int64_t *moves = given->moves + reached[place] * given->digits;
            for (int64_t digit = 0; digit < given->digits; digit++) {
                int64_t rest = minus(residues[place], times(given->gains[digit], weight)), to = moves[digit];
                if (rest < minus(0, given->slack))
                    break;
                if (to < 0)
                    continue;
                if (rest >= enough)
                    below[to] = plus(below[to], 1);
                else if (kept == room) {
                    memset(below, 0, (size_t)given->states * sizeof *below);
                    return (struct descended){level, left, level % 2};
                } else {
                    rests[kept] = rest;
                    ends[kept++] = to;
                }
            }
        }
        left = kept;
    }
    return (struct descended){given->levels, left, given->levels % 2};
}

/* ---- sizes of a characteristic function ---- */

/* The share of a pair, times a squared sine's lower bound at so many half turns, from 0 to 2. */
INLINED float share_at(float x, float share)
{
    x -= x >= 1.0f ? 1.0f : 0.0f;
    float y = x * (1.0f - x);
    float sine = 3.1415925f * y * (1.0f + y * (1.0f + 0.35506f * y));
    return share * sine * sine;
}

INLINED float not_negligible(float product)
{
    return product > 1e-30f ? product : 1e-30f; /* smaller floats soon become slow ones */
}

/* Multiply the products of all lanes by what the pairs of a block leave of its top. */
INLINED void take_block(float *restrict product, const struct pairs *pairs, int64_t block, int64_t frequency)
{
    float squared[LANES], top = pairs->tops[block];
    int64_t first = pairs->starts[block], last = pairs->starts[block + 1] - 1;
    for (int64_t pair = first; pair <= last; pair++) {
        double turns = (double)frequency * pairs->steps[pair];
        float turn = (float)(turns - floor(turns)), share = pairs->shares[pair];
        const float *ramp = pairs->ramps + pair * LANES;
        if (first == last)
            for (int64_t lane = 0; lane < LANES; lane++)
                product[lane] = not_negligible(product[lane] * (top - share_at(turn + ramp[lane], share)));
        else if (pair == first)
            for (int64_t lane = 0; lane < LANES; lane++)
                squared[lane] = top - share_at(turn + ramp[lane], share);
        else if (pair < last)
            for (int64_t lane = 0; lane < LANES; lane++)
                squared[lane] -= share_at(turn + ramp[lane], share);
        else
            for (int64_t lane = 0; lane < LANES; lane++)
                product[lane] = not_negligible(product[lane] * (squared[lane] - share_at(turn + ramp[lane], share)));
    }
    if (last < first)
        for (int64_t lane = 0; lane < LANES; lane++)
            product[lane] = not_negligible(product[lane] * top);
}

/* Whether all floats, which are above 0 and ordered as their bits are, are below one. */
INLINED int all_below(const float *product, int32_t enough)
{
    int32_t ordered[LANES], worst = 0;
    memcpy(ordered, product, sizeof ordered);
    for (int64_t lane = 0; lane < LANES; lane++)
        worst = ordered[lane] > worst ? ordered[lane] : worst;
    return worst < enough;
}

INLINED void squared_sizes_plainly(float *squares, int64_t count, int64_t first, const struct pairs *pairs,
                                   int32_t enough)
{
    float product[LANES];
    for (int64_t begin = 0; begin < count; begin += LANES) {
        for (int64_t lane = 0; lane < LANES; lane++)
            product[lane] = 1.0f;
        for (int64_t block = 0; block < pairs->blocks; block++) {
            take_block(product, pairs, block, plus(first, begin));
            if (block % 16 == 15 && all_below(product, enough))
                break;
        }
        memcpy(squares + begin, product, (size_t)at_most(LANES, count - begin) * sizeof *squares);
    }
}

WIDENED(squared_sizes, (float *squares, int64_t count, int64_t first, const struct pairs *pairs, int32_t enough),
        (squares, count, first, pairs, enough))

/* ---- bounds of geometric values ---- */

int refine(const double *old, double *new, int64_t states, int64_t columns, const int64_t *moves, const double *shares,
           const int64_t *offsets, int64_t digits, int64_t above, int64_t below, int upwards)
{
    /* a column so far beyond the offset takes its value from here on: above columns move below columns */
    int64_t period = at_most(above, columns), round_up = upwards ? above - 1 : 0;
    int64_t reach = upwards ? (columns - 1) * above / below + 1 : (columns * above - 1) / below + 1;
    int64_t *sources = malloc((size_t)at_least(period, 1) * sizeof *sources);
    if (sources == NULL)
        return -1;
    for (int64_t rest = 0; rest < period; rest++)
        sources[rest] = (rest * below + round_up) / above;
    for (int64_t cell = 0; cell < states * digits; cell++) {
        int64_t to = moves[cell], start = offsets[cell % digits];
        if (to < 0)
            continue;
        double share = shares[cell], *row = new + cell / digits * columns;
        const double *before = old + to * columns;
        int64_t place = at_most(start, columns), end = place + at_least(at_most(columns - start, reach), 0);
        for (int64_t from = 0; place < end; from += below) {
            int64_t length = at_most(end - place, period);
            for (int64_t rest = 0; rest < length; rest++)
                row[place + rest] += share * before[from + sources[rest]];
            place += length;
        }
        for (; place < columns; place++)
            row[place] += share;
    }
    free(sources);
    return 0;
}

/* ---- runs that share an average precision ---- */

/* A beginning of runs: its ranks, how many of them are relevant, and what is left of the value and its remainder. */
struct beginning {
    int64_t rank, met;
    double rest;
    int64_t remainder;
};

/* How many runs the table knows for what is left. */
static int64_t runs_in_table(const struct fibres *fibres, const struct beginning *beginning)
{
    double rounded = rint(beginning->rest * (double)fibres->steps);
    if (beginning->met >= fibres->numbers || !(fabs(rounded) < 9e18))
        return 0;
    int64_t key = (int64_t)rounded, end = fibres->starts[beginning->met + 1];
    int64_t place = first_not_below(fibres->keys, fibres->starts[beginning->met], end, key);
    return place < end && fibres->keys[place] == key ? fibres->run_counts[place] : 0;
}

static int64_t count_fibre(const struct fibres *fibres, double rest, int64_t remainder, const uint8_t *open_ways,
                           struct beginning *stack)
{
    int64_t count = 0, height = 0, side = fibres->depth + 1;
    for (int64_t met = 0; met < side; met++)
        stack[height++] = (struct beginning){fibres->depth, met, rest, remainder};
    while (height > 0) {
        struct beginning now = stack[--height];
        if (now.rank == fibres->cut) {
            count = plus(count, runs_in_table(fibres, &now));
            continue;
        }
        struct beginning next = {now.rank - 1, now.met, now.rest, now.remainder};
        for (int relevant = 0; relevant < (now.met > 0 ? 2 : 1); relevant++) {
            if (relevant) {
                next.rest -= (double)now.met / (double)now.rank;
                next.remainder = minus(next.remainder, fibres->takes[now.rank * side + now.met]);
                next.remainder = plus(next.remainder, next.remainder < 0 ? fibres->unknown : 0);
                next.met--;
            }
            int64_t at = next.rank * side + next.met, check = fibres->checks[next.rank];
            if (open_ways[at] && fibres->least[at] <= next.rest && next.rest <= fibres->most[at] &&
                (check == 1 || next.remainder % check == 0))
                stack[height++] = next;
        }
    }
    return count;
}

int count_fibres(const struct fibres *fibres, int64_t count, const double *rests, const int64_t *remainders,
                 const uint8_t *open_ways, int64_t *counts)
{
    int64_t side = fibres->depth + 1;
    /* each rank leaves at most one more on the stack than it takes away */
    struct beginning *stack = malloc((size_t)(2 * side) * sizeof *stack);
    if (stack == NULL)
        return -1;
    for (int64_t at = 0; at < count; at++)
        counts[at] = count_fibre(fibres, rests[at], remainders[at], open_ways + at * side * side, stack);
    free(stack);
    return 0;
}

/* ---- different values, bucket by bucket ---- */

/* The first place after one, not beyond another, whose number plus a base is above 0. */
static inline int64_t first_between(const int64_t *numbers, int64_t place, int64_t beyond, int64_t base)
{
    while (beyond - place > 1) {
        int64_t middle = place + (beyond - place) / 2;
        if (plus(numbers[middle], base) <= 0)
            place = middle;
        else
            beyond = middle;
    }
    return beyond;
}

/* The first place between two whose number plus a base is above 0: in steps that double, since it is near the first. */
static inline int64_t first_above(const int64_t *numbers, int64_t place, int64_t end, int64_t base)
{
    if (place >= end || plus(numbers[place], base) > 0)
        return place;
    int64_t step = 1;
    while (step < end - place && plus(numbers[place + step], base) <= 0) {
        place += step;
        step *= 2;
    }
    return first_between(numbers, place, step < end - place ? place + step : end, base);
}

/* The same, in steps that double down from the last, since it is near that. */
static inline int64_t first_above_below(const int64_t *numbers, int64_t place, int64_t end, int64_t base)
{
    if (place >= end || plus(numbers[place], base) > 0)
        return place;
    int64_t step = 1;
    while (step < end - place && plus(numbers[end - step], base) > 0) {
        end -= step;
        step *= 2;
    }
    return first_between(numbers, step < end - place ? end - step : place, end, base);
}

int64_t fill_bucket(const int64_t *firsts, const int64_t *ends, int64_t rows, const int64_t *seconds, int64_t size,
                    int64_t low, int64_t high, const int64_t *places, int64_t *after, int64_t *found, int64_t room)
{
    int64_t sums = 0, span = minus(high, low), begun = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t base = minus(firsts[row], low), end = at_most(ends[row], size), place = at_least(places[row], 0);
        /* a higher number of the same stretch begins no later than the one before it */
        if (row > 0 && ends[row] == ends[row - 1] && firsts[row] >= firsts[row - 1])
            place = first_above_below(seconds, place, at_most(begun, end), base);
        else
            place = first_above(seconds, place, end, base);
        begun = place;
        for (; place < end; place++, sums++) {
            int64_t key = plus(seconds[place], base);
            if (key > span)
                break;
            if (sums < room)
                found[sums] = key;
        }
        after[row] = place;
    }
    return sums;
}

/* ---- sorting by digits ---- */

enum {
    DIGIT = 11,       /* bits of a digit: places to write to are within reach of a cache */
    CACHED = 1 << 15, /* so many numbers are sorted without leaving it */
    FEW = 32,
};

/* Move numbers into the order of a digit; equal ones stay in order. Where each digit ends is in `ends` afterwards. */
static void move_by_digit(const int64_t *numbers, int64_t *moved, int64_t size, int64_t least, int shift, int width,
                          int64_t *ends)
{
    uint64_t mask = ((uint64_t)1 << width) - 1;
    memset(ends, 0, (size_t)(mask + 1) * sizeof *ends);
    for (int64_t at = 0; at < size; at++)
        ends[(uint64_t)minus(numbers[at], least) >> shift & mask]++;
    for (int64_t digit = 0, before = 0; digit <= (int64_t)mask; digit++) {
        int64_t count = ends[digit];
        ends[digit] = before;
        before += count;
    }
    for (int64_t at = 0; at < size; at++)
        moved[ends[(uint64_t)minus(numbers[at], least) >> shift & mask]++] = numbers[at];
}

/* Sort numbers that differ in their lowest bits alone. */
static void sort_by_low_bits(int64_t *numbers, int64_t *spare, int64_t size, int64_t least, int bits, int64_t *ends)
{
    if (size <= FEW) {
        for (int64_t at = 1; at < size; at++) {
            int64_t number = numbers[at], place = at;
            for (; place > 0 && numbers[place - 1] > number; place--)
                numbers[place] = numbers[place - 1];
            numbers[place] = number;
        }
        return;
    }
    int digits = (bits + DIGIT - 1) / DIGIT;
    int64_t *from = numbers, *to = spare;
    for (int digit = 0; digit < digits; digit++) {
        int shift = bits * digit / digits, width = bits * (digit + 1) / digits - shift;
        move_by_digit(from, to, size, least, shift, width, ends);
        int64_t *moved = to;
        to = from;
        from = moved;
    }
    if (from != numbers)
        memcpy(numbers, from, (size_t)size * sizeof *numbers);
}

int sort_numbers(int64_t *numbers, int64_t size)
{
    if (size < 2)
        return 0;
    int64_t ends[1 << DIGIT], top_ends[1 << DIGIT], least = numbers[0], most = numbers[0];
    int64_t *spare = malloc((size_t)size * sizeof *spare);
    if (spare == NULL)
        return -1;
    for (int64_t at = 1; at < size; at++) {
        least = at_most(least, numbers[at]);
        most = at_least(most, numbers[at]);
    }
    int bits = 0;
    for (uint64_t span = (uint64_t)minus(most, least); span > 0; span >>= 1)
        bits++;
    if (size <= CACHED || bits <= DIGIT) {
        sort_by_low_bits(numbers, spare, size, least, bits, ends);
    } else {
        /* numbers of the same highest digit are few enough to be sorted in a cache */
        move_by_digit(numbers, spare, size, least, bits - DIGIT, DIGIT, top_ends);
        memcpy(numbers, spare, (size_t)size * sizeof *numbers);
        for (int64_t digit = 0, begin = 0; digit < 1 << DIGIT; begin = top_ends[digit++])
            sort_by_low_bits(numbers + begin, spare + begin, top_ends[digit] - begin, least, bits - DIGIT, ends);
    }
    free(spare);
    return 0;
}

/* ---- average precision in doubles ---- */

/* Beginnings that are gone through together: their sums, and how many of their documents are relevant. */
struct several {
    double *sums;
    int64_t *counts;
};

static int make_several(const struct beginnings *beginnings, struct several several[2])
{
    int64_t tail = at_least(beginnings->depth - beginnings->first + 1, 0);
    size_t size = (size_t)1 << tail;
    char *memory = malloc(size * 2 * (sizeof(double) + sizeof(int64_t)));
    if (memory == NULL)
        return -1;
    several[0].sums = (double *)memory;
    several[1].sums = several[0].sums + size;
    several[0].counts = (int64_t *)(several[1].sums + size);
    several[1].counts = several[0].counts + size;
    return 0;
}

int count_in_steps(const struct beginnings *beginnings, double steps, int64_t *found, int64_t size)
{
    struct several now, buffers[2];
    if (make_several(beginnings, buffers) < 0)
        return -1;
    for (int64_t begun = 0; begun < beginnings->count; begun++) {
        int64_t held = 1, side = 0;
        now = buffers[0];
        now.sums[0] = beginnings->sums[begun];
        now.counts[0] = beginnings->counts[begun];
        for (int64_t rank = beginnings->first; rank <= beginnings->depth; rank++) {
            struct several then = buffers[side = !side];
            const double *terms = beginnings->terms + rank * beginnings->columns;
            for (int64_t place = 0; place < held; place++) {
                int64_t count = now.counts[place] + 1;
                then.sums[2 * place] = now.sums[place];
                then.counts[2 * place] = now.counts[place];
                then.sums[2 * place + 1] = now.sums[place] + terms[count];
                then.counts[2 * place + 1] = count;
            }
            held *= 2;
            now = then;
        }
        for (int64_t place = 0; place < held; place++) {
            double step = now.sums[place] * steps;
            if (step >= 0 && step < (double)size)
                found[(int64_t)step] = plus(found[(int64_t)step], 1);
        }
    }
    free(buffers[0].sums);
    return 0;
}

int64_t fill_block(const struct beginnings *beginnings, double low, double high, double *held, int64_t size)
{
    struct several now, buffers[2];
    int64_t written = 0;
    if (make_several(beginnings, buffers) < 0)
        return -1;
    for (int64_t begun = 0; begun < beginnings->count; begun++) {
        int64_t left = 1, side = 0;
        now = buffers[0];
        now.sums[0] = beginnings->sums[begun];
        now.counts[0] = beginnings->counts[begun];
        for (int64_t rank = beginnings->first; rank <= beginnings->depth; rank++) {
            struct several then = buffers[side = !side];
            const double *terms = beginnings->terms + rank * beginnings->columns;
            const double *rest = beginnings->rest + (rank + 1) * beginnings->columns;
            int64_t kept = 0;
            for (int64_t place = 0; place < left; place++) {
                int64_t count = now.counts[place];
                double sum = now.sums[place], more = sum + terms[count + 1];
                /* beginnings that cannot come to the block are written over */
                then.sums[kept] = sum;
                then.counts[kept] = count;
                kept += sum + rest[count] >= low;
                then.sums[kept] = more;
                then.counts[kept] = count + 1;
                /* adding more never makes a sum of doubles smaller */
                kept += (more < high) & (more + rest[count + 1] >= low);
            }
            left = kept;
            now = then;
        }
        for (int64_t place = 0; place < left; place++)
            if (low <= now.sums[place] && now.sums[place] < high && written < size)
                held[written++] = now.sums[place];
    }
    free(buffers[0].sums);
    return written;
}

int64_t rank_sums(const double *held, int64_t size, const double *asked, int64_t count, int64_t *ranks, int64_t *below,
                  int64_t *tied)
{
    int64_t different = 0, place = 0;
    for (int64_t index = 0; index < size; index++) {
        different += index == 0 || held[index] != held[index - 1];
        while (place < count && asked[place] < held[index])
            place++;
        if (place < count && asked[place] == held[index]) {
            if (tied[place] == 0) {
                ranks[place] = different;
                below[place] = index;
            }
            tied[place] = plus(tied[place], 1);
        }
    }
    return different;
}
