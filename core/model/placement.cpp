#include "core/model/placement.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/model/forces/force_types.hpp"

namespace tenon {
namespace {

/// The nearest rotation, so that what follows is one to round-off.
Mat3 rotation(const Mat3& R) {
    const double off = (R.transpose() * R - Mat3::Identity()).lpNorm<Eigen::Infinity>();
    if (!(off <= 1e-6) || R.determinant() < 0)
        throw Error(ErrorKind::model,
                    "world_R is not a rotation matrix (R^T R differs from 1 by " + digits(off) +
                        ", limit 1e-06, determinant " + digits(R.determinant()) +
                        "); its columns are the axes",
                    "world_R");
    Mat3 nearest = R;
    orthonormalise(nearest);
    return nearest;
}

void turn_table(const std::string& name, const Mat3& R, VectorTable& table) {
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

/// Moves every member that is given in the world, by the list beside its struct.
struct Mover {
    Vec3 r;
    Mat3 R;

    void apply(Space space, Vec3& v) const { v = space == Space::point ? Vec3(r + R * v) : Vec3(R * v); }
    void apply(Space, Mat3& m) const { m = R * m; }
    void apply(Space space, std::optional<Vec3>& v) const {
        if (v)
            apply(space, *v);
    }

    template <class T> void one(T& member) const {
        if constexpr (requires { members(member, *this); })
            members(member, *this);
    }
    template <Space space, class T> void one(Placed<space, T> member) const { apply(space, member.value); }
    template <class T> void one(std::vector<T>& list) const {
        for (T& element : list)
            one(element);
    }
    void one(Force& force) const {
        for (const Key& key : type_of(force).keys)
            move(force, key);
    }
    void operator()(auto&&... member) const { (one(member), ...); }

    void move(Force& force, const Key& key) const {
        if (key.space == Space::none || (key.space == Space::load && force.word("axes") == "body"))
            return;
        if (!key.in_file) { // absent: as the world has it
            if (key.type == ValueType::orientation)
                force.set(key.name, force.rotation(key.name));
            else
                force.set(key.name, force.vector(key.name));
        }
        const auto place = force.values.find(key.name);
        if (place == force.values.end())
            return;
        Value& value = place->second;
        if (Vec3* v = std::get_if<Vec3>(&value))
            apply(key.space, *v);
        else if (Mat3* axes = std::get_if<Mat3>(&value))
            apply(key.space, *axes);
        else if (auto* points = std::get_if<std::array<Vec3, 2>>(&value))
            for (Vec3& p : *points)
                apply(key.space, p);
        else if (VectorTable* table = std::get_if<VectorTable>(&value))
            turn_table(force.name, R, *table);
    }
};

} // namespace

void place(Model& model, const Vec3& r, const Mat3& R) {
    const Mover mover{r, R.isIdentity(0) ? R : rotation(R)};
    members(model, mover);
}

} // namespace tenon
