/* The way from Python to the compiled kernels: one function for all, which reads what a kernel takes from a text.

   A text has a letter for each scalar (q int64, Q uint64, ? bool), `[`, the number of axes, a letter of the type and r
   or w for an array, and ( ... ) around what a tuple holds. A kernel is given words of 64 bits: a scalar is one, an
   array its address and the length of each axis. Nothing else is asked of Python than its stable ABI. */

#include "abi3.h"
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

typedef int (*Code)(const int64_t *words, int64_t *results);

typedef struct {
    const char *module, *name, *parameters; /* parameters: names, with a comma after each */
    const char *takes, *returns;
    Code code[2]; /* for x86-64-v2 and v3 */
} Kernel;

#include "table.h" /* KERNELS, WORDS, ARRAYS, and the kernels by name: those of one name take different arrays */

typedef struct {
    const Kernel *kernel;
    const char *text; /* what is still to be taken */
    int64_t words[WORDS];
    Py_buffer views[ARRAYS];
    int filled, held;
    int argument, quiet, depth, field;
} Call;

static int level; /* which code is used */
static PyMethodDef methods[KERNELS];

/* Refusing */

static int refuse(Call *call, PyObject *error, const char *needed, const char *given)
{
    if (call->quiet)
        return -1;
    const char *name = call->kernel->parameters, *end;
    for (int i = 0; i < call->argument; i++)
        name = strchr(name, ',') + 1;
    end = strchr(name, ',');
    char shown[80], part[40] = "";
    snprintf(shown, sizeof shown, "%.*s", (int)(end - name), name);
    if (call->depth)
        snprintf(part, sizeof part, ", part %d", call->field + 1);
    PyErr_Format(error, "%s: argument %d (%s%s) has to be %s, not %s", call->kernel->name, call->argument + 1, shown, part, needed, given);
    return -1;
}

static int refuse_type(Call *call, const char *needed, PyObject *value)
{
    PyObject *name = PyType_GetName(value->ob_type);
    PyObject *bytes = name ? PyUnicode_AsUTF8String(name) : NULL;
    int result = refuse(call, PyExc_TypeError, needed, bytes ? PyBytes_AsString(bytes) : "that");
    Py_DecRef(bytes);
    Py_DecRef(name);
    return result;
}

static const char *type_name(char letter, int bytes)
{
    static const char *const whole[] = {"int8", "int16", "int32", "int64"}, *const unsigned_[] = {"uint8", "uint16", "uint32", "uint64"};
    int size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    if (strchr("bhilqn", letter))
        return whole[size];
    if (strchr("BHILQN", letter))
        return unsigned_[size];
    return letter == '?' ? "bool" : letter == 'd' ? "float64" : letter == 'f' ? "float32" : "another type";
}

static int bytes_of(char letter)
{
    return strchr("bB?", letter) ? 1 : strchr("hH", letter) ? 2 : strchr("iIf", letter) ? 4 : 8;
}

/* Taking arguments */

static int take_array(Call *call, PyObject *value)
{
    int axes = call->text[0] - '0', writes = call->text[2] == 'w';
    char letter = call->text[1], needed[80], given[120];
    call->text += 3;
    const char *type = type_name(letter, bytes_of(letter));
    snprintf(needed, sizeof needed, "a C-ordered%s array of %s with %d ax%s", writes ? ", writable" : "", type, axes, axes == 1 ? "is" : "es");
    if (!PyObject_CheckBuffer(value))
        return refuse_type(call, needed, value);
    Py_buffer *view = &call->views[call->held];
    if (PyObject_GetBuffer(value, view, PyBUF_FULL_RO) < 0) {
        PyErr_Clear();
        return refuse_type(call, needed, value);
    }
    call->held++;
    const char *format = view->format ? view->format : "B";
    format += format[0] == '='; /* numbers at odd places, as in what came through a pipe: these processors read them all the same */
    int plain = format[1] == 0, ordered = PyBuffer_IsContiguous(view, 'C');
    const char *given_type = plain ? type_name(format[0], (int)view->itemsize) : "another type";
    if (given_type != type || view->ndim != axes || !ordered || (writes && view->readonly)) {
        snprintf(given, sizeof given, "one of %s with %d%s%s", given_type, view->ndim, ordered ? "" : ", in another order", writes && view->readonly ? ", read-only" : "");
        return refuse(call, PyExc_TypeError, needed, given);
    }
    call->words[call->filled++] = (int64_t)(intptr_t)view->buf;
    for (int i = 0; i < axes; i++)
        call->words[call->filled++] = view->shape[i];
    return 0;
}

static int is_truth(PyObject *value) /* that of NumPy is no number */
{
    if (value == &_Py_TrueStruct || value == &_Py_FalseStruct)
        return 1;
    PyObject *name = PyType_GetName(value->ob_type);
    int found = name && (PyUnicode_CompareWithASCIIString(name, "bool") == 0 || PyUnicode_CompareWithASCIIString(name, "bool_") == 0);
    Py_DecRef(name);
    return found;
}

static int take_number(Call *call, PyObject *value, char letter)
{
    const char *needed = letter == '?' ? "a truth value" : letter == 'q' ? "a whole number below 2^63" : "a whole number from 0 to below 2^64";
    if (letter == '?' && is_truth(value)) {
        call->words[call->filled++] = PyObject_IsTrue(value);
        return 0;
    }
    PyObject *number = PyNumber_Index(value);
    if (!number) {
        PyErr_Clear();
        return refuse_type(call, needed, value);
    }
    int64_t word = letter == 'Q' ? (int64_t)PyLong_AsUnsignedLongLong(number) : PyLong_AsLongLong(number);
    Py_DecRef(number);
    if (word == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return refuse(call, PyExc_OverflowError, needed, "one out of range");
    }
    call->words[call->filled++] = letter == '?' ? word != 0 : word;
    return 0;
}

static int take(Call *call, PyObject *value)
{
    char letter = *call->text++;
    if (letter == '[')
        return take_array(call, value);
    if (letter != '(')
        return take_number(call, value, letter);
    Py_ssize_t size = PyType_IsSubtype(value->ob_type, &PyTuple_Type) ? PyTuple_Size(value) : -1, i = 0;
    call->depth++;
    for (; *call->text != ')'; i++) {
        call->field = (int)i;
        if (i >= size)
            return refuse_type(call, "a record with more parts", value);
        if (take(call, PyTuple_GetItem(value, i)) < 0)
            return -1;
    }
    call->depth--;
    call->text++;
    return i == size ? 0 : refuse_type(call, "a record with fewer parts", value);
}

static void release(Call *call)
{
    while (call->held)
        PyBuffer_Release(&call->views[--call->held]);
}

static int take_all(Call *call, const Kernel *kernel, PyObject *const *given, Py_ssize_t count)
{
    call->kernel = kernel;
    call->text = kernel->takes;
    call->filled = call->held = call->depth = 0;
    for (call->argument = 0; *call->text; call->argument++) {
        if (call->argument >= count || take(call, given[call->argument]) < 0) {
            release(call);
            if (!PyErr_Occurred() && !call->quiet)
                PyErr_Format(PyExc_TypeError, "%s takes more than %zd arguments", kernel->name, count);
            return -1;
        }
    }
    if (call->argument == count)
        return 0;
    release(call);
    if (!call->quiet)
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", kernel->name, call->argument, count);
    return -1;
}

/* Calling, and giving back */

static PyObject *result_of(const char **text, const int64_t **words)
{
    char letter = *(*text)++;
    if (letter == '?')
        return PyBool_FromLong(*(*words)++ != 0);
    if (letter == 'q')
        return PyLong_FromLongLong(*(*words)++);
    if (letter == 'Q')
        return PyLong_FromUnsignedLongLong((uint64_t) * (*words)++);
    Py_ssize_t size = 0;
    for (const char *each = *text; *each != ')'; each++)
        size++;
    PyObject *tuple = PyTuple_New(size);
    for (Py_ssize_t i = 0; tuple && i < size; i++) {
        PyObject *part = result_of(text, words);
        if (!part || PyTuple_SetItem(tuple, i, part) < 0) {
            Py_DecRef(tuple);
            return NULL;
        }
    }
    return tuple;
}

static PyObject *call_kernel(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    const Kernel *kernel = PyCapsule_GetPointer(self, NULL);
    int64_t results[8];
    Call call;
    for (;; kernel++) {
        const Kernel *next = kernel + 1;
        call.quiet = next < kernels + KERNELS && !strcmp(next->name, kernel->name) && !strcmp(next->module, kernel->module);
        if (take_all(&call, kernel, given, count) == 0)
            break;
        if (!call.quiet)
            return NULL;
    }
    PyThreadState *state = PyEval_SaveThread();
    int failed = kernel->code[level](call.words, results);
    PyEval_RestoreThread(state);
    release(&call);
    if (failed) {
        PyErr_Format(PyExc_IndexError, "%s: an index is out of range", kernel->name);
        return NULL;
    }
    if (!*kernel->returns) {
        Py_IncRef(&_Py_NoneStruct);
        return &_Py_NoneStruct;
    }
    const char *text = kernel->returns;
    const int64_t *words = results;
    return result_of(&text, &words);
}

/* The module */

static int processor_level(void)
{
    unsigned a, b, c, d, low, high;
    unsigned first = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29; /* FMA, MOVBE, OSXSAVE, AVX, F16C */
    unsigned later = 1u << 3 | 1u << 5 | 1u << 8;                          /* BMI1, AVX2, BMI2 */
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & first) != first)
        return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & later) != later)
        return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & 1u << 5); /* LZCNT */
}

static PyObject *load(PyObject *self, PyObject *wanted)
{
    (void)self;
    int best = processor_level();
    long asked = PyLong_AsLong(wanted);
    if (asked == -1 && PyErr_Occurred())
        return NULL;
    level = asked < 0 || asked > best ? best : (int)asked;
    PyObject *found = PyDict_New();
    for (int i = 0; found && i < KERNELS; i++) {
        const Kernel *kernel = &kernels[i];
        if (i && !strcmp(kernel[-1].name, kernel->name) && !strcmp(kernel[-1].module, kernel->module))
            continue;
        methods[i] = (PyMethodDef){kernel->name, (PyCFunction)(void (*)(void))call_kernel, METH_FASTCALL, NULL};
        PyObject *capsule = PyCapsule_New((void *)kernel, NULL, NULL);
        PyObject *function = capsule ? PyCFunction_NewEx(&methods[i], capsule, NULL) : NULL;
        PyObject *key = PyUnicode_FromFormat("%s.%s", kernel->module, kernel->name);
        if (!function || !key || PyDict_SetItem(found, key, function) < 0) {
            Py_DecRef(found);
            found = NULL;
        }
        Py_DecRef(key);
        Py_DecRef(function);
        Py_DecRef(capsule);
    }
    return found;
}

static PyMethodDef functions[] = {
    {"load", load, METH_O, "load(level): the kernels by name, for a level (0 x86-64-v2, 1 v3) or, below 0, the best."},
    {NULL, NULL, 0, NULL},
};
static PyModuleDef definition = {{{1, NULL}, NULL, 0, NULL}, "_compiled", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyObject *PyInit__compiled(void);

__attribute__((visibility("default"))) PyObject *PyInit__compiled(void)
{
    return PyModule_Create2(&definition, PYTHON_API_VERSION);
}
