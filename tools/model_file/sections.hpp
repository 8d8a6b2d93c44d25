#pragma once
// What model files and system files have in common: tables that are known, each written with its own brackets.

#include "tools/model_file/model_format.hpp"
#include "tools/model_file/model_table.hpp"
#include "tools/model_file/toml.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// Null where none of the sections has that name.
const Section* find_section(const std::vector<Section>& sections, std::string_view name);

/// Refuses unknown tables, keys outside of tables, and wrong brackets. `meant` gives the section that somebody may have meant
/// by another word, or nothing.
void check_sections(const TomlNode& root, const std::string& file, const std::vector<Section>& sections,
                    std::string (*meant)(std::string_view));

/// "body 'crank'", or "body number 3" where it has no name.
std::string element_text(std::string_view section, const TomlNode& node, std::size_t number);

/// Calls `read` with each table of a repeated section that check_sections() has passed.
template <class Read>
void each_table(const TomlNode& root, const std::string& file, std::string_view section, Read read) {
    const TomlEntry* entry = root.find(section);
    if (!entry)
        return;
    std::size_t number = 0;
    for (const TomlNode& item : entry->node.items())
        read(ModelTable(file, item, item.line, element_text(section, item, ++number)));
}

} // namespace tenon
