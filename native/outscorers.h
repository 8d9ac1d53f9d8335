/* Comparing the rows of a table with each other, on pointers and lengths. */

#ifndef MEASURAND_OUTSCORERS_H
#define MEASURAND_OUTSCORERS_H

#include <stdint.h>

/* `levels` and `order` are rows x columns; what stands in the order is a column. */
void lower_once(const int32_t *levels, const int32_t *order, int64_t rows, int64_t columns, int64_t *every,
                int64_t *alone);

#endif
