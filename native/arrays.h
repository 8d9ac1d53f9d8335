/* Arrays of numpy, by the buffer protocol: what a function is given is checked here, once, before any loop runs. */

#ifndef MEASURAND_ARRAYS_H
#define MEASURAND_ARRAYS_H

#include <Python.h>
#include <stdint.h>

/* The kinds of numbers that loops work on. */
enum kind { BYTES, INT32, INT64, UINT64, FLOAT32, FLOAT64, BOOL };

/* A contiguous array: `data` holds `size` numbers in `dimensions` dimensions of `shape`. */
struct array {
    Py_buffer view;
    void *data;
    Py_ssize_t size;
    int dimensions;
    Py_ssize_t shape[3];
};

/* Take an argument as an array of a kind; on failure set a TypeError that names it, and return -1. */
int take_array(PyObject *argument, const char *name, enum kind kind, int dimensions, int writable, struct array *array);

/* Check that an array that is written has no byte in common with another, for what was checked must not be written over;
   if it has, set a ValueError that names both, and return -1. Arrays that were not taken are zero, and have no bytes. */
int check_apart(const struct array *written, const char *name, const struct array *other, const char *other_name);

/* Let go of arrays that were taken; those that were not are zero. */
void drop_arrays(struct array *arrays, int count);

/* The functions of the module, by the file that has them; each list ends with an empty entry. */
extern PyMethodDef reader_methods[];
extern PyMethodDef interval_methods[];

#endif
