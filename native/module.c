/* The extension module measurand._native: its functions, and how they take arrays.

   What the functions do is written in plain C without Python in reader.c and intervals.c, on pointers and lengths.
   reader_calls.c and interval_calls.c check the arguments, let go of the interpreter's lock, and call these. */

#include "arrays.h"

static const struct {
    char code[4]; /* of the struct module; numpy says l or q for 64 bits, as the platform has it */
    Py_ssize_t size;
} kinds[] = {
    [BYTES] = {"Bbc", 1}, [INT32] = {"il", 4},  [INT64] = {"lq", 8},
    [UINT64] = {"LQ", 8}, [FLOAT32] = {"f", 4}, [FLOAT64] = {"d", 8}, [BOOL] = {"?", 1},
};

/* Whether a code of the struct module is that of the machine's own order of bytes; none says so as well. */
static int is_own_order(char code)
{
    return code == '=' || code == '@' || code == (PY_LITTLE_ENDIAN ? '<' : '>');
}

static int is_kind(const Py_buffer *view, enum kind kind)
{
    const char *code = view->format == NULL ? "B" : view->format;
    code += is_own_order(*code);
    if (code[0] == '\0' || code[1] != '\0' || view->itemsize != kinds[kind].size)
        return 0;
    for (const char *known = kinds[kind].code; *known; known++)
        if (*known == *code)
            return 1;
    return 0;
}

int take_array(PyObject *argument, const char *name, enum kind kind, int dimensions, int writable, struct array *array)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(argument, &array->view, flags) < 0) {
        array->view.obj = NULL;
        return -1;
    }
    if (!is_kind(&array->view, kind) || array->view.ndim != dimensions || dimensions > 3 ||
        (uintptr_t)array->view.buf % (uintptr_t)kinds[kind].size != 0) {
        PyErr_Format(PyExc_TypeError, "%s must be an array of %d dimensions, aligned, of numbers of the code %s", name,
                     dimensions, kinds[kind].code);
        PyBuffer_Release(&array->view);
        array->view.obj = NULL;
        return -1;
    }
    array->data = array->view.buf;
    array->size = array->view.len / array->view.itemsize;
    array->dimensions = dimensions;
    for (int axis = 0; axis < dimensions; axis++)
        array->shape[axis] = array->view.shape[axis];
    return 0;
}

void drop_arrays(struct array *arrays, int count)
{
    for (int place = 0; place < count; place++)
        if (arrays[place].view.obj != NULL)
            PyBuffer_Release(&arrays[place].view);
}

int check_apart(const struct array *written, const char *name, const struct array *other, const char *other_name)
{
    uintptr_t mine = (uintptr_t)written->view.buf, theirs = (uintptr_t)other->view.buf;
    if (written->view.len == 0 || other->view.len == 0 || mine >= theirs + (uintptr_t)other->view.len ||
        theirs >= mine + (uintptr_t)written->view.len)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s and %s overlap", name, other_name);
    return -1;
}

/* Add functions to the module; none may take the place of another. */
static int add_functions(PyObject *module, PyMethodDef *functions)
{
    for (const PyMethodDef *each = functions; each->ml_name != NULL; each++)
        if (PyObject_HasAttrString(module, each->ml_name)) {
            PyErr_Format(PyExc_SystemError, "measurand._native has two functions %s", each->ml_name);
            return -1;
        }
    return PyModule_AddFunctions(module, functions);
}

static int fill_module(PyObject *module)
{
    return add_functions(module, reader_methods) < 0 ? -1 : add_functions(module, interval_methods);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill_module},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "measurand._native",
    .m_doc = "Loops of measurand in C; measurand.native is the way to them.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
