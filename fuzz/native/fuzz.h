/* Fuzzing of the plain C under native/: what every target has.

   A target is a function that tries one case. All that a case does follows from its random numbers, and these from the
   seed and the number of the case; so any case can be tried again. Memory comes from `room_for`, which is exactly as large
   as asked, so that AddressSanitizer sees a byte too many. */

#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Random numbers of a case. */
struct draw {
    uint64_t state;
};

/* Return 64 random bits. */
uint64_t bits(struct draw *draw);

/* Return a whole number below another, or 0 where that is 0. */
size_t below(struct draw *draw, size_t limit);

/* Return whether a chance of one in so many came true. */
int one_in(struct draw *draw, size_t many);

/* Return a length: mostly small, now and then up to the longest. */
size_t some_length(struct draw *draw, size_t longest);

/* Return memory of so many bytes, filled with bytes that are no answer; all of it is given back after the case. */
void *room_for(size_t bytes);

/* Return a copy of some memory, exactly as large. */
void *copy_of(const void *memory, size_t bytes);

/* Have a text kept with a failure, so that it can be looked at; it must live as long as the case. */
void show_text(const uint8_t *text, size_t length);

/* Note that an answer is not the one expected; the case goes on. */
void differ(const char *file, int line, const char *what);

#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            differ(__FILE__, __LINE__, #condition);                                                                    \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

/* A text being written. */
struct text {
    uint8_t *data;
    size_t length, room;
};

/* What a file has in its columns: roles as native/reader.h has them, and what parts columns (0: white space). */
struct shape {
    const char *roles;
    uint8_t separator;
};

/* Draw a file of some shape, as a rule almost right; the text is exactly as large as its length. */
struct text draw_file(struct draw *draw, const struct shape *shape);

/* Draw a name such as documents and topics have: from a few, so that names come again. */
size_t draw_name(struct draw *draw, uint8_t *name, size_t longest);

/* The targets, each in a file of its name. */
void try_reader(struct draw *draw);
void try_truncations(struct draw *draw);
void try_lookup(struct draw *draw);
void try_ranking(struct draw *draw);

#endif
