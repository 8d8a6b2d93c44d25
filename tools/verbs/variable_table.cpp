#include "tools/verbs/variable_table.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

/// Lines of a list that are shown without --verbose.
constexpr std::size_t shown_lines = 40;

} // namespace

void print_section(std::string_view title, const TextTable& table) {
    if (table.empty())
        return;
    fmt::print("\n{}\n", styled(title, Style::bold, stdout));
    table.print(stdout, 2);
}

void print_variables(std::string_view title, const std::vector<ListedVariable>& variables, bool verbose) {
    struct Line {
        std::string name, unit, description;
        std::string first, last; ///< what stands in the brackets; empty: none
    };
    std::vector<Line> lines;
    for (const ListedVariable& variable : variables) {
        const std::size_t bracket =
            variable.name.ends_with(']') ? variable.name.rfind('[') : std::string::npos;
        const std::string base = variable.name.substr(0, bracket);
        const std::string index = bracket == std::string::npos
                                      ? ""
                                      : variable.name.substr(bracket + 1, variable.name.size() - bracket - 2);
        const bool starts = index.empty() || index == "1" || index == "1,1";
        if (!starts && !lines.empty() && lines.back().name == base)
            lines.back().last = index;
        else
            lines.push_back({base, variable.unit, variable.description, index, index});
    }
    TextTable table({Align::left, Align::left, Align::left});
    for (std::size_t i = 0; i < lines.size() && (verbose || i < shown_lines); ++i) {
        const Line& line = lines[i];
        const std::string indices = line.last.empty() ? ""
                                    : line.last == line.first
                                        ? fmt::format("[{}]", line.first)
                                        : fmt::format("[{}..{}]", line.first, line.last);
        table.add({line.name + indices, line.unit, line.description});
    }
    print_section(fmt::format("{} ({})", title, variables.size()), table);
    if (!verbose && lines.size() > shown_lines)
        fmt::print("  ... and {} more lines with --verbose\n", lines.size() - shown_lines);
}

} // namespace tenon::verbs
