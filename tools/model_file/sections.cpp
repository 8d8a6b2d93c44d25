#include "tools/model_file/sections.hpp"

#include "tools/files/errors.hpp"

namespace tenon {
namespace {

[[noreturn]] void refuse_unknown(const TomlEntry& entry, const std::string& file,
                                 const std::vector<Section>& sections,
                                 std::string (*meant)(std::string_view)) {
    const bool tables = entry.node.is_table() || (entry.node.is_array() && !entry.node.items().empty() &&
                                                  entry.node.items().front().is_table());
    const std::string what =
        "unknown " + std::string(tables ? "table" : "key") + " '" + printable(entry.key) + "'; ";
    for (const Section& section : sections)
        if (!tables && find_key(section.keys, entry.key))
            throw bad_input(file, entry.line, what + "it belongs into " + section.heading());
    if (const Section* near = find_section(sections, meant(entry.key)))
        throw bad_input(file, entry.line, what + "did you mean " + near->heading() + "?");
    std::string all;
    for (const Section& known : sections)
        all += " " + known.heading();
    throw bad_input(file, entry.line, what + "the tables are" + all);
}

} // namespace

const Section* find_section(const std::vector<Section>& sections, std::string_view name) {
    for (const Section& section : sections)
        if (section.name == name)
            return &section;
    return nullptr;
}

void check_sections(const TomlNode& root, const std::string& file, const std::vector<Section>& sections,
                    std::string (*meant)(std::string_view)) {
    for (const TomlEntry& entry : root.entries()) {
        const Section* section = find_section(sections, entry.key);
        if (!section)
            refuse_unknown(entry, file, sections, meant);
        if (section->repeated ? !entry.node.is_array() : !entry.node.is_table())
            throw bad_input(file, entry.line,
                            "'" + entry.key + "' must be written " + section->heading() +
                                (section->repeated ? ", once for each" : ", once"));
        if (section->repeated)
            for (const TomlNode& item : entry.node.items())
                if (!item.is_table())
                    throw bad_input(file, item.line,
                                    "'" + entry.key + "' must be tables, written " + section->heading());
    }
}

std::string element_text(std::string_view section, const TomlNode& node, std::size_t number) {
    const TomlEntry* name = node.find("name");
    return std::string(section) + (name && name->node.is_text() ? " '" + printable(name->node.text()) + "'"
                                                                : " number " + std::to_string(number));
}

} // namespace tenon
