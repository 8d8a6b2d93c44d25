// The names in an archive: each by itself, then each beside the others.

#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"
#include "tools/archive/name_fold.hpp"
#include "tools/files/utf8.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace tenon {
namespace {

/// That of ext4, NTFS and most others.
constexpr std::size_t longest_component = 255;

/// A device on Windows, in whatever folder and with whatever ending: CON, nul.txt, "com1 .c".
bool windows_device(std::string_view component) {
    std::string stem = folded_name(component.substr(0, component.find('.')));
    stem.resize(stem.find_last_not_of(' ') + 1);
    for (const char* device : {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"})
        if (stem == device)
            return true;
    if (!stem.starts_with("com") && !stem.starts_with("lpt"))
        return false;
    const std::string number = stem.substr(3);
    return (number.size() == 1 && number[0] >= '0' && number[0] <= '9') || number == "¹" || number == "²" ||
           number == "³";
}

std::string component_fault(std::string_view component) {
    if (component.empty())
        return "the name has '//'";
    if (component == "..")
        return "the name has '..'";
    if (component == ".")
        return "the name has './'";
    if (component.size() > longest_component)
        return fmt::format("a part of the name has {} bytes (limit {})", component.size(), longest_component);
    if (component.back() == '.' || component.back() == ' ')
        return "a part of the name ends in a dot or a space";
    if (windows_device(component))
        return "the name '" + printable(component) + "' is reserved on Windows";
    return {};
}

std::string character_fault(std::string_view name) {
    if (utf8_valid_prefix(name) != name.size())
        return "the name is not UTF-8";
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool c1 = c == 0xC2 && static_cast<unsigned char>(name[i + 1]) < 0xA0; // U+0080 to U+009F
        if (c < 0x20 || c == 0x7F || c1)
            return c == 0 ? "the name has a NUL" : "the name has a control character";
    }
    return {};
}

/// The component of `name` at `at`, which is moved behind it.
std::string_view next_component(std::string_view name, std::size_t& at) {
    const std::size_t start = at, end = std::min(name.find('/', start), name.size());
    at = end + 1;
    return name.substr(start, end - start);
}

std::string_view without_slash(std::string_view name) {
    return name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
}

/// The rule that two names, neighbours in the order of their folded forms, break together; "" for none.
std::string clash(std::string_view a, std::string_view b) {
    const std::string_view path_a = without_slash(a), path_b = without_slash(b);
    std::size_t at_a = 0, at_b = 0;
    while (at_a <= path_a.size() && at_b <= path_b.size()) {
        const std::string_view part_a = next_component(path_a, at_a), part_b = next_component(path_b, at_b);
        if (folded_name(part_a) != folded_name(part_b))
            return {};
        const bool last_a = at_a > path_a.size(), last_b = at_b > path_b.size();
        if ((last_a && !a.ends_with('/')) != (last_b && !b.ends_with('/')))
            return "a file is also a folder; see";
        if (part_a != part_b)
            return "the name differs only in case or Unicode form from";
        if (last_a && last_b)
            return "the name is there twice; see";
    }
    return {};
}

} // namespace

std::string name_fault(std::string_view name) {
    if (name.empty())
        return "the name is empty";
    if (std::string fault = character_fault(name); !fault.empty())
        return fault;
    if (name.find('\\') != std::string_view::npos)
        return "the name has a backslash";
    if (name.find(':') != std::string_view::npos)
        return "the name has a colon, as of a drive or a stream of Windows";
    if (name.front() == '/')
        return "the name is absolute";
    const std::string_view whole = without_slash(name);
    for (std::size_t at = 0; at <= whole.size();)
        if (std::string fault = component_fault(next_component(whole, at)); !fault.empty())
            return fault;
    return {};
}

std::optional<NameClash> find_clash(const std::vector<std::string_view>& names) {
    // With a separator below all characters, everything in a folder stands together, right behind the folder's name.
    std::vector<std::string> keys;
    keys.reserve(names.size());
    for (const std::string_view name : names) {
        keys.push_back(folded_name(without_slash(name)));
        std::replace(keys.back().begin(), keys.back().end(), '/', '\1');
    }
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const std::string_view a = names[order[i - 1]], b = names[order[i]];
        if (const std::string rule = clash(a, b); !rule.empty())
            return NameClash{a, fmt::format("{} '{}'", rule, printable(b, 200))};
    }
    return {};
}

} // namespace tenon
