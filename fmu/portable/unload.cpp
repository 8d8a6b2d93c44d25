// The C++ runtime inside the library keeps a reserve of memory for exceptions and leaves it behind when the library is
// unloaded. It is given back here, so that a host can load and unload FMUs for ever.

namespace __gnu_cxx {
void __freeres();
}

__attribute__((destructor)) static void give_back_reserve() { __gnu_cxx::__freeres(); }
