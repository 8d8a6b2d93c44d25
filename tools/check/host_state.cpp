#include "tools/check/host_state.hpp"

#include <cfenv>
#include <cfloat>
#include <clocale>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include <cstring>

namespace tenon::check {
namespace {

/// The modes are seen by their effect: so it works on every processor. `volatile` keeps the compiler from knowing better.
bool flushes_small_results() {
    volatile double smallest_normal = std::numeric_limits<double>::min();
    volatile double half = smallest_normal / 2;
    return half == 0;
}

bool flushes_small_operands() {
    volatile double smallest = std::numeric_limits<double>::denorm_min();
    volatile double large = smallest * 0x1p1022;
    return large == 0;
}

bool has_extended_precision() {
    volatile long double one = 1;
    volatile long double more = one + std::numeric_limits<long double>::epsilon();
    return more != one;
}

void (*handler_of(int signal))(int) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0)
        return SIG_DFL;
    return action.sa_handler;
}

std::string locale_now() {
    const char* name = std::setlocale(LC_ALL, nullptr);
    return name ? name : "";
}

std::string directory_now() {
    std::error_code gone;
    return std::filesystem::current_path(gone).string();
}

} // namespace

HostState HostState::now() {
    HostState state;
    state.directory_ = directory_now();
    state.locale_ = locale_now();
    for (int signal = 1; signal < SIGRTMIN; ++signal) // those above are the C library's own
        state.handlers_[signal] = handler_of(signal);
    state.rounding_ = std::fegetround();
    state.traps_ = ::fegetexcept();
    state.flushes_results_ = flushes_small_results();
    state.flushes_operands_ = flushes_small_operands();
    state.extended_precision_ = has_extended_precision();
    return state;
}

void HostState::compare(Findings& findings) const {
    const HostState after = now();
    const std::string restore = "the host's thread belongs to the host: restore it before every return";
    if (after.directory_ != directory_)
        findings.error("host-directory", {},
                       fmt::format("changes the working directory to {}", after.directory_),
                       "use absolute paths below the resource location");
    if (after.locale_ != locale_)
        findings.error("host-locale", {},
                       fmt::format("changes the locale, from {} to {}", locale_, after.locale_),
                       "read and write numbers with functions that ignore the locale");
    for (const auto& [signal, handler] : handlers_)
        if (after.handlers_.at(signal) != handler)
            findings.warning(
                "host-signals", {},
                fmt::format("changes what the process does on signal {} ({})", signal, ::strsignal(signal)),
                "signals belong to the host");
    if (after.rounding_ != rounding_)
        findings.error("host-rounding", {}, "changes the rounding mode", restore);
    if (after.traps_ != traps_)
        findings.error("host-traps", {}, "changes which floating-point exceptions trap", restore);
    if (after.flushes_results_ != flushes_results_ || after.flushes_operands_ != flushes_operands_)
        findings.error("host-denormals", {}, "makes the processor treat denormal numbers as zero",
                       "do not link with -ffast-math: its start-up code sets this mode for the whole thread");
    if (after.extended_precision_ != extended_precision_)
        findings.error("host-precision", {}, "changes the precision of the x87 unit", restore);
}

} // namespace tenon::check
