#include "tools/model_file/model_schema.hpp"

#include "core/integrators/integrator_types.hpp"
#include "tools/files/json.hpp"
#include "tools/model_file/model_format.hpp"

#include <algorithm>
#include <set>

namespace tenon {
namespace {

class SchemaWriter {
  public:
    std::string write() {
        json_.object();
        json_.member("$schema", "http://json-schema.org/draft-07/schema#");
        json_.member("title", "Tenon model file");
        json_.member("type", "object");
        json_.key("required").array().value("body").end();
        json_.member("additionalProperties", false);
        json_.key("properties").object();
        for (const Section& section : model_sections())
            write_section(section);
        json_.end().end();
        return json_.text();
    }

  private:
    void write_section(const Section& section) {
        json_.key(section.name).object();
        json_.member("description", section.meaning);
        if (section.repeated) {
            json_.member("type", "array");
            json_.key("items").object();
        }
        if (section.variants.empty()) {
            write_table(section.keys, nullptr, section.name == "solver");
        } else {
            json_.key("oneOf").array();
            for (const Variant& variant : section.variants) {
                json_.object().member("title", variant.name).member("description", variant.meaning);
                write_table(section.keys_of(variant), &variant, false);
                json_.end();
            }
            json_.end();
        }
        if (section.repeated)
            json_.end();
        json_.end();
    }

    /// The members of an object's schema. The key `type` of a variant can only be the variant's name.
    void write_table(const std::vector<Key>& keys, const Variant* variant, bool with_options) {
        json_.member("type", "object");
        json_.key("required").array();
        for (const Key& key : keys)
            if (key.required && key.instead.empty())
                json_.value(key.name);
        json_.end();
        json_.member("additionalProperties", false);
        json_.key("properties").object();
        for (const Key& key : keys) {
            json_.key(key.name).object();
            json_.member("description",
                         std::string(key.meaning) +
                             (key.unit.empty() ? "" : " (" + std::string(key.unit) + ")") +
                             (key.fallback.empty() ? "" : "; default: " + std::string(key.fallback)));
            if (variant && key.name == "type")
                json_.member("const", variant->name);
            else
                write_value(key);
            json_.end();
        }
        if (with_options)
            write_options();
        json_.end();
    }

    void write_options() {
        std::set<std::string> seen;
        for (const IntegratorType& type : integrator_types())
            for (const IntegratorOption& option : type.options)
                if (seen.insert(option.name).second) {
                    json_.key(option.name).object().member("description", option.description);
                    const char* kinds[] = {"number", "boolean", "string"};
                    json_.member("type", kinds[option.fallback.index()]).end();
                }
    }

    void write_numbers(int least, int most) {
        json_.member("type", "array").key("items").object().member("type", "number").end();
        json_.member("minItems", least);
        if (most >= least)
            json_.member("maxItems", most);
    }

    void write_names() {
        json_.member("type", "array").key("items").object().member("type", "string").end();
        json_.member("minItems", 2).member("maxItems", 2);
    }

    void write_vectors(int least, int most) {
        json_.member("type", "array").key("items").object();
        write_numbers(3, 3);
        json_.end().member("minItems", least);
        if (most >= least)
            json_.member("maxItems", most);
    }

    void write_words(const Key& key) {
        json_.member("type", "string");
        if (key.words.empty() && key.name != "integrator")
            return;
        json_.key("enum").array();
        for (std::string_view word : key.words)
            json_.value(word);
        if (key.name == "integrator")
            for (const IntegratorType& type : integrator_types())
                json_.value(type.name);
        json_.end();
    }

    void write_choice(const Key& key) {
        json_.key("oneOf").array();
        for (const ChoiceType& type : key.choices()) {
            std::vector<Key> keys = {
                {.name = "type", .type = ValueType::word, .required = true, .meaning = "the type"}};
            keys.insert(keys.end(), type.keys.begin(), type.keys.end());
            const Variant variant{type.name, type.meaning, {}};
            json_.object().member("title", type.name).member("description", type.meaning);
            write_table(keys, &variant, false);
            json_.end();
        }
        json_.end();
    }

    void write_inner(const std::vector<Key>& keys) { write_table(keys, nullptr, false); }

    /// `first` or the table of `keys`.
    template <class First> void write_either(First first, const std::vector<Key>& keys) {
        json_.key("oneOf").array().object();
        first();
        json_.end().object();
        write_inner(keys);
        json_.end().end();
    }

    /// A table of `keys`, or an empty one.
    void write_or_none(const std::vector<Key>& keys) {
        write_either([&] { json_.member("type", "object").member("maxProperties", 0); }, keys);
    }

    void write_law(int least = 1) {
        write_inner(law_keys());
        json_.member("minProperties", least).member("maxProperties", 1);
    }

    template <class Item> void write_tables(int least, int most, Item item) {
        json_.member("type", "array").key("items").object();
        item();
        json_.end().member("minItems", least);
        if (most >= least)
            json_.member("maxItems", most);
    }

    void write_value(const Key& key) {
        using enum ValueType;
        switch (key.type) {
        case text:
        case variable:
        case body:
        case joint:
        case fmu_file:
        case terminal:
            json_.member("type", "string");
            return;
        case settings:
            json_.member("type", "object");
            return;
        case name:
            json_.member("type", "string").member("pattern", "^[A-Za-z_][A-Za-z0-9_]*$");
            return;
        case word:
            return write_words(key);
        case number:
            json_.member("type", "number");
            return;
        case boolean:
            json_.member("type", "boolean");
            return;
        case vector:
            return write_numbers(3, 3);
        case inertia:
            return write_numbers(3, 6);
        case six_numbers:
            return write_numbers(6, 6);
        case sizes:
            return write_numbers(1, 3);
        case numbers:
            return write_numbers(key.name == "polynomial" ? 1 : 2, -1);
        case vectors:
            return write_vectors(2, -1);
        case two_points:
            return write_vectors(2, 2);
        case two_bodies:
        case two_joints:
            return write_names();
        case road:
            json_.member("type", "string");
            return;
        case choice:
            return write_choice(key);
        case choices:
            json_.member("type", "array").key("items").object();
            write_choice(key);
            json_.end();
            return;
        case rows:
            json_.member("type", "array").key("items").object();
            write_numbers(1, -1);
            json_.end().member("minItems", 1);
            return;
        case orientation:
            return write_either([&] { write_numbers(4, 4); }, orientation_keys());
        case friction:
            return write_inner(friction_keys());
        case shape:
            return write_inner(shape_keys());
        case motion:
            return write_either([&] { write_inner(motion_keys()); }, table_keys());
        case load:
            return write_either([&] { write_numbers(3, 3); }, load_table_keys());
        case effort:
            return write_either([&] { json_.member("type", "number"); }, table_keys());
        case scalar_table:
            return write_inner(table_keys());
        case vector_table:
            return write_inner(load_table_keys());
        case range:
            return write_numbers(2, 2);
        case pairs:
            json_.member("type", "array").key("items").object();
            write_numbers(2, 2);
            json_.end().member("minItems", 2);
            return;
        case law:
            return write_law();
        case law_pieces:
            return write_tables(1, -1, [&] { write_inner(law_piece_keys()); });
        case six_laws:
            return write_tables(6, 6, [&] { write_law(0); });
        case stop:
            return write_inner(stop_keys());
        case six_stops:
            return write_tables(6, 6, [&] { write_or_none(stop_keys()); });
        }
    }

    JsonWriter json_;
};

void add_key_table(std::string& page, const std::vector<Key>& keys) {
    page += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    for (const Key& key : keys) {
        std::string kind(type_text(key.type));
        if (!key.words.empty()) {
            kind.clear();
            for (std::string_view word : key.words)
                kind += (kind.empty() ? "\"" : ", \"") + std::string(word) + "\"";
        }
        page += "| `" + std::string(key.name) + "` | " + kind + " | " + std::string(key.unit) + " | " +
                (key.required && key.instead.empty() ? "*required*" : std::string(key.fallback)) + " | " +
                std::string(key.meaning) + " |\n";
    }
    page += "\n";
}

/// One line a type, then each key once: joint types share most of theirs.
void add_joint_types(std::string& page, const Section& section) {
    std::vector<Key> keys;
    page += "| type | keys | what it does |\n|---|---|---|\n";
    for (const Variant& variant : section.variants) {
        std::string names;
        for (const Key& key : variant.keys) {
            names += (names.empty() ? "`" : ", `") + std::string(key.name) + "`" +
                     (key.required ? "" : " (optional)");
            const auto same =
                std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key.name; });
            if (same == keys.end())
                keys.push_back(key);
            else if (key.required)
                *same = key;
        }
        page += "| `" + std::string(variant.name) + "` | " + names + " | " + std::string(variant.meaning) +
                " |\n";
    }
    page += "\n";
    add_key_table(page, keys);
}

/// Keys that differ in nothing but the name share a line: coefficients come by the dozen.
void add_choice(std::string& page, const ChoiceType& type) {
    page += "`type = \"" + std::string(type.name) + "\"`: " + std::string(type.meaning) + ".\n\n";
    if (type.keys.empty())
        return;
    page += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < type.keys.size();) {
        const Key& key = type.keys[i];
        std::string names;
        for (; i < type.keys.size() && type.keys[i].meaning == key.meaning && type.keys[i].type == key.type;
             ++i)
            names += (names.empty() ? "`" : ", `") + std::string(type.keys[i].name) + "`";
        page += "| " + names + " | " + std::string(type_text(key.type)) + " | " + std::string(key.unit) +
                " | " + (key.required ? "*required*" : std::string(key.fallback)) + " | " +
                std::string(key.meaning) + " |\n";
    }
    page += "\n";
}

/// The choices of the sections' keys, each once.
void add_choices(std::string& page, const std::vector<Section>& sections) {
    const auto add = [&](std::string_view owner, const Key& key) {
        if (!key.choices)
            return;
        page += "### `" + std::string(key.name) + "` of a " + std::string(owner) + "\n\n";
        for (const ChoiceType& type : key.choices())
            add_choice(page, type);
    };
    for (const Section& section : sections) {
        for (const Key& key : section.keys)
            add(section.name, key);
        for (const Variant& variant : section.variants)
            for (const Key& key : variant.keys)
                add(variant.name, key);
    }
}

void add_force_types(std::string& page, const Section& section) {
    for (const Variant& variant : section.variants) {
        page += "`type = \"" + std::string(variant.name) + "\"`: " + std::string(variant.meaning) + ".\n\n";
        add_key_table(page, variant.keys);
    }
}

} // namespace

std::string model_schema() { return SchemaWriter().write(); }

std::string sections_markdown(const std::vector<Section>& sections) {
    std::string page;
    for (const Section& section : sections) {
        page += "### `" + section.heading() + "`\n\n" + std::string(section.meaning) + "\n\n";
        add_key_table(page, section.keys);
        if (section.name == "joint")
            add_joint_types(page, section);
        else
            add_force_types(page, section);
    }
    return page;
}

std::string model_reference_markdown() {
    std::string page = sections_markdown(model_sections());
    const std::pair<const char*, const std::vector<Key>*> inner[] = {
        {"`orientation` as a table", &orientation_keys()},
        {"`friction`", &friction_keys()},
        {"`shape`", &shape_keys()},
        {"`motion` as a formula", &motion_keys()},
        {"`motion` and `table` of a driver over time", &table_keys()},
        {"`force`, `torque` and `table` of a load over time", &load_table_keys()},
        {"laws: `spring`, `damper`", &law_keys()},
        {"`pieces` of a law", &law_piece_keys()},
        {"stops: `bump_stop`, `rebound_stop`", &stop_keys()},
    };
    add_choices(page, model_sections());
    for (const auto& [title, keys] : inner) {
        page += "### " + std::string(title) + "\n\n";
        add_key_table(page, *keys);
    }
    page.pop_back();
    return page;
}

} // namespace tenon
