#include "tools/model_file/toml.hpp"

#include "tools/files/errors.hpp"
#include "tools/model_file/toml_scan.hpp"

#include <algorithm>
#include <stdexcept>

// toml++ 3.3 aborts, or runs into undefined behaviour, where an input breaks one of its assertions ("[=" does). Here
// they throw, which needs its source in this file instead of the installed library.
#undef NDEBUG
#undef TOML_SHARED_LIB
#undef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(...) tenon::expect_toml(static_cast<bool>(__VA_ARGS__))
namespace tenon {
static constexpr void expect_toml(bool holds) {
    if (!holds)
        throw std::logic_error("unexpected text");
}
} // namespace tenon
#include <toml++/toml.h>

namespace tenon {
namespace {

int line_of(const toml::source_region& source) { return static_cast<int>(source.begin.line); }

TomlNode convert(const toml::node& node);

TomlNode::Table convert_table(const toml::table& table) {
    std::vector<std::pair<toml::source_position, const toml::key*>> order;
    for (const auto& [key, node] : table)
        order.emplace_back(key.source().begin, &key);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    TomlNode::Table entries;
    entries.reserve(order.size());
    for (const auto& [place, key] : order)
        entries.push_back(
            {std::string(key->str()), static_cast<int>(place.line), convert(*table.get(key->str()))});
    return entries;
}

TomlNode convert(const toml::node& node) {
    TomlNode result;
    result.line = line_of(node.source());
    if (const auto* table = node.as_table()) {
        result.value = convert_table(*table);
    } else if (const auto* array = node.as_array()) {
        TomlNode::Array items;
        items.reserve(array->size());
        for (const toml::node& item : *array)
            items.push_back(convert(item));
        result.value = std::move(items);
    } else if (const auto* text = node.as_string()) {
        result.value = text->get();
    } else if (const auto* integer = node.as_integer()) {
        result.value = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
        result.value = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
        result.value = boolean->get();
    } else {
        result.value = TomlDate{};
    }
    return result;
}

/// toml++ says what it did not expect; this adds what people most often meant.
std::string hint(std::string_view description) {
    struct Hint {
        std::string_view sign, advice;
    };
    // The first sign that the description holds decides.
    static constexpr Hint hints[] = {
        {"redefine existing", "a key stands once in its table, and further elements begin with [[...]]"},
        {"end-of-file", "a bracket or a quote is not closed"},
        {"table header",
         "a table begins with its name in brackets: [name], or [[name]] where there can be several"},
        {"could not determine value type",
         "texts stand in quotes, lists in square brackets, and numbers are written out"},
        {"saw ';'", "values of a list are separated by commas"},
        {"saw '/'", "a comment begins with #"},
        {"saw ','", "numbers use a decimal point, lists stand in brackets"},
        {"parsing floating-point: expected", "numbers are written 0.5 or 5.0"},
        {"parsing floating-point", "numbers reach to 1.7e308"},
        {"64 bits", "write it with a decimal point"},
        {"parsing string", "a text stands in quotes in one line; a backslash is written twice"},
        {"parsing array", "a list is written [1, 2, 3]"},
        {"inline table", "a table in braces is written { key = value, key = value } in one line"},
        {"expected", "a line is: key = value"},
    };
    for (const auto& [sign, advice] : hints)
        if (description.find(sign) != std::string_view::npos)
            return "; " + std::string(advice);
    return "";
}

/// "Error while parsing value: ..." without what the reader knows already.
std::string shortened(std::string_view description) {
    constexpr std::string_view prefix = "Error while parsing ";
    if (description.starts_with(prefix))
        description.remove_prefix(prefix.size());
    return std::string(description);
}

} // namespace

const TomlEntry* TomlNode::find(std::string_view key) const {
    for (const TomlEntry& entry : entries())
        if (entry.key == key)
            return &entry;
    return nullptr;
}

TomlNode parse_toml(std::string_view text, const std::string& file) {
    const std::optional<OpenQuote> open = check_toml_text(text, file);
    try {
        TomlNode root = convert(toml::parse(text));
        root.line = 1;
        return root;
    } catch (const toml::parse_error& error) {
        if (open && line_of(error.source()) >= open->line)
            throw bad_input(file, open->line, "not valid TOML: " + open->what);
        throw bad_input(file, line_of(error.source()),
                        "not valid TOML: " + shortened(error.description()) + hint(error.description()));
    } catch (const std::logic_error& error) {
        throw bad_input(file, 1, std::string("not valid TOML: ") + error.what() + " somewhere in the file");
    }
}

} // namespace tenon
