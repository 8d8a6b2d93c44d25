#include "tools/system/methods.hpp"

#include <algorithm>
#include <array>

namespace tenon::system {
namespace {

constexpr bool joints = true, signals = false;

constexpr std::array words = {
    MethodWord{"jacobi", signals,
               "all FMUs step at the same time, with the others' outputs at the step's start"},
    MethodWord{"gauss-seidel", signals,
               "one FMU after the other, each with the latest outputs of the others"},
    MethodWord{"iterate", signals, "loops repeat their step until inputs and outputs agree at its end"},
    MethodWord{"newton", joints, "closes joints by rollback and the compliance of the ports"},
    MethodWord{"difference", joints, "closes joints by rollback and trial steps"},
    MethodWord{"dead-beat", joints, "for FMUs without rollback; less accurate"},
    MethodWord{"compliant", joints, "a spring and a damper in place of the joint"},
};

} // namespace

std::span<const MethodWord> method_words() { return words; }

const MethodWord* find_method(std::string_view name) {
    const auto found = std::ranges::find(words, name, &MethodWord::name);
    return found == words.end() ? nullptr : &*found;
}

std::string method_list(bool for_joints, std::string_view last_separator) {
    std::vector<std::string_view> names;
    for (const MethodWord& word : words)
        if (word.for_joints == for_joints)
            names.push_back(word.name);
    std::string list(names.front());
    for (std::size_t i = 1; i < names.size(); ++i)
        list.append(i + 1 < names.size() ? ", " : last_separator).append(names[i]);
    return list;
}

} // namespace tenon::system
