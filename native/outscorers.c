/* Comparing the rows of a table with each other. */

#include "outscorers.h"

void lower_once(const int32_t *levels, const int32_t *order, int64_t rows, int64_t columns, int64_t *every,
                int64_t *alone)
{
    for (int64_t row = 0; row < rows; row++) {
        const int32_t *mine = levels + row * columns, *first = order + row * columns;
        int64_t open = 0; /* where a row is at the minimum nobody is lower */
        while (open < columns && mine[first[open]] != 0)
            open++;
        for (int64_t other = 0; other < rows; other++) {
            const int32_t *theirs = levels + other * columns;
            int64_t lower = 0, failed = 0;
            for (int64_t place = 0; place < open && failed < 2; place++)
                if (theirs[first[place]] < mine[first[place]]) {
                    failed++;
                    lower = first[place];
                }
            if (failed < 2) {
                int64_t *counter = failed == 0 ? every + row : alone + row * columns + lower;
                *counter = (int64_t)((uint64_t)*counter + 1);
            }
        }
    }
}
