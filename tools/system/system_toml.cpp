#include "tools/system/system_toml.hpp"

#include "core/model/suggest.hpp"
#include "modelDescription/identifier.hpp"
#include "tools/files/errors.hpp"
#include "tools/model_file/sections.hpp"
#include "tools/model_file/toml.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/system/master_settings.hpp"
#include "tools/system/system_format.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::system {
namespace {

/// Whole numbers beyond 2^53 are not exact in a double.
bool is_exact(const TomlNode& number) {
    constexpr std::int64_t limit = std::int64_t(1) << 53;
    const auto* whole = std::get_if<std::int64_t>(&number.value);
    return !whole || (*whole >= -limit && *whole <= limit);
}

/// All items as numbers, truths or texts; nothing where they are none of these or mixed.
std::optional<SettingValue> list_value(const TomlNode::Array& items) {
    const auto all = [&](auto is) { return std::all_of(items.begin(), items.end(), is); };
    if (all([](const TomlNode& n) { return n.is_number() && is_exact(n); })) {
        std::vector<double> numbers;
        for (const TomlNode& item : items)
            numbers.push_back(item.number());
        return numbers;
    }
    if (all([](const TomlNode& n) { return n.is_boolean(); })) {
        std::vector<bool> truths;
        for (const TomlNode& item : items)
            truths.push_back(item.boolean());
        return truths;
    }
    if (all([](const TomlNode& n) { return n.is_text(); })) {
        std::vector<std::string> texts;
        for (const TomlNode& item : items)
            texts.push_back(item.text());
        return texts;
    }
    return {};
}

/// Rows of a matrix one after the other.
TomlNode::Array flattened(const TomlNode::Array& items) {
    TomlNode::Array result;
    for (const TomlNode& item : items)
        if (item.is_array())
            for (const TomlNode& inner : flattened(item.items()))
                result.push_back(inner);
        else
            result.push_back(item);
    return result;
}

std::optional<SettingValue> setting_value(const TomlNode& node) {
    if (!is_exact(node))
        return std::get<std::int64_t>(node.value);
    if (node.is_number())
        return node.number();
    if (node.is_boolean())
        return node.boolean();
    if (node.is_text())
        return node.text();
    return node.is_array() ? list_value(flattened(node.items())) : std::nullopt;
}

class SystemReader {
  public:
    SystemReader(const TomlNode& root, const std::string& file) : root_(root) {
        system_.file = file;
        system_.sources = {file};
    }

    System read() {
        if (const TomlEntry* model = root_.find("model"); model && !root_.find("system"))
            refuse(model->line,
                   "this is a model, not a system of FMUs; 'tenon simulate' runs it, and 'tenon export' "
                   "makes an FMU of it");
        if (const TomlEntry* body = root_.find("body"); body && !root_.find("system"))
            refuse(body->line, "this is a model, not a system of FMUs; 'tenon simulate' runs it");
        check_sections(root_, file(), system_sections(), meant_system_section);
        read_head();
        each("fmu", [&](const ModelTable& t) { read_fmu(t); });
        if (system_.fmus.empty())
            refuse(1, "the system has no FMUs; one is written [[fmu]] with name and file");
        names_.emplace(system_);
        each("connection", [&](const ModelTable& t) { read_connection(t); });
        each("joint", [&](const ModelTable& t) { read_joint(t); });
        read_master();
        return std::move(system_);
    }

  private:
    const std::string& file() const { return system_.sources.front(); }

    [[noreturn]] void refuse(int line, const std::string& problem) const {
        throw bad_input(file(), line, problem);
    }

    template <class Read> void each(std::string_view section, Read read) {
        each_table(root_, file(), section, read);
    }

    static const std::vector<Key>& keys(std::string_view section) {
        return find_section(system_sections(), section)->keys;
    }

    void read_head() {
        system_.name = system_.file.stem().string();
        const TomlEntry* entry = root_.find("system");
        if (!entry)
            return;
        const ModelTable table(file(), entry->node, entry->line, "system");
        table.check(keys("system"));
        system_.name = table.text("name", system_.name);
        if (system_.name.empty())
            table.refuse("name", "the name must not be empty");
    }

    void read_fmu(const ModelTable& table) {
        table.check(keys("fmu"));
        SystemFmu fmu;
        fmu.name = checked_name(table);
        fmu.file = system_.file.parent_path() / table.text("file");
        fmu.isolate = table.boolean("isolate");
        fmu.line = table.line();
        if (table.text("file").empty())
            table.refuse("file", "the name of the file must not be empty");
        for (const SystemFmu& other : system_.fmus)
            if (other.name == fmu.name)
                refuse(fmu.line, "the name '" + printable(fmu.name) + "' is used twice (first in line " +
                                     std::to_string(other.line) + ")");
        if (const TomlNode* set = table.find("set"))
            read_settings(table, *set, fmu);
        system_.fmus.push_back(std::move(fmu));
    }

    /// `crank.mass = 2` without quotes is a table in a table for TOML; here it means what it looks like.
    static void read_settings(const ModelTable& table, const TomlNode& set, SystemFmu& fmu,
                              const std::string& prefix = {}) {
        for (const TomlEntry& entry : set.entries()) {
            if (entry.node.is_table()) {
                read_settings(table, entry.node, fmu, prefix + entry.key + ".");
                continue;
            }
            std::optional<SettingValue> value = setting_value(entry.node);
            if (!value)
                throw bad_input(table.file(), entry.line,
                                table.what() + ", set: '" + printable(prefix + entry.key) +
                                    "' must be a number, true or false, a text, or a list of one of them");
            Setting setting;
            setting.variable = prefix + entry.key;
            setting.value = std::move(*value);
            setting.line = entry.line;
            fmu.set.push_back(std::move(setting));
        }
    }

    std::string checked_name(const ModelTable& table) {
        const std::string name = table.text("name");
        if (!fmi::is_model_identifier(name))
            table.refuse(
                "name",
                "'" + printable(name) +
                    "' is not a name; letters, digits and _ make one, and it does not begin with a digit");
        if (name == "world" || name == "time")
            table.refuse("name", "the name '" + name + "' is taken; choose another");
        return name;
    }

    /// Of two words, the first is meant to be an FMU; otherwise `form` says how it is written.
    std::string unknown_fmu(const std::string& text, char separator, const std::string& form) const {
        const std::size_t at = text.find(separator);
        if (at != text.npos && at > 0 && at + 1 < text.size())
            return "there is no fmu '" + printable(text.substr(0, at)) + "'; " +
                   names_->suggest(text, separator);
        return form + " (" + printable(text) + "); " + meant_end(text, separator);
    }

    /// What may be meant by an end that is not "<fmu>/<terminal>" or "<fmu>.<variable>".
    std::string meant_end(const std::string& text, char separator) const {
        if (const auto other = names_->split(text, separator == '/' ? '.' : '/'))
            return "did you mean '" + printable(system_.fmus[other->fmu].name) + separator +
                   printable(other->rest) + "'?";
        const std::string bare = text.substr(0, text.find(separator));
        if (const auto fmu = names_->split(bare + separator + "x", separator))
            return "'tenon info " + printable(system_.fmus[fmu->fmu].file.string(), 4096) +
                   "' lists what fmu '" + printable(bare) + "' has";
        if (separator == '/' && !nearest_name(text, std::vector<std::string>{"world"}).empty())
            return "did you mean 'world'?";
        return names_->suggest(text, separator);
    }

    /// <fmu>.<variable>, or <fmu>/<terminal>. Names of FMUs have neither dots nor slashes here, those of variables may have both.
    static bool is_terminal(const std::string& end) {
        const std::size_t at = end.find_first_of("./");
        return at != end.npos && end[at] == '/';
    }

    Endpoint read_end(const ModelTable& table, std::string_view key) const {
        const std::string text = table.text(key);
        const char separator = is_terminal(text) ? '/' : '.';
        const std::optional<SplitName> split = names_->split(text, separator);
        if (!split)
            table.refuse(
                key, unknown_fmu(text, separator,
                                 "'" + std::string(key) + "' must be <fmu>.<variable> or <fmu>/<terminal>"));
        return {split->fmu, split->rest, {}};
    }

    void read_connection(const ModelTable& table) {
        table.check(keys("connection"));
        Connection connection;
        connection.from = read_end(table, "from");
        connection.to = read_end(table, "to");
        connection.factor = table.number("factor", 1);
        connection.offset = table.number("offset", 0);
        connection.convert_units = !table.boolean("suppress_unit_conversion");
        connection.line = table.line();
        connection.of_terminals = is_terminal(table.text("from"));
        if (connection.of_terminals != is_terminal(table.text("to")))
            table.refuse("to", "a terminal is connected to a terminal, a variable to a variable (" +
                                   printable(table.text("from")) + " to " + printable(table.text("to")) +
                                   ")");
        for (const char* key : {"factor", "offset"})
            if (connection.of_terminals && table.has(key))
                table.refuse(key, "terminals take no '" + std::string(key) +
                                      "': their members say what is passed on and with which sign");
        system_.connections.push_back(std::move(connection));
    }

    Side read_side(const ModelTable& table, std::string_view key) const {
        const std::string text = table.text(key);
        if (text == "world")
            return {};
        const std::optional<SplitName> split = names_->split(text, '/');
        if (!split)
            table.refuse(
                key,
                unknown_fmu(text, '/', "'" + std::string(key) + "' must be <fmu>/<terminal> or \"world\""));
        return {split->fmu, split->rest};
    }

    void read_joint(const ModelTable& table) {
        const Section& section = *find_section(system_sections(), "joint");
        const TomlNode* type = table.find("type");
        const Variant* variant = type && type->is_text() ? section.variant(type->text()) : nullptr;
        if (type && type->is_text() && !variant)
            refuse_joint_type(table, type->text());
        std::vector<Key> all = section.keys;
        if (variant)
            all.insert(all.end(), variant->keys.begin(), variant->keys.end());
        table.check(all, &section);
        GlueJoint joint;
        joint.name = checked_name(table);
        joint.type = type->text();
        joint.a = read_side(table, "a");
        joint.b = read_side(table, "b");
        joint.method = table.text("method");
        joint.line = table.line();
        for (const Key& key : variant->keys)
            if (table.has(key.name))
                read_numbers(table, key, joint.numbers);
        system_.joints.push_back(std::move(joint));
    }

    static void read_numbers(const ModelTable& table, const Key& key,
                             std::map<std::string, std::vector<double>>& numbers) {
        const std::string name(key.name);
        if (key.type == ValueType::number)
            numbers[name] = {table.number(key.name, 0)};
        else if (key.type == ValueType::vector)
            numbers[name] = table.numbers(key.name);
        else // motion: a formula or a table
            for (const TomlEntry& entry : table.find(key.name)->entries())
                numbers[name + "." + entry.key] = entry.node.is_array()
                                                      ? table.inner(key.name).numbers(entry.key)
                                                      : std::vector{entry.node.number()};
    }

    [[noreturn]] static void refuse_joint_type(const ModelTable& table, const std::string& type) {
        std::vector<std::string> names;
        for (const Variant& variant : find_section(system_sections(), "joint")->variants)
            names.emplace_back(variant.name);
        const std::string what = "a joint between FMUs cannot be of type '" + printable(type) + "'; ";
        table.refuse("type", what + suggestion(type, names, names.size()));
    }

    void read_master() {
        const TomlEntry* entry = root_.find("master");
        if (!entry)
            return;
        const ModelTable table(file(), entry->node, entry->line, "master");
        table.check(keys("master"));
        MasterSettings& master = system_.master;
        master.method = table.text("method", master.method);
        master.start = table.number("start", master.start);
        master.step = table.number("step", master.step);
        master.stop = table.number("stop", master.stop);
        master.tolerance = table.number("tolerance", master.tolerance);
        master.adaptive = table.boolean("adaptive");
        master.iteration = table.text("iteration", master.iteration);
        master.corrections = table.text("corrections", master.corrections);
        master.polynomial = table.text("polynomial", master.polynomial);
        master.extrapolation = whole(table, "extrapolation", master.extrapolation);
        master.max_iterations = whole(table, "max_iterations", master.max_iterations);
        if (const std::string problem = master_problem(master); !problem.empty())
            table.refuse(problem.substr(0, problem.find(' ')), problem);
    }

    static int whole(const ModelTable& table, std::string_view key, int fallback) {
        const double value = table.number(key, fallback);
        if (std::trunc(value) != value || std::abs(value) > 1e9)
            table.refuse(key, std::string(key) + " must be a whole number");
        return static_cast<int>(value);
    }

    const TomlNode& root_;
    System system_;
    std::optional<FmuNames> names_;
};

} // namespace

System parse_system(std::string_view text, const std::string& file) {
    const TomlNode root = parse_toml(text, file);
    return SystemReader(root, file).read();
}

bool is_system_text(std::string_view text) {
    try {
        const TomlNode root = parse_toml(text, "");
        return root.find("system") || (root.find("fmu") && !root.find("model") && !root.find("body"));
    } catch (const InputError&) {
        return false;
    }
}

} // namespace tenon::system
