#include "tools/results/scene_writer.hpp"

#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/results/road_mesh.hpp"

#include <Eigen/Geometry>

#include <array>
#include <string_view>

namespace tenon::results {
namespace {

constexpr int scene_version = 1;

class SceneWriter {
  public:
    explicit SceneWriter(const Model& model) : model_(model) {}

    std::string write(const std::vector<ResultColumn>* columns = nullptr) {
        json_.object().member("format", "tenon-scene").member("version", scene_version);
        json_.member("name", model_.name).member("description", model_.description);
        vector("gravity", model_.gravity);
        list("bodies", model_.bodies, [&](const Body& body) { write_body(body); });
        list("joints", model_.joints, [&](const Joint& joint) { write_joint(joint); });
        list("drivers", model_.drivers,
             [&](const Driver& driver) { json_.member("joint", joint_name(driver.joint)); });
        list("roads", model_.roads, [&](const Road& road) {
            const RoadMesh mesh = road_mesh(model_, road);
            json_.member("rows", static_cast<double>(mesh.rows));
            json_.member("columns", static_cast<double>(mesh.columns));
            json_.key("surface").numbers(mesh.points);
        });
        list("forces", model_.forces, [&](const Force& force) { write_force(force); });
        list("ports", model_.ports, [&](const Port& port) {
            json_.member("body", model_.body_name(port.body));
            vector("at", port.at);
            rotation(port.rotation);
        });
        list("flanges", model_.flanges,
             [&](const Flange& flange) { json_.member("joint", joint_name(flange.joint)); });
        if (columns)
            write_units(*columns);
        return json_.end().text();
    }

  private:
    void write_units(const std::vector<ResultColumn>& columns) {
        json_.key("units").object();
        for (const results::ResultColumn& column : columns)
            if (!column.unit.empty() && column.unit != "1")
                json_.member(column.name, column.unit);
        json_.end();
    }

    template <class Elements, class Write>
    void list(std::string_view name, const Elements& elements, Write write) {
        json_.key(name).array();
        for (const auto& element : elements) {
            json_.object().member("name", element.name);
            write(element);
            json_.end();
        }
        json_.end();
    }

    void vector(std::string_view name, const Vec3& v) { json_.key(name).numbers({v.data(), 3}); }

    void rotation(const Mat3& R) {
        const Eigen::Quaterniond q(R);
        const double sign = q.w() < 0 ? -1 : 1;
        const std::array<double, 4> scalar_first = {sign * q.w(), sign * q.x(), sign * q.y(), sign * q.z()};
        json_.key("orientation").numbers(scalar_first);
    }

    const std::string& joint_name(int index) const {
        return model_.joints.at(static_cast<std::size_t>(index)).name;
    }

    void two_bodies(int first, int second) {
        json_.key("bodies").array().value(model_.body_name(first)).value(model_.body_name(second)).end();
    }

    void write_body(const Body& body) {
        json_.member("mass", body.mass);
        vector("com", body.com);
        vector("position", body.position);
        rotation(body.rotation);
        if (!body.shape.type.empty())
            write_shape(body.shape);
    }

    void write_shape(const Shape& shape) {
        json_.key("shape").object().member("type", shape.type);
        if (!shape.size.empty())
            json_.key("size").numbers(shape.size);
        if (shape.radius > 0)
            json_.member("radius", shape.radius);
        if (shape.length > 0)
            json_.member("length", shape.length);
        if (!shape.axis.empty())
            json_.key("axis").numbers(shape.axis);
        if (!shape.file.empty())
            json_.member("file", shape.file);
        if (!shape.color.empty())
            json_.member("color", shape.color);
        json_.end();
    }

    void write_joint(const Joint& joint) {
        const JointType& type = type_of(joint);
        type_and_sign(joint.type, type.drawn);
        if (!type.couples_joints())
            two_bodies(joint.first, joint.second);
        for (const JointKey& key : joint_keys())
            if (type.takes(key.key.name))
                std::visit([&](const auto& member) { write_joint_key(joint, key.key.name, member); },
                           key.member);
    }

    template <class Member>
    void write_joint_key(const Joint& joint, std::string_view key, const Member& member) {
        if constexpr (std::is_same_v<Member, Vec3 Joint::*>)
            vector(key, joint.*member);
        else if constexpr (std::is_same_v<Member, double Joint::*>)
            json_.member(key, joint.*member);
        else if constexpr (std::is_same_v<Member, std::array<Vec3 Joint::*, 2>>)
            points(key, joint.*member[0], joint.*member[1]);
        else if constexpr (std::is_same_v<Member, std::array<int Joint::*, 2>>)
            json_.key(key)
                .array()
                .value(joint_name(joint.*member[0]))
                .value(joint_name(joint.*member[1]))
                .end();
        // A number that may be absent (the length of a distance joint) is drawn by others (its points).
    }

    /// What it acts on, and where.
    void write_force(const Force& force) {
        const ForceType& type = type_of(force);
        type_and_sign(force.type, type.drawn);
        for (const Key& key : type.keys)
            if (!is_given(force, key))
                continue;
            else if (key.type == ValueType::two_bodies)
                two_bodies(force.first, force.second);
            else if (key.type == ValueType::body)
                json_.member(key.name, model_.body_name(force.second));
            else if (key.type == ValueType::joint)
                json_.member(key.name, joint_name(force.joint));
            else if (key.type == ValueType::two_points)
                points(key.name, force.points(key.name)[0], force.points(key.name)[1]);
            else if (key.type == ValueType::vector && key.in_file)
                vector(key.name, force.vector(key.name));
            else if (key.name == "radius")
                json_.member(key.name, force.number(key.name));
    }

    void type_and_sign(const std::string& type, std::string_view drawn) {
        json_.member("type", type);
        if (!drawn.empty())
            json_.member("drawn", drawn);
    }

    void points(std::string_view name, const Vec3& p1, const Vec3& p2) {
        json_.key(name).array().numbers({p1.data(), 3}).numbers({p2.data(), 3}).end();
    }

    const Model& model_;
    JsonWriter json_;
};

} // namespace

std::filesystem::path scene_path(const std::filesystem::path& result) {
    std::filesystem::path path = result;
    if (path.extension() == ".csv")
        path.replace_extension();
    path += ".scene.json";
    return path;
}

std::string scene_json(const Model& model) { return SceneWriter(model).write(); }

void write_scene(const std::filesystem::path& path, const Model& model,
                 const std::vector<ResultColumn>& columns) {
    write_text_file(path, SceneWriter(model).write(&columns));
}

} // namespace tenon::results
