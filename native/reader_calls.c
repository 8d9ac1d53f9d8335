/* Reading files and looking up grades: what Python calls, and the checks of its arguments. */

#include "arrays.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Arguments ------------------------------------------------------------------------------------------------------ */

/* What arguments are, in their order: a name, a kind, dimensions, and whether they are written. */
struct expected {
    const char *name;
    enum kind kind;
    int dimensions, writable;
};

static int take_all(PyObject *const *args, const struct expected *expected, int count, struct array *arrays)
{
    memset(arrays, 0, (size_t)count * sizeof *arrays);
    for (int i = 0; i < count; i++)
        if (take_array(args[i], expected[i].name, expected[i].kind, expected[i].dimensions, expected[i].writable,
                       &arrays[i]) < 0)
            return -1;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (i != j && expected[i].writable &&
                check_apart(&arrays[i], expected[i].name, &arrays[j], expected[j].name) < 0)
                return -1;
    return 0;
}

static int check_count(Py_ssize_t given, Py_ssize_t wanted)
{
    if (given == wanted)
        return 0;
    PyErr_Format(PyExc_TypeError, "%zd arguments are wanted, not %zd", wanted, given);
    return -1;
}

static PyObject *complain(const char *text)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, text);
    return NULL;
}

/* Names from the arrays of their data, starts, lengths and hashes, all of one length. */
static int names_of(const struct array *arrays, struct names *names)
{
    *names = (struct names){arrays[0].data, (size_t)arrays[0].size, arrays[1].data, arrays[2].data,
                            arrays[3].data, (size_t)arrays[1].size};
    return arrays[1].size == arrays[2].size && arrays[1].size == arrays[3].size ? 0 : -1;
}

/* Whether bounds begin at 0 or later, never fall, and end within so many rows; not so many that slots cannot count. */
static int are_bounds(const struct array *bounds, size_t rows)
{
    const int64_t *bound = bounds->data;
    if (bounds->size < 1 || bound[0] < 0 || (uint64_t)bound[bounds->size - 1] > rows)
        return 0;
    for (Py_ssize_t i = 1; i < bounds->size; i++)
        if (bound[i] < bound[i - 1] || bound[i] - bound[i - 1] >= INT32_MAX)
            return 0;
    return 1;
}

static size_t largest(const struct array *bounds)
{
    const int64_t *bound = bounds->data;
    int64_t most = 0;
    for (Py_ssize_t i = 1; i < bounds->size; i++)
        if (bound[i] - bound[i - 1] > most)
            most = bound[i] - bound[i - 1];
    return (size_t)most;
}

#define NAMES(who)                                                                                                     \
    {who " data", BYTES, 1, 0}, {who " starts", INT64, 1, 0}, {who " lengths", INT32, 1, 0}, { who " hashes", UINT64, 1, 0 }

/* Lines ---------------------------------------------------------------------------------------------------------- */

/* Read a number of many digits as Python does: called without the interpreter's lock. */
static int read_as_python(const uint8_t *text, size_t length, double *number)
{
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return -1;
    memcpy(copy, text, length);
    copy[length] = '\0';
    PyGILState_STATE state = PyGILState_Ensure();
    *number = PyOS_string_to_double(copy, NULL, NULL);
    int failed = PyErr_Occurred() != NULL;
    if (failed)
        PyErr_Clear();
    PyGILState_Release(state);
    free(copy);
    return failed || !(*number - *number == 0) ? -1 : 0; /* infinity less itself is no number */
}

/* Whether columns are a topic, a document, a value and at most one run, and arrays have room for as many rows. */
static int is_layout(const struct array *roles, const struct array *room)
{
    int topics = 0, documents = 0, values = 0, tags = 0;
    const uint8_t *role = roles->data;
    for (Py_ssize_t i = 0; i < roles->size; i++) {
        topics += role[i] == TOPIC;
        documents += role[i] == DOCUMENT;
        values += role[i] == SCORE || role[i] == GRADE;
        tags += role[i] == TAG;
    }
    for (int i = 1; i < 4; i++)
        if (room[i].size != room[0].size)
            return 0;
    return topics == 1 && documents == 1 && values == 1 && tags <= 1 && room[4].shape[0] == room[5].shape[0] &&
           room[4].shape[1] == 3 && room[5].shape[1] == 3;
}

/* Whether counts of rows, topics, runs and bytes are within the arrays, and what they hold so far is within the text. */
static int are_counts(const struct rows *rows)
{
    if (rows->count > rows->room || rows->topic_count > rows->span_room || rows->tag_count > rows->span_room ||
        rows->text_count > rows->text_room)
        return 0;
    const struct span *last[] = {rows->topic_count ? &rows->topics[rows->topic_count - 1] : NULL,
                                 rows->tag_count ? &rows->tags[rows->tag_count - 1] : NULL};
    for (int i = 0; i < 2; i++)
        if (last[i] && (last[i]->start < 0 || last[i]->length < 0 || (uint64_t)last[i]->start > rows->text_count ||
                        (uint64_t)last[i]->length > rows->text_count - (uint64_t)last[i]->start))
            return 0;
    return 1;
}

/* read_rows(data, roles, starts, lengths, hashes, values, topics, tags, text, counts, separator, is_last)

   Adds the lines in data to what the arrays hold; counts says of how many rows, topics, runs and bytes of text that is,
   and is brought up to date. Returns how many bytes are done with and whether the arrays are full, or None if a line is
   not as the roles of its columns have it. */
static PyObject *call_read_rows(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {
        {"data", BYTES, 1, 0},    {"roles", BYTES, 1, 0},    {"starts", INT64, 1, 1}, {"lengths", INT32, 1, 1},
        {"hashes", UINT64, 1, 1}, {"values", FLOAT64, 1, 1}, {"topics", INT64, 2, 1}, {"tags", INT64, 2, 1},
        {"text", BYTES, 1, 1},    {"counts", INT64, 1, 1},
    };
    struct array a[10];
    if (check_count(count, 12) < 0)
        return NULL;
    long separator = PyLong_AsLong(args[10]), is_last = PyLong_AsLong(args[11]);
    if (PyErr_Occurred())
        return NULL;
    PyObject *found = NULL;
    if (take_all(args, expected, 10, a) < 0)
        goto done;
    if (!is_layout(&a[1], &a[2]) || a[9].size != 4 || separator < 0 || separator > 127) {
        complain("columns and arrays do not fit together");
        goto done;
    }
    struct layout layout = {a[1].data, (size_t)a[1].size, (uint8_t)separator, read_as_python};
    int64_t *counts = a[9].data;
    struct rows rows = {a[2].data, a[3].data, a[4].data, a[5].data, a[6].data, a[7].data, a[8].data,
                        (size_t)a[2].size, (size_t)a[6].shape[0], (size_t)a[8].size,
                        (size_t)counts[0], (size_t)counts[1], (size_t)counts[2], (size_t)counts[3]};
    if (!are_counts(&rows)) {
        complain("there are fewer rows than are counted");
        goto done;
    }
    size_t consumed = 0;
    enum outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = read_rows(a[0].data, (size_t)a[0].size, is_last != 0, &layout, &rows, &consumed);
    Py_END_ALLOW_THREADS
    counts[0] = (int64_t)rows.count;
    counts[1] = (int64_t)rows.topic_count;
    counts[2] = (int64_t)rows.tag_count;
    counts[3] = (int64_t)rows.text_count;
    found = outcome == IRREGULAR ? Py_NewRef(Py_None) : Py_BuildValue("ni", (Py_ssize_t)consumed, outcome == FULL);
done:
    drop_arrays(a, 10);
    return found;
}

/* Names ---------------------------------------------------------------------------------------------------------- */

/* hash_names(data, starts, lengths, hashes) */
static PyObject *call_hash_names(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {
        {"data", BYTES, 1, 0}, {"starts", INT64, 1, 0}, {"lengths", INT32, 1, 0}, {"hashes", UINT64, 1, 1}};
    struct array a[4];
    struct names names;
    if (check_count(count, 4) < 0)
        return NULL;
    int failed = take_all(args, expected, 4, a) < 0 || names_of(a, &names) < 0;
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS
        failed = hash_names(names, a[3].data) < 0;
        Py_END_ALLOW_THREADS
    }
    drop_arrays(a, 4);
    return failed ? complain("a name is not within the data, or arrays differ in length") : Py_NewRef(Py_None);
}

/* are_same(four of names, four of names): whether each is the other at its place */
static PyObject *call_are_same(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {NAMES("the"), NAMES("other")};
    struct array a[8];
    struct names one, other;
    if (check_count(count, 8) < 0)
        return NULL;
    int same = 0, failed = take_all(args, expected, 8, a) < 0 || names_of(a, &one) < 0 || names_of(a + 4, &other) < 0;
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS
        failed = !are_within(one) || !are_within(other);
        same = !failed && one.count == other.count && are_same(one, other);
        Py_END_ALLOW_THREADS
    }
    drop_arrays(a, 8);
    return failed ? complain("a name is not within the data, or arrays differ in length") : PyBool_FromLong(same);
}

/* count_different(data, starts, lengths, hashes): how many different names there are */
static PyObject *call_count_different(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {NAMES("the")};
    struct array a[4];
    struct names names;
    if (check_count(count, 4) < 0)
        return NULL;
    size_t different = 0;
    int failed = take_all(args, expected, 4, a) < 0 || names_of(a, &names) < 0 || names.count >= INT32_MAX;
    if (!failed) {
        size_t size = slots_for(names.count);
        uint64_t *slots = malloc(size * sizeof *slots);
        failed = slots == NULL;
        Py_BEGIN_ALLOW_THREADS
        failed = failed || !are_within(names);
        if (!failed)
            different = count_different(names, slots, size);
        Py_END_ALLOW_THREADS
        free(slots);
    }
    drop_arrays(a, 4);
    return failed ? complain("a name is not within the data, or arrays differ in length") : PyLong_FromSize_t(different);
}

/* find_repeat(data, starts, lengths, hashes, bounds): the first row whose name stands twice within bounds, or -1 */
static PyObject *call_find_repeat(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {NAMES("the"), {"bounds", INT64, 1, 0}};
    struct array a[5];
    struct names names;
    if (check_count(count, 5) < 0)
        return NULL;
    int64_t repeat = -1;
    int failed = take_all(args, expected, 5, a) < 0 || names_of(a, &names) < 0 || !are_bounds(&a[4], names.count);
    if (!failed) {
        const int64_t *bound = a[4].data;
        uint64_t *slots = malloc(slots_for(largest(&a[4])) * sizeof *slots);
        failed = slots == NULL;
        Py_BEGIN_ALLOW_THREADS
        failed = failed || !are_within(names);
        for (Py_ssize_t i = 1; !failed && repeat < 0 && i < a[4].size; i++)
            repeat = fill_slots(names, (size_t)bound[i - 1], (size_t)bound[i], slots,
                                slots_for((size_t)(bound[i] - bound[i - 1])));
        Py_END_ALLOW_THREADS
        free(slots);
    }
    drop_arrays(a, 5);
    return failed ? complain("names or bounds are not within their arrays") : PyLong_FromLongLong(repeat);
}

/* Whether every group of names has slots of its own, a power of 2 and more than there are names. */
static int are_slots(const struct array *bounds, const struct array *offsets, const struct array *slots)
{
    const int64_t *bound = bounds->data, *offset = offsets->data;
    if (offsets->size != bounds->size || offset[0] != 0 || offset[offsets->size - 1] != slots->size)
        return 0;
    for (Py_ssize_t i = 1; i < offsets->size; i++) {
        if (offset[i] < offset[i - 1])
            return 0;
        int64_t size = offset[i] - offset[i - 1];
        if (size <= bound[i] - bound[i - 1] || (size & (size - 1)))
            return 0;
    }
    return 1;
}

/* fill_slots(data, starts, lengths, hashes, bounds, offsets, slots): the first row whose name stands twice, or -1 */
static PyObject *call_fill_slots(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {
        NAMES("the"), {"bounds", INT64, 1, 0}, {"offsets", INT64, 1, 0}, {"slots", UINT64, 1, 1}};
    struct array a[7];
    struct names names;
    if (check_count(count, 7) < 0)
        return NULL;
    int64_t repeat = -1;
    int failed = take_all(args, expected, 7, a) < 0 || names_of(a, &names) < 0 || !are_bounds(&a[4], names.count) ||
                 !are_slots(&a[4], &a[5], &a[6]);
    if (!failed) {
        const int64_t *bound = a[4].data, *offset = a[5].data;
        uint64_t *slots = a[6].data;
        Py_BEGIN_ALLOW_THREADS
        failed = !are_within(names);
        for (Py_ssize_t i = 1; !failed && repeat < 0 && i < a[4].size; i++)
            repeat = fill_slots(names, (size_t)bound[i - 1], (size_t)bound[i], slots + offset[i - 1],
                                (size_t)(offset[i] - offset[i - 1]));
        Py_END_ALLOW_THREADS
    }
    drop_arrays(a, 7);
    return failed ? complain("names, bounds or slots are not within their arrays") : PyLong_FromLongLong(repeat);
}

/* Whether every group of rows names a group that is known, or none. */
static int are_groups(const struct array *groups, const struct array *bounds, const struct array *known)
{
    const int64_t *group = groups->data;
    if (groups->size != bounds->size - 1)
        return 0;
    for (Py_ssize_t i = 0; i < groups->size; i++)
        if (group[i] < -1 || group[i] >= known->size - 1)
            return 0;
    return 1;
}

/* Whether bytes are so many cells of a size; without a product, which could wrap around. */
static int are_cells(const struct array *bytes, size_t size, size_t count)
{
    return (size_t)bytes->size % size == 0 && (size_t)bytes->size / size == count;
}

/* look_up(four of names, bounds, groups, four of known names, bounds, offsets, slots, cells, missing, found)

   Writes for every row the cell of its name in the known group that its own group has, and `missing` where there is
   none; cells, missing and found are bytes, so many to a cell as missing has. */
static PyObject *call_look_up(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {
        NAMES("the"),          {"bounds", INT64, 1, 0},  {"groups", INT64, 1, 0},
        NAMES("known"),        {"bounds", INT64, 1, 0},  {"offsets", INT64, 1, 0},
        {"slots", UINT64, 1, 0}, {"cells", BYTES, 1, 0}, {"missing", BYTES, 1, 0},
        {"found", BYTES, 1, 1},
    };
    struct array a[16];
    struct names wanted, known;
    if (check_count(count, 16) < 0)
        return NULL;
    int failed = take_all(args, expected, 16, a) < 0 || names_of(a, &wanted) < 0 || names_of(a + 6, &known) < 0 ||
                 !are_bounds(&a[4], wanted.count) || !are_bounds(&a[10], known.count) ||
                 !are_slots(&a[10], &a[11], &a[12]) || !are_groups(&a[5], &a[4], &a[10]);
    size_t size = failed ? 0 : (size_t)a[14].size;
    failed = failed || size == 0 || !are_cells(&a[13], size, known.count) || !are_cells(&a[15], size, wanted.count);
    if (!failed) {
        const int64_t *bound = a[4].data, *group = a[5].data, *base = a[10].data, *offset = a[11].data;
        const uint64_t *slots = a[12].data;
        const uint8_t *missing = a[14].data;
        uint8_t *found = a[15].data;
        Py_BEGIN_ALLOW_THREADS
        failed = !are_within(wanted) || !are_within(known);
        for (Py_ssize_t i = 0; !failed && i < a[5].size; i++) {
            size_t first = (size_t)bound[i], last = (size_t)bound[i + 1];
            int64_t g = group[i];
            if (g >= 0)
                find_cells(wanted, first, last, known, (size_t)base[g], slots + offset[g],
                           (size_t)(offset[g + 1] - offset[g]), a[13].data, size, missing, found + first * size);
            else
                for (size_t row = first; row < last; row++)
                    memcpy(found + row * size, missing, size);
        }
        Py_END_ALLOW_THREADS
    }
    drop_arrays(a, 16);
    return failed ? complain("names, bounds, slots or cells are not within their arrays") : Py_NewRef(Py_None);
}

/* Ranking -------------------------------------------------------------------------------------------------------- */

/* Whether groups name groups within bounds, with so many rows in all. */
static int have_rows(const struct array *groups, const struct array *bounds, Py_ssize_t rows)
{
    const int64_t *group = groups->data, *bound = bounds->data;
    for (Py_ssize_t i = 0; i < groups->size; i++) {
        if (group[i] < 0 || group[i] >= bounds->size - 1)
            return 0;
        rows -= (Py_ssize_t)(bound[group[i] + 1] - bound[group[i]]);
        if (rows < 0)
            return 0;
    }
    return rows == 0;
}

/* rank_rows(data, starts, lengths, hashes, bounds, scores, groups, order, tied): whether the rows stand so already */
static PyObject *call_rank_rows(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    static const struct expected expected[] = {
        NAMES("the"),           {"bounds", INT64, 1, 0}, {"scores", FLOAT64, 1, 0},
        {"groups", INT64, 1, 0}, {"order", INT64, 1, 1}, {"tied", BOOL, 1, 1},
    };
    struct array a[9];
    struct names names;
    if (check_count(count, 9) < 0)
        return NULL;
    int is_sorted = 1;
    int failed = take_all(args, expected, 9, a) < 0 || names_of(a, &names) < 0 || !are_bounds(&a[4], names.count) ||
                 (size_t)a[5].size != names.count || a[7].size != a[8].size || !have_rows(&a[6], &a[4], a[7].size);
    if (!failed) {
        const int64_t *bound = a[4].data, *group = a[6].data;
        int64_t *order = a[7].data, *spare = malloc((largest(&a[4]) + 1) * sizeof *spare);
        uint8_t *tied = a[8].data;
        failed = spare == NULL;
        Py_BEGIN_ALLOW_THREADS
        failed = failed || !are_within(names);
        for (Py_ssize_t i = 0; !failed && i < a[6].size; i++) {
            size_t first = (size_t)bound[group[i]], last = (size_t)bound[group[i] + 1];
            is_sorted &= rank_rows(names, a[5].data, first, last, order, tied, spare);
            order += last - first;
            tied += last - first;
        }
        Py_END_ALLOW_THREADS
        free(spare);
    }
    drop_arrays(a, 9);
    return failed ? complain("names, bounds, scores or groups are not within their arrays") : PyBool_FromLong(is_sorted);
}

#define FAST(name) {#name, (PyCFunction)(void (*)(void))call_##name, METH_FASTCALL, NULL}

PyMethodDef reader_methods[] = {
    FAST(read_rows),
    FAST(hash_names),
    FAST(are_same),
    FAST(count_different),
    FAST(find_repeat),
    FAST(fill_slots),
    FAST(look_up),
    FAST(rank_rows),
    {NULL, NULL, 0, NULL},
};
