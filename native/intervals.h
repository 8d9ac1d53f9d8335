/* The loops of interval scales, on pointers and lengths.

   What each of them computes is defined by the function of Python that has its name (measurand.intervals and
   measurand.papers.fff2021). None of them reads or writes beyond the lengths that it is given, whatever the numbers in
   its arrays are, as long as what its comment demands is so; interval_calls.c checks that. Whole numbers wrap around. */

#ifndef MEASURAND_INTERVALS_H
#define MEASURAND_INTERVALS_H

#include <stdint.h>

/* Windows, from lows to highs, both ends included; what is found inside: how many pairs, and the first `room` of them. */
struct windows {
    int64_t count;
    const int64_t *lows;
    const int64_t *highs;
    int64_t *inside; /* 0 to 2**62 at the start */
    int64_t *found;  /* count x room x 2 */
    int64_t room;
};

/* Where the numbers of each cell begin: cells + 1 starts of 32 bits, or of 64 where they are wide. */
struct index {
    void *starts;
    int wide;
    int64_t cells;
    int width; /* 0 to 63 */
};

/* Ascending numbers, of which each is as heavy as the step between two totals; NULL where each counts once. */
struct table {
    const int64_t *numbers;
    int64_t size;
    struct index index;
    const int64_t *totals; /* size + 1 */
};

/* The numbers that are looked up: those from firsts to lasts, 0 to the size, in each window; their weights or NULL. */
struct looped {
    const int64_t *numbers;
    int64_t size;
    const int64_t *weights;
    const int64_t *firsts;
    int64_t *lasts;
};

/* `sums` has one number for each window, or four where there are weights. `piece` is 1 or more. */
void look_up_sums(const struct looped *looped, const struct table *table, const struct windows *windows, int64_t *sums,
                  int64_t piece, int64_t before, int64_t ceiling);

/* The tops from first to last, which are among them. */
void sweep_sums(const int64_t *tops, int64_t first, int64_t last, const int64_t *tails, int64_t size,
                const struct windows *windows, int64_t *below);

/* `other` is not longer than `one`; `merged` is as long as both. */
void merge_sums(const int64_t *one, int64_t length, const int64_t *other, int64_t shorter, int64_t offset,
                int64_t *merged);

/* Sizes of 2**31 and more need wide starts. */
void index_sums(const int64_t *sums, int64_t size, const struct index *index);

/* `starts` has blocks + 1 places among the cells, ascending; cells are 0 or more. */
void add_blocks(double *table, int64_t length, const int64_t *cells, const int64_t *starts, int64_t blocks);

/* What a descent starts from: below is levels + 1 rows of states; moves are states x digits, each below states. */
struct descent {
    int64_t levels;
    const int64_t *weights; /* levels */
    const int64_t *tails;   /* levels + 1, or more */
    int64_t digits;
    const int64_t *gains; /* digits */
    int64_t states;
    const int64_t *moves;
    int64_t slack;
    int64_t room;      /* 1 or more */
    int64_t *residues; /* 2 x room */
    int64_t *reached;  /* 2 x room */
    int64_t *below;
};

struct descended {
    int64_t level, left, side;
};

/* `start` is one of the states. */
struct descended descend(const struct descent *descent, int64_t value, int64_t start);

enum { LANES = 128 };

/* The pairs of blocks: `starts` has blocks + 1 places among the pairs, ascending. */
struct pairs {
    int64_t blocks;
    const int64_t *starts;
    const float *tops; /* blocks */
    const double *steps;
    const float *ramps; /* pairs x LANES */
    const float *shares;
};

void squared_sizes(float *squares, int64_t count, int64_t first, const struct pairs *pairs, int32_t enough);

/* `moves` and `shares` are states x digits, moves below states; offsets are 0 or more; above and below are 1 or more, and
   their products with the columns stay below 2**62. Return -1 where memory is missing. */
int refine(const double *old, double *new, int64_t states, int64_t columns, const int64_t *moves, const double *shares,
           const int64_t *offsets, int64_t digits, int64_t above, int64_t below, int upwards);

/* Tables by rank and number of relevant documents, side x side with side = depth + 1; 0 <= cut <= depth. */
struct fibres {
    int64_t depth, cut;
    const double *least, *most;
    const int64_t *takes;
    const int64_t *checks; /* depth, each 1 or more */
    int64_t unknown, steps;
    int64_t numbers;       /* of relevant documents that the keys are for */
    const int64_t *starts; /* numbers + 1 places among the keys, ascending */
    const int64_t *keys;
    const int64_t *run_counts;
};

/* `open_ways` is count x side x side. Return -1 where memory is missing. */
int count_fibres(const struct fibres *fibres, int64_t count, const double *rests, const int64_t *remainders,
                 const uint8_t *open_ways, int64_t *counts);

/* Rows: a first number and where its second ones end. Return how many sums there are. */
int64_t fill_bucket(const int64_t *firsts, const int64_t *ends, int64_t rows, const int64_t *seconds, int64_t size,
                    int64_t low, int64_t high, const int64_t *places, int64_t *after, int64_t *found, int64_t room);

/* Return -1 where memory is missing. */
int sort_numbers(int64_t *numbers, int64_t size);

/* Beginnings of runs to rank `first`, and what the ranks from there to `depth`, at most 30, can add: `terms` and `rest`
   have as many rows as ranks need, of `columns` numbers; counts, with a rank more each, stay among them. */
struct beginnings {
    int64_t count;
    const double *sums;
    const int64_t *counts;
    int64_t first, depth;
    const double *terms; /* depth + 1 rows */
    const double *rest;  /* depth + 2 rows */
    int64_t columns;
};

/* Return -1 where memory is missing. */
int count_in_steps(const struct beginnings *beginnings, double steps, int64_t *found, int64_t size);

/* Return how many were written, or -1 where memory is missing. */
int64_t fill_block(const struct beginnings *beginnings, double low, double high, double *held, int64_t size);

int64_t rank_sums(const double *held, int64_t size, const double *asked, int64_t count, int64_t *ranks, int64_t *below,
                  int64_t *tied);

#endif
