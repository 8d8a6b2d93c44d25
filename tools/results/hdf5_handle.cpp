#include "tools/results/hdf5_handle.hpp"

#include <string_view>

namespace tenon::results {
namespace {

/// Called by the library for each line of its error stack, innermost first; the first is enough.
herr_t take_first(unsigned, const H5E_error2_t* error, void* text) {
    auto& reason = *static_cast<std::string*>(text);
    if (reason.empty() && error->desc != nullptr)
        reason = error->desc;
    return 0;
}

/// The driver writes "..., errno = 28, error message = 'No space left on device', buf = ...".
std::string system_message(const std::string& reason) {
    constexpr std::string_view key = "error message = '";
    const std::size_t begin = reason.find(key);
    if (begin == reason.npos)
        return reason;
    const std::size_t from = begin + key.size();
    return reason.substr(from, reason.find('\'', from) - from);
}

} // namespace

std::string hdf5_problem() {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
    return reason.empty() ? "HDF5 gives no reason" : system_message(reason);
}

void prepare_hdf5() {
    H5dont_atexit();
    silence_hdf5();
}

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

} // namespace tenon::results
