/* Lines of files as rows, and rows as ranks and grades: plain C on pointers and lengths.

   Nothing here allocates, and nothing reads or writes beyond the lengths that it is given. */

#ifndef MEASURAND_READER_H
#define MEASURAND_READER_H

#include <stddef.h>
#include <stdint.h>

/* What a column of a line is. */
enum role { SKIPPED = 's', TOPIC = 't', DOCUMENT = 'd', SCORE = 'v', GRADE = 'g', TAG = 'r' };

/* The names of documents: a buffer, and where each name begins and how long it is. */
struct names {
    const uint8_t *data;
    size_t length; /* of the buffer */
    const int64_t *starts;
    const int32_t *lengths;
    const uint64_t *hashes;
    size_t count;
};

/* From `row` on lines name the same topic, or run; the name begins at `start` of the text. */
struct span {
    int64_t row, start, length;
};

/* Reads a number that is not read here, such as one of fifty digits; returns 0, or -1 if it is none. */
typedef int (*read_number)(const uint8_t *text, size_t length, double *number);

/* What a file is made of. */
struct layout {
    const uint8_t *roles; /* a role for every column */
    size_t columns;
    uint8_t separator; /* between columns; 0 for any white space */
    read_number otherwise;
};

/* Where rows are written, one for every line that holds something, and how many there are. There is room for `room` rows,
   for `span_room` topics and as many tags, and for `text_room` bytes of text, which holds the names. */
struct rows {
    int64_t *starts;
    int32_t *lengths;
    uint64_t *hashes;
    double *values;
    struct span *topics, *tags;
    uint8_t *text;
    size_t room, span_room, text_room;
    size_t count, topic_count, tag_count, text_count;
};

/* What came of reading lines: all were read, the arrays are full, or a line is not as the layout has it. */
enum outcome { READ, FULL, IRREGULAR };

/* Read lines, and add them to rows; `consumed` becomes the number of bytes that are done with. A line at the end
   without a line break is left for later, unless it is the last. */
enum outcome read_rows(const uint8_t *data, size_t length, int is_last, const struct layout *layout, struct rows *rows,
                       size_t *consumed);

/* Hash names; equal names have equal hashes. Returns 0, or -1 if a name is not within the buffer. */
int hash_names(struct names names, uint64_t *hashes);

/* Return how many slots there are for looking up so many names by their hashes: a power of 2, twice as many or more. */
size_t slots_for(size_t names);

/* Fill slots with the names from `first` to `last`; returns the place of one that stands there twice, or -1. */
int64_t fill_slots(struct names names, size_t first, size_t last, uint64_t *slots, size_t count);

/* Return how many different names there are; the slots are as many as `slots_for` says, and are overwritten. */
size_t count_different(struct names names, uint64_t *slots, size_t count);

/* Write for the names from `first` to `last` the cells that names have by slots, and `missing` for others. The names in
   the slots begin at `base` among those that are known; a cell has `size` bytes. */
void find_cells(struct names wanted, size_t first, size_t last, struct names known, size_t base, const uint64_t *slots,
                size_t count, const uint8_t *cells, size_t size, const uint8_t *missing, uint8_t *found);

/* Write the rows from `first` to `last` best first: by score, and equal scores by name, last first. `tied` says which
   have the score of the one before; `spare` has room for as many rows. Returns whether the rows stand so already. */
int rank_rows(struct names names, const double *scores, size_t first, size_t last, int64_t *order, uint8_t *tied,
              int64_t *spare);

/* Return whether names are the same, each as the other at its place; there are as many of both. */
int are_same(struct names one, struct names other);

/* Return whether all names are within their buffer. */
int are_within(struct names names);

#endif
