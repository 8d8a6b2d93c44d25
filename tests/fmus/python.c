/* Takes functions and data of Python from its process, as the libraries of PythonFMU do, and names no library for them. */

extern char _Py_NoneStruct;
int Py_IsInitialized(void);

__attribute__((visibility("default"))) int calls_python(void) {
    return Py_IsInitialized() + _Py_NoneStruct;
}
