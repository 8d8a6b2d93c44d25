#pragma once
// The words that `method` may be, in system files, SSP annotations and options. What they do is known to the registries of
// tools/master/schemes (for signals) and tools/glue/methods (for joints), which a test holds to this list.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::system {

struct MethodWord {
    std::string_view name;
    bool for_joints = false;
    std::string_view help;
};

/// All but "auto", which leaves the choice to the master.
std::span<const MethodWord> method_words();
/// Null for "auto" and for words that nobody knows.
const MethodWord* find_method(std::string_view name);
/// "jacobi, gauss-seidel, iterate"
std::string method_list(bool for_joints, std::string_view last_separator = ", ");

} // namespace tenon::system
