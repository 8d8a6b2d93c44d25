#include "tools/model_file/model_writer.hpp"

#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/model/joints/joint_types.hpp"
#include "tools/model_file/toml_text.hpp"

#include <algorithm>
#include <array>

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
        if (joint.type != "gear")
            out_.raw("bodies", bodies(joint.first, joint.second));
        for (const std::string_view key : find_joint_type(joint.type)->keys)
            write_joint_key(joint, key);
        const Friction& friction = joint.friction;
        if (friction.coulomb != 0 || friction.viscous != 0)
            out_.raw("friction", "{ coulomb = " + digits(friction.coulomb) + ", viscous = " +
                                     digits(friction.viscous) + ", speed = " + digits(friction.speed) + " }");
    }

    void write_joint_key(const Joint& joint, std::string_view key) {
        if (key == "at")
            out_.line(key, joint.at);
        else if (key == "axis")
            out_.line(key, joint.axis);
        else if (key == "axis2")
            out_.line(key, joint.axis2);
        else if (key == "normal")
            out_.line(key, joint.normal);
        else if (key == "points")
            out_.raw(key, pair(joint.point1, joint.point2));
        else if (key == "length" && joint.length)
            out_.line(key, *joint.length);
        else if (key == "pitch")
            out_.line(key, joint.pitch);
        else if (key == "radius")
            out_.line(key, joint.radius);
        else if (key == "ratio")
            out_.line(key, joint.ratio);
        else if (key == "joints")
            out_.raw(key, "[" + toml_quoted(joint_name(joint.joint1)) + ", " +
                              toml_quoted(joint_name(joint.joint2)) + "]");
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

    void write_force(const Force& force) {
        static constexpr std::array<std::string_view, 5> types = {"spring_damper", "torsion_spring",
                                                                  "bushing", "force", "torque"};
        const std::string_view type = types[static_cast<std::size_t>(force.type)];
        out_.table("[[force]]").line("name", force.name).line("type", type);
        switch (force.type) {
        case ForceType::spring_damper:
            out_.raw("bodies", bodies(force.first, force.second));
            out_.raw("points", pair(force.point1, force.point2));
            out_.line("stiffness", force.stiffness).line("damping", force.damping);
            if (force.free_length)
                out_.line("free_length", *force.free_length);
            break;
        case ForceType::torsion_spring:
            out_.line("joint", joint_name(force.joint)).line("stiffness", force.stiffness);
            out_.line("damping", force.damping).line("free_angle", force.free_angle);
            break;
        case ForceType::bushing:
            if (force.axes != Mat3::Identity())
                throw Error(ErrorKind::model,
                            "bushing '" + force.name + "' has axes of its own, which a model file cannot say",
                            force.name);
            out_.raw("bodies", bodies(force.first, force.second)).line("at", force.at);
            out_.raw("stiffness", toml_list(force.stiffness6)).raw("damping", toml_list(force.damping6));
            break;
        case ForceType::force:
            out_.line("at", force.at);
            [[fallthrough]];
        case ForceType::torque:
            write_load(force, type);
            break;
        }
    }

    void write_load(const Force& force, std::string_view key) {
        out_.line("body", model_.body_name(force.second)).line("axes", force.body_axes ? "body" : "world");
        if (force.input)
            out_.raw("input", "true");
        if (force.table[0].empty() && force.table[1].empty() && force.table[2].empty()) {
            out_.line(key, force.vector);
            return;
        }
        out_.raw(key, "{ time = " + toml_list(load_times(force)) + ", value = " + load_values(force) + " }");
    }

    /// Of the first component that has a table; a model file has one list of times for all three.
    static const std::vector<double>& load_times(const Force& force) {
        const auto filled =
            std::find_if(force.table.begin(), force.table.end(), [](const Table& t) { return !t.empty(); });
        for (const Table& table : force.table)
            if (!table.empty() && table.times() != filled->times())
                throw Error(ErrorKind::model,
                            "load '" + force.name +
                                "' has other times for each component, which a model file cannot say",
                            force.name);
        return filled->times();
    }

    static std::string load_values(const Force& force) {
        std::string text = "[";
        for (std::size_t k = 0; k < load_times(force).size(); ++k) {
            Vec3 value = force.vector;
            for (int i = 0; i < 3; ++i)
                if (const Table& table = force.table[static_cast<std::size_t>(i)]; !table.empty())
                    value[i] = table.values()[k];
            text += (k == 0 ? "" : ", ") + toml_list(value);
        }
        return text + "]";
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
