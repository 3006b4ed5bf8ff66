/* What caller.c uses of CPython's stable ABI (docs.python.org/3/c-api/stable.html, 3.11), which does not change.

   Declared here, so that a compiler is enough: Python's own headers are a package of their own on many systems. */

#include <stddef.h>
#include <stdint.h>

typedef intptr_t Py_ssize_t;
typedef struct PyTypeObject PyTypeObject;
typedef struct { Py_ssize_t ob_refcnt; PyTypeObject *ob_type; } PyObject;
typedef struct PyThreadState PyThreadState;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
typedef struct { const char *ml_name; PyCFunction ml_meth; int ml_flags; const char *ml_doc; } PyMethodDef;
typedef struct { PyObject ob_base; PyObject *(*m_init)(void); Py_ssize_t m_index; PyObject *m_copy; } PyModuleDef_Base;
typedef struct {
    PyModuleDef_Base m_base;
    const char *m_name, *m_doc;
    Py_ssize_t m_size;
    PyMethodDef *m_methods;
    void *m_slots, *m_traverse, *m_clear, *m_free;
} PyModuleDef;
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;

enum { METH_O = 0x0008, METH_FASTCALL = 0x0080, PyBUF_FULL_RO = 0x011c, PYTHON_API_VERSION = 3 };

extern PyObject _Py_NoneStruct, _Py_TrueStruct, _Py_FalseStruct;
extern PyTypeObject PyTuple_Type;
extern PyObject *PyExc_TypeError, *PyExc_OverflowError, *PyExc_IndexError;

void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *); /* takes NULL too */
PyObject *PyErr_Format(PyObject *, const char *, ...);
PyObject *PyErr_Occurred(void);
void PyErr_Clear(void);
int PyType_IsSubtype(PyTypeObject *, PyTypeObject *);
PyObject *PyType_GetName(PyTypeObject *);
PyObject *PyUnicode_AsUTF8String(PyObject *);
PyObject *PyUnicode_FromFormat(const char *, ...);
int PyUnicode_CompareWithASCIIString(PyObject *, const char *);
char *PyBytes_AsString(PyObject *);
int PyObject_CheckBuffer(PyObject *);
int PyObject_GetBuffer(PyObject *, Py_buffer *, int);
int PyBuffer_IsContiguous(const Py_buffer *, char);
void PyBuffer_Release(Py_buffer *);
int PyObject_IsTrue(PyObject *);
PyObject *PyNumber_Index(PyObject *);
long PyLong_AsLong(PyObject *);
long long PyLong_AsLongLong(PyObject *);
unsigned long long PyLong_AsUnsignedLongLong(PyObject *);
PyObject *PyLong_FromLongLong(long long);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long);
PyObject *PyBool_FromLong(long);
PyObject *PyTuple_New(Py_ssize_t);
Py_ssize_t PyTuple_Size(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t);
int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
PyObject *PyDict_New(void);
int PyDict_SetItem(PyObject *, PyObject *, PyObject *);
PyObject *PyCapsule_New(void *, const char *, void (*)(PyObject *));
void *PyCapsule_GetPointer(PyObject *, const char *);
PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *, PyObject *);
PyObject *PyModule_Create2(PyModuleDef *, int);
PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *);
