#include "tools/model_file/model_writer.hpp"

#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"
#include "tools/model_file/toml_text.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tenon {
namespace {

/// Elements of one model, written one after the other; what is as by default is left out.
class ModelWriter {
  public:
    explicit ModelWriter(const Model& model) : model_(model) {}

    std::string write() {
        head();
        for (const Body& body : model_.bodies)
            write_body(body);
        for (const Joint& joint : model_.joints)
            write_joint(joint);
        for (const Driver& driver : model_.drivers)
            write_driver(driver);
        for (const Road& road : model_.roads)
            write_road(road);
        for (const Force& force : model_.forces)
            write_force(force);
        for (const Port& port : model_.ports)
            write_port(port);
        for (const Flange& flange : model_.flanges)
            out_.table("[[flange]]").line("name", flange.name).line("joint", joint_name(flange.joint));
        for (const Alias& input : model_.inputs)
            write_alias("[[input]]", "to", input);
        for (const Alias& output : model_.outputs)
            write_alias("[[output]]", "from", output);
        write_solver();
        return out_.text();
    }

  private:
    const std::string& joint_name(int index) const {
        return model_.joints[static_cast<std::size_t>(index)].name;
    }
    std::string bodies(int first, int second) const {
        return "[" + toml_quoted(model_.body_name(first)) + ", " + toml_quoted(model_.body_name(second)) +
               "]";
    }
    static std::string pair(const Vec3& a, const Vec3& b) {
        return "[" + toml_list(a) + ", " + toml_list(b) + "]";
    }

    void head() {
        out_.table("[model]").line("name", model_.name);
        if (!model_.description.empty())
            out_.line("description", model_.description);
        out_.line("gravity", model_.gravity);
    }

    void orientation(const Mat3& R) {
        if (R == Mat3::Identity())
            return;
        const Eigen::Vector4d q = to_quaternion(R);
        out_.raw("orientation", toml_list(std::span(q.data(), 4)));
    }

    void write_body(const Body& body) {
        out_.table("[[body]]").line("name", body.name).line("mass", body.mass);
        if (!body.com.isZero(0))
            out_.line("com", body.com);
        const Mat3& I = body.inertia;
        const std::array<double, 6> six = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
        const bool diagonal = six[3] == 0 && six[4] == 0 && six[5] == 0;
        out_.raw("inertia", toml_list(std::span(six).first(diagonal ? 3 : 6)));
        out_.line("position", body.position);
        orientation(body.rotation);
        if (body.velocity)
            out_.line("velocity", *body.velocity);
        if (body.angular_velocity)
            out_.line("angular_velocity", *body.angular_velocity);
        write_shape(body.shape);
    }

    void write_shape(const Shape& shape) {
        if (shape.type.empty())
            return;
        std::string text = "{ type = " + toml_quoted(shape.type);
        if (!shape.size.empty())
            text += ", size = " + toml_list(shape.size);
        if (shape.radius != 0)
            text += ", radius = " + digits(shape.radius);
        if (shape.length != 0)
            text += ", length = " + digits(shape.length);
        if (!shape.axis.empty())
            text += ", axis = " + toml_list(shape.axis);
        if (!shape.file.empty())
            text += ", file = " + toml_quoted(shape.file);
        if (!shape.color.empty())
            text += ", color = " + toml_quoted(shape.color);
        out_.raw("shape", text + " }");
    }

    void write_joint(const Joint& joint) {
        out_.table("[[joint]]").line("name", joint.name).line("type", joint.type);
        const JointType& type = type_of(joint);
        if (!type.couples_joints())
            out_.raw("bodies", bodies(joint.first, joint.second));
        for (const JointKeyUse& use : type.keys)
            std::visit([&](const auto& member) { write_joint_key(joint, use.name, member); },
                       joint_key(use.name).member);
        const Friction& friction = joint.friction;
        if (friction.coulomb != 0 || friction.viscous != 0)
            out_.raw("friction", "{ coulomb = " + digits(friction.coulomb) + ", viscous = " +
                                     digits(friction.viscous) + ", speed = " + digits(friction.speed) + " }");
    }

    template <class Member>
    void write_joint_key(const Joint& joint, std::string_view key, const Member& member) {
        if constexpr (requires { *(joint.*member); }) {
            if (joint.*member)
                out_.line(key, *(joint.*member));
        } else if constexpr (requires { joint.*member; }) {
            out_.line(key, joint.*member);
        } else if constexpr (std::is_same_v<decltype(joint.*member[0]), const Vec3&>) {
            out_.raw(key, pair(joint.*member[0], joint.*member[1]));
        } else {
            out_.raw(key, "[" + toml_quoted(joint_name(joint.*member[0])) + ", " +
                              toml_quoted(joint_name(joint.*member[1])) + "]");
        }
    }

    static std::string points(const Table& table) {
        return "{ time = " + toml_list(table.times()) + ", value = " + toml_list(table.values()) + " }";
    }

    void write_driver(const Driver& driver) {
        out_.table("[[driver]]").line("name", driver.name).line("joint", joint_name(driver.joint));
        if (!driver.coordinate.empty())
            out_.line("coordinate", driver.coordinate);
        const Formula& f = driver.motion;
        if (driver.input)
            out_.raw("input", "true");
        else if (!driver.table.empty())
            out_.raw("motion", points(driver.table));
        else
            out_.raw("motion", "{ offset = " + digits(f.offset) + ", rate = " + digits(f.rate) +
                                   ", amplitude = " + digits(f.amplitude) + ", frequency = " +
                                   digits(f.frequency) + ", phase = " + digits(f.phase) + " }");
    }

    static std::string choice_text(const Choice& given) {
        std::string text = "{ type = " + toml_quoted(given.type);
        for (const auto& [key, value] : given.values)
            text += ", " + key + " = " + std::visit([](const auto& v) { return choice_value(v); }, value);
        return text + " }";
    }
    static std::string choice_value(double number) { return toml_number(number); }
    static std::string choice_value(const std::vector<double>& list) { return toml_list(list); }
    static std::string choice_value(const std::vector<std::vector<double>>& rows) {
        std::string text;
        for (const std::vector<double>& row : rows)
            text += (text.empty() ? "" : ", ") + toml_list(row);
        return "[" + text + "]";
    }

    void write_road(const Road& road) {
        const Road fallback;
        out_.table("[[road]]").line("name", road.name);
        std::string features;
        for (const Choice& feature : road.features)
            features += (features.empty() ? "" : ", ") + choice_text(feature);
        if (!features.empty())
            out_.raw("features", "[" + features + "]");
        if (road.friction != fallback.friction)
            out_.line("friction", road.friction);
        out_.line("at", road.at).line("axis", road.axis).line("normal", road.normal);
        if (road.start)
            out_.line("start", *road.start);
        if (road.end)
            out_.line("end", *road.end);
        if (road.length != 0)
            out_.line("length", road.length);
        if (road.width != 0)
            out_.line("width", road.width);
    }

    void write_force(const Force& force) {
        out_.table("[[force]]").line("name", force.name).line("type", force.type);
        for (const Key& key : type_of(force).keys)
            write_force_key(force, key);
    }

    void write_force_key(const Force& force, const Key& key) {
        using enum ValueType;
        if (!is_given(force, key))
            return;
        if (key.type == two_bodies)
            out_.raw(key.name, bodies(force.first, force.second));
        else if (key.type == body)
            out_.line(key.name, model_.body_name(force.second));
        else if (key.type == joint)
            out_.line(key.name, joint_name(force.joint));
        else
            write_value(force, key);
    }

    void write_value(const Force& force, const Key& key) {
        using enum ValueType;
        switch (key.type) {
        case number:
            out_.line(key.name, force.number(key.name));
            return;
        case boolean:
            out_.raw(key.name, force.flag(key.name) ? "true" : "false");
            return;
        case word:
            out_.line(key.name, force.word(key.name));
            return;
        case vector:
            if (!key.in_file)
                return refuse_own(force, key, force.vector(key.name).isZero(0));
            out_.line(key.name, force.vector(key.name));
            return;
        case road:
            out_.line(key.name, force.text(key.name));
            return;
        case choice:
            out_.raw(key.name, choice_text(force.choice(key.name)));
            return;
        case two_points:
            out_.raw(key.name, pair(force.points(key.name)[0], force.points(key.name)[1]));
            return;
        case six_numbers:
            out_.raw(key.name, toml_list(force.six(key.name)));
            return;
        case load:
            return write_load(force, key.name);
        case effort:
            if (const Table table = force.effort_table(key.name); !table.empty())
                out_.raw(key.name, points(table));
            else
                out_.line(key.name, force.number(key.name));
            return;
        case range:
            out_.raw(key.name, toml_list(force.range(key.name)));
            return;
        case law:
            out_.raw(key.name, law_text(force.law(key.name)));
            return;
        case stop:
            out_.raw(key.name, stop_text(force.stop(key.name)));
            return;
        case six_laws:
            out_.raw(key.name, list_text(force.six_laws(key.name), law_text));
            return;
        case six_stops:
            out_.raw(key.name, list_text(force.six_stops(key.name), stop_text));
            return;
        case orientation:
            return refuse_own(force, key, force.rotation(key.name) == Mat3::Identity());
        default:
            throw std::logic_error("force key '" + std::string(key.name) +
                                   "' is of a type that is not written");
        }
    }

    /// A key that a model file has no words for.
    static void refuse_own(const Force& force, const Key& key, bool is_default) {
        if (!is_default)
            throw Error(ErrorKind::model,
                        force.type + " '" + force.name + "' has " + std::string(key.name) +
                            " of its own, which a model file cannot say",
                        force.name);
    }

    template <class List, class Text> static std::string list_text(const List& list, Text text) {
        std::string all;
        for (const auto& element : list)
            all += (all.empty() ? "" : ", ") + text(element);
        return "[" + all + "]";
    }

    static std::string law_text(const Law& law) {
        if (law.empty())
            return "{}";
        if (!law.table.empty())
            return "{ table = " + list_text(law.table, [](const auto& point) { return toml_list(point); }) +
                   " }";
        const std::vector<double>& first = law.pieces.front().polynomial;
        if (law.pieces.size() == 1)
            return first.size() == 1 ? "{ constant = " + digits(first[0]) + " }"
                                     : "{ polynomial = " + toml_list(first) + " }";
        return "{ pieces = " +
               list_text(law.pieces,
                         [&](const LawPiece& piece) {
                             return "{ " +
                                    (&piece == law.pieces.data() ? ""
                                                                 : "from = " + digits(piece.from) + ", ") +
                                    "polynomial = " + toml_list(piece.polynomial) + " }";
                         }) +
               " }";
    }

    static std::string stop_text(const std::optional<Stop>& stop) {
        if (!stop)
            return "{}";
        return "{ at = " + digits(stop->at) + ", stiffness = " + digits(stop->stiffness) +
               ", damping = " + digits(stop->damping) + " }";
    }

    void write_load(const Force& force, std::string_view key) {
        const VectorTable table = force.table(key);
        if (is_empty(table)) {
            out_.line(key, force.vector(key));
            return;
        }
        const std::vector<double>& times = load_times(force, table);
        std::string values;
        for (std::size_t k = 0; k < times.size(); ++k) {
            Vec3 value = Vec3::Zero();
            for (std::size_t i = 0; i < 3; ++i)
                if (!table[i].empty())
                    value[static_cast<Eigen::Index>(i)] = table[i].values()[k];
            values += (k == 0 ? "" : ", ") + toml_list(value);
        }
        out_.raw(key, "{ time = " + toml_list(times) + ", value = [" + values + "] }");
    }

    /// Of the first component that has a table; a model file has one list of times for all three.
    static const std::vector<double>& load_times(const Force& force, const VectorTable& table) {
        const auto filled = std::ranges::find_if(table, [](const Table& t) { return !t.empty(); });
        for (const Table& component : table)
            if (!component.empty() && component.times() != filled->times())
                throw Error(ErrorKind::model,
                            "load '" + force.name +
                                "' has other times for each component, which a model file cannot say",
                            force.name);
        return filled->times();
    }

    void write_port(const Port& port) {
        out_.table("[[port]]").line("name", port.name).line("body", model_.body_name(port.body));
        out_.line("at", port.at);
        orientation(port.rotation);
    }

    void write_alias(std::string_view head, std::string_view key, const Alias& alias) {
        out_.table(head).line("name", alias.name).line(key, alias.variable);
        if (!alias.unit.empty())
            out_.line("unit", alias.unit);
        if (!alias.description.empty())
            out_.line("description", alias.description);
    }

    void write_solver() {
        const SolverSettings& solver = model_.solver;
        out_.table("[solver]").line("integrator", solver.integrator).line("step", solver.step);
        out_.line("stop", solver.stop).line("tolerance", solver.tolerance);
        if (!solver.coordinates.empty())
            out_.line("coordinates", solver.coordinates);
        for (const auto& [name, value] : solver.options)
            if (const double* number = std::get_if<double>(&value))
                out_.line(name, *number);
            else if (const bool* flag = std::get_if<bool>(&value))
                out_.raw(name, *flag ? "true" : "false");
            else
                out_.line(name, std::get<std::string>(value));
    }

    const Model& model_;
    TomlText out_;
};

} // namespace

std::string model_text(const Model& model) { return ModelWriter(model).write(); }

} // namespace tenon
