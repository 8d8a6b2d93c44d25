#include "tools/model_file/model_reader.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/math/digits.hpp"
#include "core/model/validate.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_elements.hpp"
#include "tools/model_file/sections.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

namespace tenon {
namespace {

/// A multiple of pi/12 with at least four digits, or one of pi/4 with three: 1.5708, 1.57, 0.5236. Degrees are not written so.
bool looks_like_radians(double number) {
    const double angle = std::abs(number), step = std::numbers::pi / 12;
    const double multiple = std::round(angle / step);
    if (multiple < 1 || multiple > 48)
        return false;
    const double exact = multiple * step;
    for (int count = std::fmod(multiple, 3) == 0 ? 3 : 4; count <= 17; ++count) {
        const double last = std::pow(10.0, std::floor(std::log10(exact)) + 1 - count);
        const double rounding = 1e-6 * last; // of the decimal number in binary
        if (std::abs(angle - std::round(exact / last) * last) <= rounding ||
            std::abs(angle - std::floor(exact / last) * last) <= rounding)
            return true;
    }
    return false;
}

class ModelReader {
  public:
    ModelReader(const TomlNode& root, const std::string& file) : root_(root) { result_.file = file; }

    ModelFile read() {
        if (const TomlEntry* system = root_.find("system"))
            refuse(system->line, "this is a system of FMUs, not a model; 'tenon run' runs it");
        check_sections(root_, result_.file, model_sections(), meant_section);
        for (const TomlEntry& entry : root_.entries())
            if (!find_section(entry.key)->repeated)
                add_lines(entry.key, entry.line, entry.node);
        for (const Section& section : model_sections())
            if (section.repeated)
                collect_names(section);
        read_head();
        Model& model = result_.model;
        each("body", [&](const ModelTable& t) { model.bodies.push_back(read_body(t)); });
        each("joint",
             [&](const ModelTable& t) { model.joints.push_back(read_joint(t, names_, model.bodies)); });
        each("road", [&](const ModelTable& t) { model.roads.push_back(read_road(t)); });
        each("driver", [&](const ModelTable& t) { model.drivers.push_back(read_driver(t, names_)); });
        each("force", [&](const ModelTable& t) { model.forces.push_back(read_force(t, names_)); });
        each("port", [&](const ModelTable& t) { model.ports.push_back(read_port(t, names_)); });
        each("flange", [&](const ModelTable& t) { model.flanges.push_back(read_flange(t, names_)); });
        each("input", [&](const ModelTable& t) { model.inputs.push_back(read_alias(t, "input")); });
        each("output", [&](const ModelTable& t) { model.outputs.push_back(read_alias(t, "output")); });
        if (const TomlEntry* entry = root_.find("solver"))
            model.solver = read_solver({result_.file, entry->node, entry->line, "solver"});
        check_model();
        return std::move(result_);
    }

  private:
    void collect_names(const Section& section) {
        const TomlEntry* entry = root_.find(section.name);
        if (!entry)
            return;
        int index = 0;
        for (const TomlNode& item : entry->node.items()) {
            if (const TomlEntry* name = item.find("name"); name && name->node.is_text()) {
                const std::string& text = name->node.text();
                if (const auto [place, is_new] = first_lines_.emplace(text, name->line); !is_new)
                    refuse(name->line, "the name '" + printable(text) + "' is used twice (first in line " +
                                           std::to_string(place->second) +
                                           "); all elements share one namespace");
                add_lines(text, item.line, item);
                if (section.name == "body")
                    names_.bodies.emplace(text, index);
                if (section.name == "joint")
                    names_.joints.emplace(text, index);
            }
            ++index;
        }
    }

    void add_lines(const std::string& element, int line, const TomlNode& node) {
        result_.lines.insert_or_assign(element, line);
        for (const TomlEntry& entry : node.entries()) {
            const std::string name = element + "." + entry.key;
            result_.lines.emplace(name, entry.line);
            const TomlEntry* angle = entry.node.is_table() ? entry.node.find("angle_deg") : nullptr;
            if (angle && angle->node.is_number() && looks_like_radians(angle->node.number()))
                result_.remarks.push_back(
                    {name, "'" + element + "': angle_deg = " + digits(angle->node.number()) +
                               " looks like radians; did you mean angle = " + digits(angle->node.number()) +
                               ", or angle_deg = " +
                               digits(std::round(angle->node.number() * 180 / std::numbers::pi)) + "?"});
        }
    }

    void read_head() {
        Model& model = result_.model;
        model.name = std::filesystem::path(result_.file).stem().string();
        const TomlEntry* entry = root_.find("model");
        if (!entry)
            return;
        const ModelTable table(result_.file, entry->node, entry->line, "model");
        table.check(find_section("model")->keys);
        model.name = table.text("name", model.name);
        if (model.name.empty())
            table.refuse("name", "the name must not be empty");
        model.description = table.text("description");
        model.gravity = table.vector("gravity", model.gravity);
    }

    template <class Read> void each(std::string_view section, Read read) {
        each_table(root_, result_.file, section, read);
    }

    void check_model() {
        if (result_.model.bodies.empty())
            refuse(1, "the model has no bodies; a body is written [[body]] with name, mass and inertia");
        try {
            validate(result_.model);
            resolve_settings(result_.model.solver);
        } catch (const Error& error) {
            throw result_.located(error);
        }
    }

    [[noreturn]] void refuse(int line, const std::string& problem) const {
        throw bad_input(result_.file, line, problem);
    }

    const TomlNode& root_;
    ModelFile result_;
    ModelNames names_;
    std::map<std::string, int> first_lines_; ///< of names
};

/// An FMU or SSP given for a model: better said than "control character". Pipes are not looked into.
void refuse_archive(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return;
    std::array<char, 4> begin{};
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
    if (std::string_view(begin.data(), begin.size()) == "PK\x03\x04")
        throw bad_input(shown(path), 0,
                        "this is a zip archive such as an FMU or SSP, not a model (TOML); 'tenon info' shows "
                        "what is in it");
}

} // namespace

int ModelFile::line_of(std::string element) const {
    while (!element.empty()) {
        if (const auto place = lines.find(element); place != lines.end())
            return place->second;
        const std::size_t dot = element.rfind('.');
        element.resize(dot == std::string::npos ? 0 : dot);
    }
    return 0;
}

InputError ModelFile::located(const Error& error) const {
    return bad_input(file, line_of(error.element()), error.what());
}

std::vector<std::string> ModelFile::warnings(std::size_t most) const {
    std::vector<Doubt> all = remarks;
    for (Doubt& doubt : doubts(model))
        all.push_back(std::move(doubt));
    std::vector<std::string> lines_to_print;
    for (const Doubt& doubt : all) {
        if (lines_to_print.size() == most) {
            lines_to_print.push_back(file + ": and " + std::to_string(all.size() - most) +
                                     " more of this kind");
            break;
        }
        const int line = line_of(doubt.element);
        lines_to_print.push_back((line > 0 ? file + ":" + std::to_string(line) : file) + ": " + doubt.text);
    }
    return lines_to_print;
}

Error ModelFile::placed(const Error& error) const {
    if (error.kind() == ErrorKind::usage)
        return error;
    const int line = line_of(error.element());
    const std::string place = line > 0 ? file + ":" + std::to_string(line) : file;
    return {error.kind(), place + ": " + error.what(), error.element()};
}

ModelFile parse_model_file(std::string_view text, const std::string& file_name) {
    const TomlNode root = parse_toml(text, file_name);
    return ModelReader(root, file_name).read();
}

ModelFile read_model_file(const std::filesystem::path& path) {
    refuse_archive(path);
    return parse_model_file(read_text_file(path, toml_size_limit), path.string());
}

Model read_model(const std::filesystem::path& path) { return read_model_file(path).model; }

Model parse_model(std::string_view text, const std::string& file_name) {
    return parse_model_file(text, file_name).model;
}

} // namespace tenon
