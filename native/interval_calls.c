/* The loops of interval scales, and of outscorers: what Python calls, and the checks of its arguments. */

#include "arrays.h"
#include "intervals.h"
#include "outscorers.h"

#include <string.h>

enum { MOST_ARGUMENTS = 16 };

/* What a function is given at a place: an array, or with no dimensions a whole number or (FLOAT64) a real one. */
struct parameter {
    const char *name;
    int kind; /* of arrays.h, or one of these */
    int dimensions;
    int writable;
};

enum { INDEX = 100, WHOLE }; /* an array of INT32 or INT64; a whole number */

struct argument {
    struct array array;
    int64_t whole;
    double real;
};

static int take_number(PyObject *given, const struct parameter *parameter, struct argument *argument)
{
    if (parameter->kind == FLOAT64) {
        argument->real = PyFloat_AsDouble(given);
        return PyErr_Occurred() ? -1 : 0;
    }
    argument->whole = PyLong_AsLongLong(given);
    if (!PyErr_Occurred())
        return 0;
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s must fit into 64 bits", parameter->name);
    return -1;
}

static int take_index(PyObject *given, const struct parameter *parameter, struct argument *argument)
{
    if (take_array(given, parameter->name, INT32, 1, parameter->writable, &argument->array) == 0)
        return 0;
    PyErr_Clear();
    return take_array(given, parameter->name, INT64, 1, parameter->writable, &argument->array);
}

static int take_argument(PyObject *given, const struct parameter *parameter, struct argument *argument)
{
    if (parameter->dimensions == 0)
        return take_number(given, parameter, argument);
    if (parameter->kind == INDEX)
        return take_index(given, parameter, argument);
    return take_array(given, parameter->name, (enum kind)parameter->kind, parameter->dimensions, parameter->writable,
                      &argument->array);
}

static void drop(struct argument *arguments)
{
    for (int place = 0; place < MOST_ARGUMENTS; place++)
        drop_arrays(&arguments[place].array, 1);
}

/* What is written must not be what is read, or written as well. */
static int check_all_apart(const struct parameter *parameters, const struct argument *arguments, int count)
{
    for (int one = 0; one < count; one++)
        for (int other = 0; other < count; other++)
            if (one != other && parameters[one].writable &&
                check_apart(&arguments[one].array, parameters[one].name, &arguments[other].array,
                            parameters[other].name) < 0)
                return -1;
    return 0;
}

static int take(PyObject *const *given, Py_ssize_t number, const struct parameter *parameters, int count,
                struct argument *arguments)
{
    memset(arguments, 0, MOST_ARGUMENTS * sizeof *arguments);
    if (number != count) {
        PyErr_Format(PyExc_TypeError, "%d arguments are needed, not %zd", count, number);
        return -1;
    }
    for (int place = 0; place < count; place++)
        if (take_argument(given[place], &parameters[place], &arguments[place]) < 0) {
            drop(arguments);
            return -1;
        }
    if (check_all_apart(parameters, arguments, count) < 0) {
        drop(arguments);
        return -1;
    }
    return 0;
}

#define TAKE(parameters)                                                                                               \
    struct argument arguments[MOST_ARGUMENTS];                                                                         \
    if (take(given, number, parameters, (int)(sizeof parameters / sizeof *parameters), arguments) < 0)                 \
        return NULL

/* Say what does not fit, unless all is well. */
static int demand(int fits, const char *complaint)
{
    if (!fits && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, complaint);
    return fits;
}

/* Whether all of some whole numbers lie between two. */
static int all_between(const struct array *array, int64_t least, int64_t most)
{
    const int64_t *numbers = array->data;
    for (Py_ssize_t place = 0; place < array->size; place++)
        if (numbers[place] < least || numbers[place] > most)
            return 0;
    return 1;
}

/* Whether there is a place at least, and all of them ascend from 0 or more to no more than a size. */
static int are_places(const struct array *array, int64_t size)
{
    const int64_t *places = array->data;
    for (Py_ssize_t place = 1; place < array->size; place++)
        if (places[place] < places[place - 1])
            return 0;
    return array->size > 0 && places[0] >= 0 && places[array->size - 1] <= size;
}

static int has_shape(const struct array *array, int64_t rows, int64_t columns)
{
    return array->shape[0] == rows && array->shape[1] == columns;
}

static PyObject *done(struct argument *arguments, int fits)
{
    drop(arguments);
    if (!fits)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    return Py_NewRef(Py_None);
}

static PyObject *number_of(struct argument *arguments, int fits, int64_t found)
{
    drop(arguments);
    if (!fits)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    return PyLong_FromLongLong(found);
}

#define DATA(place) (arguments[place].array.data)
#define SIZE(place) ((int64_t)arguments[place].array.size)
#define SHAPE(place) (arguments[place].array.shape)
#define NUMBER(place) (arguments[place].whole)

/* ---- meeting in the middle ---- */

static struct index index_of(const struct argument *starts, int width)
{
    return (struct index){starts->array.data, starts->array.view.itemsize == 8, starts->array.size - 1, width};
}

/* Windows as arguments from the lows on: lows and highs, and where they are what is found inside. */
static int windows_of(const struct argument *lows, const struct argument *highs, const struct argument *inside,
                      const struct argument *found, struct windows *windows)
{
    int64_t count = lows->array.size;
    *windows = (struct windows){count,           lows->array.data, highs->array.data, inside->array.data,
                                found->array.data, found->array.shape[1]};
    return demand(highs->array.size == count && inside->array.size == count && found->array.shape[0] == count &&
                      found->array.shape[2] == 2,
                  "highs, inside and found must be as long as lows, and found hold pairs") &&
           demand(all_between(&inside->array, 0, (int64_t)1 << 62), "inside must be 0 or more");
}

/* Whether the numbers that are looked up are there. */
static int are_ranges(const struct argument *firsts, const struct argument *lasts, int64_t windows, int64_t size)
{
    return demand(firsts->array.size == windows && lasts->array.size == windows,
                  "firsts and lasts must be as long as lows") &&
           demand(all_between(&firsts->array, 0, size) && all_between(&lasts->array, 0, size),
                  "firsts and lasts must be places of looped");
}

static PyObject *look_up_sums_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { LOOPED, TABLE, STARTS, WIDTH, LOWS, HIGHS, FIRSTS, LASTS, BELOW, INSIDE, FOUND, PIECE, BEFORE, CEILING };
    static const struct parameter parameters[] = {
        [LOOPED] = {"looped", INT64, 1, 0}, [TABLE] = {"table", INT64, 1, 0},   [STARTS] = {"starts", INDEX, 1, 0},
        [WIDTH] = {"width", WHOLE, 0, 0},   [LOWS] = {"lows", INT64, 1, 0},     [HIGHS] = {"highs", INT64, 1, 0},
        [FIRSTS] = {"firsts", INT64, 1, 0}, [LASTS] = {"lasts", INT64, 1, 1},   [BELOW] = {"below", INT64, 1, 1},
        [INSIDE] = {"inside", INT64, 1, 1}, [FOUND] = {"found", INT64, 3, 1},   [PIECE] = {"piece", WHOLE, 0, 0},
        [BEFORE] = {"before", WHOLE, 0, 0}, [CEILING] = {"ceiling", WHOLE, 0, 0},
    };
    (void)module;
    TAKE(parameters);
    struct windows windows;
    int fits = windows_of(&arguments[LOWS], &arguments[HIGHS], &arguments[INSIDE], &arguments[FOUND], &windows) &&
               are_ranges(&arguments[FIRSTS], &arguments[LASTS], windows.count, SIZE(LOOPED)) &&
               demand(SIZE(BELOW) == windows.count, "below must be as long as lows") &&
               demand(NUMBER(WIDTH) >= 0 && NUMBER(WIDTH) < 64 && NUMBER(PIECE) > 0,
                      "width must be 0 to 63 and piece 1 or more");
    if (fits) {
        struct looped looped = {DATA(LOOPED), SIZE(LOOPED), NULL, DATA(FIRSTS), DATA(LASTS)};
        struct table table = {DATA(TABLE), SIZE(TABLE), index_of(&arguments[STARTS], (int)NUMBER(WIDTH)), NULL};
        Py_BEGIN_ALLOW_THREADS
        look_up_sums(&looped, &table, &windows, DATA(BELOW), NUMBER(PIECE), NUMBER(BEFORE), NUMBER(CEILING));
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *look_up_counted_sums_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { LOOPED, WEIGHTS, TABLE, TOTALS, STARTS, WIDTH, LOWS, HIGHS, FIRSTS, LASTS, SUMS, INSIDE, FOUND, PIECE };
    static const struct parameter parameters[] = {
        [LOOPED] = {"looped", INT64, 1, 0}, [WEIGHTS] = {"weights", INT64, 1, 0}, [TABLE] = {"table", INT64, 1, 0},
        [TOTALS] = {"totals", INT64, 1, 0}, [STARTS] = {"starts", INDEX, 1, 0},   [WIDTH] = {"width", WHOLE, 0, 0},
        [LOWS] = {"lows", INT64, 1, 0},     [HIGHS] = {"highs", INT64, 1, 0},     [FIRSTS] = {"firsts", INT64, 1, 0},
        [LASTS] = {"lasts", INT64, 1, 1},   [SUMS] = {"sums", INT64, 2, 1},       [INSIDE] = {"inside", INT64, 1, 1},
        [FOUND] = {"found", INT64, 3, 1},   [PIECE] = {"piece", WHOLE, 0, 0},
    };
    (void)module;
    TAKE(parameters);
    struct windows windows;
    int fits = windows_of(&arguments[LOWS], &arguments[HIGHS], &arguments[INSIDE], &arguments[FOUND], &windows) &&
               are_ranges(&arguments[FIRSTS], &arguments[LASTS], windows.count, SIZE(LOOPED)) &&
               demand(has_shape(&arguments[SUMS].array, windows.count, 4), "sums must have four numbers a window") &&
               demand(SIZE(WEIGHTS) == SIZE(LOOPED) && SIZE(TOTALS) == SIZE(TABLE) + 1,
                      "weights must be as long as looped, and totals one longer than table") &&
               demand(NUMBER(WIDTH) >= 0 && NUMBER(WIDTH) < 64 && NUMBER(PIECE) > 0,
                      "width must be 0 to 63 and piece 1 or more");
    if (fits) {
        struct looped looped = {DATA(LOOPED), SIZE(LOOPED), DATA(WEIGHTS), DATA(FIRSTS), DATA(LASTS)};
        struct table table = {DATA(TABLE), SIZE(TABLE), index_of(&arguments[STARTS], (int)NUMBER(WIDTH)), DATA(TOTALS)};
        Py_BEGIN_ALLOW_THREADS
        look_up_sums(&looped, &table, &windows, DATA(SUMS), NUMBER(PIECE), 0, INT64_MAX);
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *sweep_sums_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { TOPS, TAILS, LOWS, HIGHS, FIRST, LAST, BELOW, INSIDE, FOUND };
    static const struct parameter parameters[] = {
        [TOPS] = {"tops", INT64, 1, 0},   [TAILS] = {"tails", INT64, 1, 0}, [LOWS] = {"lows", INT64, 1, 0},
        [HIGHS] = {"highs", INT64, 1, 0}, [FIRST] = {"first", WHOLE, 0, 0}, [LAST] = {"last", WHOLE, 0, 0},
        [BELOW] = {"below", INT64, 1, 1}, [INSIDE] = {"inside", INT64, 1, 1}, [FOUND] = {"found", INT64, 3, 1},
    };
    (void)module;
    TAKE(parameters);
    struct windows windows;
    int fits = windows_of(&arguments[LOWS], &arguments[HIGHS], &arguments[INSIDE], &arguments[FOUND], &windows) &&
               demand(SIZE(BELOW) == windows.count, "below must be as long as lows") &&
               demand(0 <= NUMBER(FIRST) && NUMBER(FIRST) <= NUMBER(LAST) && NUMBER(LAST) <= SIZE(TOPS),
                      "first and last must be places of tops, in this order");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        sweep_sums(DATA(TOPS), NUMBER(FIRST), NUMBER(LAST), DATA(TAILS), SIZE(TAILS), &windows, DATA(BELOW));
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

/* ---- tables of sums ---- */

static PyObject *merge_sums_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { ONE, OTHER, OFFSET, MERGED };
    static const struct parameter parameters[] = {
        [ONE] = {"one", INT64, 1, 0},
        [OTHER] = {"other", INT64, 1, 0},
        [OFFSET] = {"offset", WHOLE, 0, 0},
        [MERGED] = {"merged", INT64, 1, 1},
    };
    (void)module;
    TAKE(parameters);
    int fits = demand(SIZE(OTHER) <= SIZE(ONE) && SIZE(MERGED) == SIZE(ONE) + SIZE(OTHER),
                      "other must not be longer than one, and merged as long as both");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        merge_sums(DATA(ONE), SIZE(ONE), DATA(OTHER), SIZE(OTHER), NUMBER(OFFSET), DATA(MERGED));
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *index_sums_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { SUMS, WIDTH, STARTS };
    static const struct parameter parameters[] = {
        [SUMS] = {"sums", INT64, 1, 0},
        [WIDTH] = {"width", WHOLE, 0, 0},
        [STARTS] = {"starts", INDEX, 1, 1},
    };
    (void)module;
    TAKE(parameters);
    int wide = arguments[STARTS].array.view.itemsize == 8;
    int fits = demand(NUMBER(WIDTH) >= 0 && NUMBER(WIDTH) < 64, "width must be 0 to 63") &&
               demand(wide || SIZE(SUMS) <= INT32_MAX, "so many sums need starts of 64 bits");
    if (fits) {
        struct index index = index_of(&arguments[STARTS], (int)NUMBER(WIDTH));
        Py_BEGIN_ALLOW_THREADS
        index_sums(DATA(SUMS), SIZE(SUMS), &index);
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *add_blocks_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { TABLE, CELLS, STARTS };
    static const struct parameter parameters[] = {
        [TABLE] = {"table", FLOAT64, 1, 1},
        [CELLS] = {"cells", INT64, 1, 0},
        [STARTS] = {"starts", INT64, 1, 0},
    };
    (void)module;
    TAKE(parameters);
    int fits = demand(are_places(&arguments[STARTS].array, SIZE(CELLS)), "starts must be places of cells, ascending") &&
               demand(all_between(&arguments[CELLS].array, 0, INT64_MAX), "cells must be 0 or more");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        add_blocks(DATA(TABLE), SIZE(TABLE), DATA(CELLS), DATA(STARTS), SIZE(STARTS) - 1);
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

/* ---- geometric values, and sizes of characteristic functions ---- */

static PyObject *descend_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { VALUE, START, WEIGHTS, TAILS, GAINS, MOVES, SLACK, RESIDUES, STATES, BELOW };
    static const struct parameter parameters[] = {
        [VALUE] = {"value", WHOLE, 0, 0},     [START] = {"start", WHOLE, 0, 0},
        [WEIGHTS] = {"weights", INT64, 1, 0}, [TAILS] = {"tails", INT64, 1, 0},
        [GAINS] = {"gains", INT64, 1, 0},     [MOVES] = {"moves", INT64, 2, 0},
        [SLACK] = {"slack", WHOLE, 0, 0},     [RESIDUES] = {"residues", INT64, 2, 1},
        [STATES] = {"states", INT64, 2, 1},   [BELOW] = {"below", INT64, 2, 1},
    };
    (void)module;
    TAKE(parameters);
    int64_t states = SHAPE(MOVES)[0], room = SHAPE(RESIDUES)[1], levels = SIZE(WEIGHTS);
    struct descended found = {0, 0, 0};
    int fits = demand(SHAPE(MOVES)[1] == SIZE(GAINS) && all_between(&arguments[MOVES].array, INT64_MIN, states - 1),
                      "moves must be states by gains, and lead to states") &&
               demand(0 <= NUMBER(START) && NUMBER(START) < states, "start must be a state") &&
               demand(SIZE(TAILS) > levels && has_shape(&arguments[BELOW].array, levels + 1, states),
                      "tails and below must be one longer than weights, and below hold all states") &&
               demand(room > 0 && SHAPE(RESIDUES)[0] == 2 && has_shape(&arguments[STATES].array, 2, room),
                      "residues and states must be two rows of the same length");
    if (fits) {
        struct descent descent = {levels,      DATA(WEIGHTS), DATA(TAILS), SIZE(GAINS),    DATA(GAINS),  states,
                                  DATA(MOVES), NUMBER(SLACK), room,        DATA(RESIDUES), DATA(STATES), DATA(BELOW)};
        Py_BEGIN_ALLOW_THREADS
        found = descend(&descent, NUMBER(VALUE), NUMBER(START));
        Py_END_ALLOW_THREADS
    }
    drop(arguments);
    return fits ? Py_BuildValue("LLL", (long long)found.level, (long long)found.left, (long long)found.side) : NULL;
}

static PyObject *squared_sizes_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { SQUARES, FIRST, STEPS, RAMPS, SHARES, TOPS, STARTS, ENOUGH };
    static const struct parameter parameters[] = {
        [SQUARES] = {"squares", FLOAT32, 1, 1}, [FIRST] = {"first", WHOLE, 0, 0},   [STEPS] = {"steps", FLOAT64, 1, 0},
        [RAMPS] = {"ramps", FLOAT32, 2, 0},     [SHARES] = {"shares", FLOAT32, 1, 0}, [TOPS] = {"tops", FLOAT32, 1, 0},
        [STARTS] = {"starts", INT64, 1, 0},     [ENOUGH] = {"enough", WHOLE, 0, 0},
    };
    (void)module;
    TAKE(parameters);
    int64_t pairs = SIZE(STEPS);
    int fits = demand(has_shape(&arguments[RAMPS].array, pairs, LANES) && SIZE(SHARES) == pairs,
                      "ramps and shares must be as long as steps, and a ramp have 128 numbers") &&
               demand(are_places(&arguments[STARTS].array, pairs) && SIZE(STARTS) == SIZE(TOPS) + 1,
                      "starts must be places of steps, ascending, one more than tops") &&
               demand(INT32_MIN <= NUMBER(ENOUGH) && NUMBER(ENOUGH) <= INT32_MAX, "enough must fit into 32 bits");
    if (fits) {
        struct pairs given_pairs = {SIZE(TOPS), DATA(STARTS), DATA(TOPS), DATA(STEPS), DATA(RAMPS), DATA(SHARES)};
        Py_BEGIN_ALLOW_THREADS
        squared_sizes(DATA(SQUARES), SIZE(SQUARES), NUMBER(FIRST), &given_pairs, (int32_t)NUMBER(ENOUGH));
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *refine_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { OLD, NEW, MOVES, SHARES, OFFSETS, ABOVE, BELOW, UPWARDS };
    static const struct parameter parameters[] = {
        [OLD] = {"old", FLOAT64, 2, 0},       [NEW] = {"new", FLOAT64, 2, 1},     [MOVES] = {"moves", INT64, 2, 0},
        [SHARES] = {"shares", FLOAT64, 2, 0}, [OFFSETS] = {"offsets", INT64, 1, 0}, [ABOVE] = {"above", WHOLE, 0, 0},
        [BELOW] = {"below", WHOLE, 0, 0},     [UPWARDS] = {"upwards", WHOLE, 0, 0},
    };
    (void)module;
    TAKE(parameters);
    int64_t states = SHAPE(OLD)[0], columns = SHAPE(OLD)[1], digits = SIZE(OFFSETS);
    int64_t most = ((int64_t)1 << 62) / (columns + 1);
    int fits = demand(has_shape(&arguments[NEW].array, states, columns), "new must have the shape of old") &&
               demand(has_shape(&arguments[MOVES].array, states, digits) &&
                          has_shape(&arguments[SHARES].array, states, digits) &&
                          all_between(&arguments[MOVES].array, INT64_MIN, states - 1),
                      "moves and shares must be states by offsets, and moves lead to states") &&
               demand(all_between(&arguments[OFFSETS].array, 0, INT64_MAX), "offsets must be 0 or more") &&
               demand(0 < NUMBER(ABOVE) && NUMBER(ABOVE) <= most && 0 < NUMBER(BELOW) && NUMBER(BELOW) <= most,
                      "above and below must be 1 or more, and small enough for so many columns");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        fits = refine(DATA(OLD), DATA(NEW), states, columns, DATA(MOVES), DATA(SHARES), DATA(OFFSETS), digits,
                      NUMBER(ABOVE), NUMBER(BELOW), NUMBER(UPWARDS) != 0) == 0;
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

/* ---- average precision ---- */

static PyObject *count_fibres_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum {
        CUT, RESTS, REMAINDERS, OPEN_WAYS, COUNTS, LEAST, MOST, TAKES, CHECKS, UNKNOWN, STEPS, STARTS, KEYS, RUN_COUNTS
    };
    static const struct parameter parameters[] = {
        [CUT] = {"cut", WHOLE, 0, 0},
        [RESTS] = {"rests", FLOAT64, 1, 0},
        [REMAINDERS] = {"remainders", INT64, 1, 0},
        [OPEN_WAYS] = {"open_ways", BOOL, 3, 0},
        [COUNTS] = {"counts", INT64, 1, 1},
        [LEAST] = {"least", FLOAT64, 2, 0},
        [MOST] = {"most", FLOAT64, 2, 0},
        [TAKES] = {"takes", INT64, 2, 0},
        [CHECKS] = {"checks", INT64, 1, 0},
        [UNKNOWN] = {"unknown", WHOLE, 0, 0},
        [STEPS] = {"steps", WHOLE, 0, 0},
        [STARTS] = {"starts", INT64, 1, 0},
        [KEYS] = {"keys", INT64, 1, 0},
        [RUN_COUNTS] = {"run_counts", INT64, 1, 0},
    };
    (void)module;
    TAKE(parameters);
    int64_t depth = SIZE(CHECKS), side = depth + 1, count = SIZE(RESTS);
    int fits =
        demand(0 <= NUMBER(CUT) && NUMBER(CUT) <= depth, "cut must be a rank") &&
        demand(SIZE(REMAINDERS) == count && SIZE(COUNTS) == count && SHAPE(OPEN_WAYS)[0] == count,
               "remainders, open_ways and counts must be as long as rests") &&
        demand(SHAPE(OPEN_WAYS)[1] == side && SHAPE(OPEN_WAYS)[2] == side &&
                   has_shape(&arguments[LEAST].array, side, side) && has_shape(&arguments[MOST].array, side, side) &&
                   has_shape(&arguments[TAKES].array, side, side),
               "open_ways, least, most and takes must have a row and a column more than checks has numbers") &&
        demand(all_between(&arguments[CHECKS].array, 1, INT64_MAX), "checks must be 1 or more") &&
        demand(are_places(&arguments[STARTS].array, SIZE(KEYS)) && SIZE(RUN_COUNTS) == SIZE(KEYS),
               "starts must be places of keys, ascending, and run_counts as long as keys");
    if (fits) {
        struct fibres fibres = {depth,        NUMBER(CUT),     DATA(LEAST),   DATA(MOST),       DATA(TAKES),
                                DATA(CHECKS), NUMBER(UNKNOWN), NUMBER(STEPS), SIZE(STARTS) - 1, DATA(STARTS),
                                DATA(KEYS),   DATA(RUN_COUNTS)};
        Py_BEGIN_ALLOW_THREADS
        fits = count_fibres(&fibres, count, DATA(RESTS), DATA(REMAINDERS), DATA(OPEN_WAYS), DATA(COUNTS)) == 0;
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *fill_bucket_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { FIRSTS, BEGINS, ENDS, SECONDS, LOW, HIGH, PLACES, AFTER, FOUND };
    static const struct parameter parameters[] = {
        [FIRSTS] = {"firsts", INT64, 1, 0},   [BEGINS] = {"begins", INT64, 1, 0}, [ENDS] = {"ends", INT64, 1, 0},
        [SECONDS] = {"seconds", INT64, 1, 0}, [LOW] = {"low", WHOLE, 0, 0},       [HIGH] = {"high", WHOLE, 0, 0},
        [PLACES] = {"places", INT64, 1, 0},   [AFTER] = {"after", INT64, 1, 1},   [FOUND] = {"found", INT64, 1, 1},
    };
    (void)module;
    TAKE(parameters);
    int64_t rows = SIZE(FIRSTS), size = SIZE(SECONDS), sums = 0;
    int fits = demand(SIZE(BEGINS) == rows && SIZE(ENDS) == rows && SIZE(PLACES) == rows && SIZE(AFTER) == rows,
                      "begins, ends, places and after must be as long as firsts") &&
               demand(all_between(&arguments[ENDS].array, 0, size) && all_between(&arguments[PLACES].array, 0, size),
                      "ends and places must be places of seconds");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        sums = fill_bucket(DATA(FIRSTS), DATA(ENDS), rows, DATA(SECONDS), size, NUMBER(LOW), NUMBER(HIGH), DATA(PLACES),
                           DATA(AFTER), DATA(FOUND), SIZE(FOUND));
        Py_END_ALLOW_THREADS
    }
    return number_of(arguments, fits, sums);
}

static PyObject *sort_numbers_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { NUMBERS };
    static const struct parameter parameters[] = {[NUMBERS] = {"numbers", INT64, 1, 1}};
    (void)module;
    TAKE(parameters);
    int fits;
    Py_BEGIN_ALLOW_THREADS
    fits = sort_numbers(DATA(NUMBERS), SIZE(NUMBERS)) == 0;
    Py_END_ALLOW_THREADS
    return done(arguments, fits);
}

/* Whether all counts that beginnings can come to are columns of the terms, and all ranks rows. */
static int are_beginnings(const struct argument *first, const struct argument *sums, const struct argument *counts,
                          const struct argument *depth, const struct argument *terms, struct beginnings *found)
{
    *found = (struct beginnings){sums->array.size, sums->array.data,  counts->array.data, first->whole,
                                 depth->whole,     terms->array.data, NULL,               terms->array.shape[1]};
    return demand(0 <= first->whole && 0 <= depth->whole && depth->whole < terms->array.shape[0] &&
                      depth->whole - first->whole < 30,
                  "first and depth must be ranks of terms, at most 30 of them") &&
           demand(counts->array.size == sums->array.size, "counts must be as long as sums") &&
           demand(first->whole > depth->whole ||
                      all_between(&counts->array, 0, found->columns - 1 - (depth->whole - first->whole + 1)),
                  "counts must be columns of terms");
}

static PyObject *count_in_steps_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { FIRST, SUMS, COUNTS, DEPTH, TERMS, STEPS, FOUND };
    static const struct parameter parameters[] = {
        [FIRST] = {"first", WHOLE, 0, 0}, [SUMS] = {"sums", FLOAT64, 1, 0},   [COUNTS] = {"counts", INT64, 1, 0},
        [DEPTH] = {"depth", WHOLE, 0, 0}, [TERMS] = {"terms", FLOAT64, 2, 0}, [STEPS] = {"steps", FLOAT64, 0, 0},
        [FOUND] = {"found", INT64, 1, 1},
    };
    (void)module;
    TAKE(parameters);
    struct beginnings beginnings;
    int fits = are_beginnings(&arguments[FIRST], &arguments[SUMS], &arguments[COUNTS], &arguments[DEPTH],
                              &arguments[TERMS], &beginnings);
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        fits = count_in_steps(&beginnings, arguments[STEPS].real, DATA(FOUND), SIZE(FOUND)) == 0;
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

static PyObject *fill_block_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { FIRST, SUMS, COUNTS, DEPTH, TERMS, REST, LOW, HIGH, HELD };
    static const struct parameter parameters[] = {
        [FIRST] = {"first", WHOLE, 0, 0}, [SUMS] = {"sums", FLOAT64, 1, 0},   [COUNTS] = {"counts", INT64, 1, 0},
        [DEPTH] = {"depth", WHOLE, 0, 0}, [TERMS] = {"terms", FLOAT64, 2, 0}, [REST] = {"rest", FLOAT64, 2, 0},
        [LOW] = {"low", FLOAT64, 0, 0},   [HIGH] = {"high", FLOAT64, 0, 0},   [HELD] = {"held", FLOAT64, 1, 1},
    };
    (void)module;
    TAKE(parameters);
    struct beginnings beginnings;
    int64_t written = 0;
    int fits = are_beginnings(&arguments[FIRST], &arguments[SUMS], &arguments[COUNTS], &arguments[DEPTH],
                              &arguments[TERMS], &beginnings) &&
               demand(has_shape(&arguments[REST].array, SHAPE(TERMS)[0] + 1, SHAPE(TERMS)[1]),
                      "rest must have a row more than terms");
    if (fits) {
        beginnings.rest = DATA(REST);
        Py_BEGIN_ALLOW_THREADS
        written = fill_block(&beginnings, arguments[LOW].real, arguments[HIGH].real, DATA(HELD), SIZE(HELD));
        Py_END_ALLOW_THREADS
    }
    return number_of(arguments, fits && written >= 0, written);
}

static PyObject *rank_sums_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { HELD, ASKED, RANKS, BELOW, TIED };
    static const struct parameter parameters[] = {
        [HELD] = {"held", FLOAT64, 1, 0}, [ASKED] = {"asked", FLOAT64, 1, 0}, [RANKS] = {"ranks", INT64, 1, 1},
        [BELOW] = {"below", INT64, 1, 1}, [TIED] = {"tied", INT64, 1, 1},
    };
    (void)module;
    TAKE(parameters);
    int64_t count = SIZE(ASKED), different = 0;
    int fits = demand(SIZE(RANKS) == count && SIZE(BELOW) == count && SIZE(TIED) == count,
                      "ranks, below and tied must be as long as asked");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        different = rank_sums(DATA(HELD), SIZE(HELD), DATA(ASKED), count, DATA(RANKS), DATA(BELOW), DATA(TIED));
        Py_END_ALLOW_THREADS
    }
    return number_of(arguments, fits, different);
}

/* ---- outscorers ---- */

static PyObject *lower_once_call(PyObject *module, PyObject *const *given, Py_ssize_t number)
{
    enum { LEVELS, ORDER, EVERY, ALONE };
    static const struct parameter parameters[] = {
        [LEVELS] = {"levels", INT32, 2, 0},
        [ORDER] = {"order", INT32, 2, 0},
        [EVERY] = {"every", INT64, 1, 1},
        [ALONE] = {"alone", INT64, 2, 1},
    };
    (void)module;
    TAKE(parameters);
    int64_t rows = SHAPE(LEVELS)[0], columns = SHAPE(LEVELS)[1];
    int fits = demand(has_shape(&arguments[ORDER].array, rows, columns) && SIZE(EVERY) == rows &&
                          has_shape(&arguments[ALONE].array, rows, columns),
                      "order and alone must have the shape of levels, and every be as long");
    const int32_t *order = DATA(ORDER);
    for (int64_t place = 0; fits && place < SIZE(ORDER); place++)
        fits = demand(0 <= order[place] && order[place] < columns, "order must hold columns");
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        lower_once(DATA(LEVELS), order, rows, columns, DATA(EVERY), DATA(ALONE));
        Py_END_ALLOW_THREADS
    }
    return done(arguments, fits);
}

#define METHOD(name) {#name, (PyCFunction)(void (*)(void))name##_call, METH_FASTCALL, NULL}

PyMethodDef interval_methods[] = {
    METHOD(look_up_sums),
    METHOD(look_up_counted_sums),
    METHOD(sweep_sums),
    METHOD(merge_sums),
    METHOD(index_sums),
    METHOD(add_blocks),
    METHOD(descend),
    METHOD(squared_sizes),
    METHOD(refine),
    METHOD(count_fibres),
    METHOD(fill_bucket),
    METHOD(sort_numbers),
    METHOD(count_in_steps),
    METHOD(fill_block),
    METHOD(rank_sums),
    METHOD(lower_once),
    {NULL, NULL, 0, NULL},
};
