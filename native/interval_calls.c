/* The loops of interval scales: what Python calls, and the checks of its arguments. */

#include "arrays.h"

PyMethodDef interval_methods[] = {
    {NULL, NULL, 0, NULL},
};
