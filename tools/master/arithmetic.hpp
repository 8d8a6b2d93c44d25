#pragma once
// The floating-point arithmetic of a thread: rounding, traps, numbers near zero. FMUs change it and forget to change it back.

#include <cfenv>

namespace tenon::master {

class Arithmetic {
  public:
    Arithmetic() : control_(control()) { std::fegetenv(&environment_); }

    /// As it was when this object was made. True where it was not so any more.
    bool restore() const {
        if (control() == control_) [[likely]]
            return false;
        std::fesetenv(&environment_);
        return true;
    }

  private:
    static unsigned control() {
#if defined(__x86_64__)
        constexpr unsigned flags = 0x3f; // what has happened, not what is to happen
        return __builtin_ia32_stmxcsr() & ~flags;
#else
        return static_cast<unsigned>(std::fegetround());
#endif
    }

    unsigned control_;
    std::fenv_t environment_{};
};

} // namespace tenon::master
