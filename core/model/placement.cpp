#include "core/model/placement.hpp"

#include "core/math/error.hpp"
#include "core/math/digits.hpp"

namespace tenon {
namespace {

/// The nearest rotation, so that what follows is one to round-off.
Mat3 rotation(const Mat3& R) {
    const double off = (R.transpose() * R - Mat3::Identity()).lpNorm<Eigen::Infinity>();
    if (!(off <= 1e-6) || R.determinant() < 0)
        throw Error(ErrorKind::model,
                    "world_R is no rotation matrix (R^T R differs from 1 by " + digits(off) +
                        ", limit 1e-06, determinant " + digits(R.determinant()) +
                        "); its columns are the axes",
                    "world_R");
    const Eigen::JacobiSVD<Mat3> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return svd.matrixU() * svd.matrixV().transpose();
}

void turn_table(const std::string& name, const Mat3& R, std::array<Table, 3>& table) {
    if (table[0].empty())
        return;
    const std::vector<double>& times = table[0].times();
    if (table[1].times() != times || table[2].times() != times)
        throw Error(ErrorKind::model, "the table of '" + name + "' has different times for its components",
                    name);
    std::array<std::vector<double>, 3> values;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Vec3 v = R * Vec3(table[0].values()[i], table[1].values()[i], table[2].values()[i]);
        for (std::size_t c = 0; c < 3; ++c)
            values[c].push_back(v[static_cast<Eigen::Index>(c)]);
    }
    for (std::size_t c = 0; c < 3; ++c)
        table[c] = Table(times, values[c]);
}

} // namespace

void place(Model& model, const Vec3& r, const Mat3& R_given) {
    const Mat3 R = R_given.isIdentity(0) ? R_given : rotation(R_given);
    const auto point = [&](Vec3& p) { p = r + R * p; };
    const auto direction = [&](Vec3& d) { d = R * d; };
    direction(model.gravity);
    for (Body& body : model.bodies) {
        point(body.position);
        body.rotation = R * body.rotation;
        if (body.velocity)
            direction(*body.velocity);
        if (body.angular_velocity)
            direction(*body.angular_velocity);
    }
    for (Joint& joint : model.joints) {
        for (Vec3* p : {&joint.at, &joint.point1, &joint.point2})
            point(*p);
        for (Vec3* d : {&joint.axis, &joint.axis2, &joint.normal})
            direction(*d);
    }
    for (Force& force : model.forces) {
        for (Vec3* p : {&force.point1, &force.point2, &force.at})
            point(*p);
        force.axes = R * force.axes;
        if (force.body_axes)
            continue;
        direction(force.vector);
        turn_table(force.name, R, force.table);
    }
    for (Port& port : model.ports) {
        point(port.at);
        port.rotation = R * port.rotation;
    }
}

} // namespace tenon
