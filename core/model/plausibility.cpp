// Sizes are compared with sizes of the same machine, never with those of machines in general (densities are). With the centres of
// mass c_b, the points p_i at which joints, forces and ports sit, and the radii of gyration k_b = sqrt(largest moment / mass):
//
//     bodies   max(diagonal of the box around all c_b, largest k_b)
//     rest_i   max(bodies, diagonal of the box around all c_b and all p_j but p_i)
//     away_i   the distance of p_i from the nearest c_b of the bodies it belongs to
//
// A point is doubted where away_i is many times rest_i; where several points are wrong in the same way, away_i is compared with
// `bodies` alone, and p_i / 1000 must then fit. Of a joint between two bodies, which have a size of their own (their k, the distance
// of their centres, their other points), fewer times suffice. A pendulum hangs on a long string, and a slide may be drawn anywhere on
// its axis: up to the length of `longest_string` neither is doubted. Where everything is in millimetres nothing is off by itself;
// then bodies are small beside their own points, or, with kg mm2, thinner than any gas.

#include "core/model/plausibility.hpp"

#include "core/model/extent.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/plausible_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace tenon {
namespace {

constexpr double milli = 1e-3;
/// So many times the rest of the machine is too far for a point of a body.
constexpr double far_from_body = 100;
/// A joint between two bodies is too far from both at so many times their own size and so many times that of the rest.
constexpr double far_from_both = 10, beyond_rest = 3;
/// So many times too large is wrong where a thousandth of it fits; and it fits where it is at most `fitting` sizes off.
constexpr double far_in_millimetres = 300, far_length = 100, far_inertia = 50, fitting = 5;
constexpr double longest_string = 100; // m
/// A body thinner than this has the inertia of something larger; the lightest trusses in space have 1e-2, machines 1e2 and more.
constexpr double least_density = 1e-4; // kg/m3
/// Of a cylinder between two pins: the sine of the angle between its axis and the line through the pins, and the distance of the
/// axis from each pin over that of the pins.
constexpr double most_sine = 0.35, most_miss = 0.25;

/// A point in the world at t = 0 that belongs to one or two bodies.
struct Place {
    std::string_view kind;
    const std::string& name;
    std::string_view key;
    Vec3 point;
    int first = world, second = world;
    const Joint* joint = nullptr; ///< whose `at` it is
};

class Examination {
  public:
    explicit Examination(const Model& model) : model_(model) {
        for (const Body& body : model.bodies) {
            centres_.push_back(body.position + body.rotation * body.com);
            gyration_.push_back(radius_of_gyration(body));
        }
        collect_places();
        Box centres;
        for (const Vec3& c : centres_) {
            centres.add(c);
            all_.add(c);
        }
        for (const Place& place : places_)
            all_.add(place.point);
        largest_gyration_ = *std::max_element(gyration_.begin(), gyration_.end());
        spread_ = centres.diagonal();
    }

    std::vector<Doubt> run() {
        examine_scale();
        for (std::size_t b = 0; b < model_.bodies.size(); ++b)
            examine(b);
        for (const Place& place : places_)
            examine(place);
        for (const Joint& joint : model_.joints)
            examine(joint);
        for (const Force& force : model_.forces)
            examine(force);
        doubt_units(model_, doubts_);
        return std::move(doubts_);
    }

  private:
    void doubt(std::string_view kind, const std::string& name, std::string_view key,
               const std::string& text) {
        doubts_.push_back({name + "." + std::string(key), std::string(kind) + " '" + name + "': " + text});
    }

    // ---- where things are ----

    void collect_places() {
        for (const Joint& joint : model_.joints) {
            const JointType& type = type_of(joint);
            if (type.takes("at"))
                places_.push_back({"joint", joint.name, "at", joint.at, joint.first, joint.second, &joint});
            if (type.takes("points")) {
                places_.push_back({"joint", joint.name, "points", joint.point1, joint.first});
                places_.push_back({"joint", joint.name, "points", joint.point2, joint.second});
            }
        }
        for (const Force& force : model_.forces)
            for (const Key& key : type_of(force).keys)
                if (key.space == Space::point && force.has(key.name))
                    collect_points(force, key);
        for (const Port& port : model_.ports)
            places_.push_back({"port", port.name, "at", port.at, port.body});
    }

    void collect_points(const Force& force, const Key& key) {
        if (key.type == ValueType::vector)
            places_.push_back(
                {"force", force.name, key.name, force.vector(key.name), force.first, force.second});
        if (key.type == ValueType::two_points) {
            const auto [p1, p2] = force.points(key.name);
            places_.push_back({"force", force.name, key.name, p1, force.first});
            places_.push_back({"force", force.name, key.name, p2, force.second});
        }
    }

    /// Distance of a point from the nearest centre of mass; infinite where both are the world.
    double away(const Vec3& point, const Place& place) const {
        double distance = std::numeric_limits<double>::infinity();
        for (const int body : {place.first, place.second})
            if (body != world)
                distance = std::min(distance, (point - centres_[static_cast<std::size_t>(body)]).norm());
        return distance;
    }

    void examine(const Place& place) {
        const double distance = away(place.point, place);
        // The origin is what people write where the point does not matter, as that of a prismatic joint.
        if (!std::isfinite(distance) || place.point.isZero(0))
            return;
        const bool between = place.first != world && place.second != world;
        const double others = all_.diagonal_without(place.point);
        const double rest = std::max({largest_gyration_, spread_, others});
        const double bodies = std::max(largest_gyration_, spread_);
        const double corrected = away(milli * place.point, place);
        const bool apart =
            others > 0 &&
            (distance > far_from_body * rest ||
             (between && distance > beyond_rest * rest && distance > far_from_both * size_of_both(place)));
        const bool in_millimetres = bodies > 0 && distance > far_in_millimetres * bodies &&
                                    corrected <= fitting * bodies &&
                                    (spread_ > 0 || distance >= longest_string);
        if ((!apart && !in_millimetres) ||
            (distance < longest_string && (hangs(place) || slides_there(place, rest))))
            return;
        const double size = in_millimetres ? bodies : rest;
        std::string text = std::string(place.key) + " " + digits(place.point) + " is " + about(distance) +
                           " m from " + (between ? "both its bodies" : "its body") + ", in a machine of " +
                           about(size) + " m; ";
        text += corrected <= fitting * size
                    ? "points are in metres: did you mean " + about(Vec3(milli * place.point)) + "?"
                    : "points are given in metres, in the world at t = 0";
        doubt(place.kind, place.name, place.key, text);
    }

    /// What the two bodies of a joint say of their size: without the joint itself.
    double size_of_both(const Place& place) {
        const auto first = static_cast<std::size_t>(place.first),
                   second = static_cast<std::size_t>(place.second);
        double size =
            std::max({gyration_[first], gyration_[second], (centres_[first] - centres_[second]).norm()});
        for (const std::size_t b : {first, second})
            for (const std::size_t p : places_of(b))
                if (&places_[p] != &place)
                    size = std::max(size, (places_[p].point - centres_[b]).norm());
        return size;
    }

    /// The only joint of the machine with the world, and not below its body: what hangs there is a pendulum.
    bool hangs(const Place& place) const {
        const auto holds = [](const Joint& joint) {
            return !type_of(joint).couples_joints() && (joint.first == world || joint.second == world);
        };
        if (!place.joint || !holds(*place.joint) || type_of(*place.joint).orientation == Orientation::same ||
            std::ranges::count_if(model_.joints, holds) != 1)
            return false;
        const Vec3 up = place.point - centres_[static_cast<std::size_t>(std::max(place.first, place.second))];
        return up.dot(model_.gravity) <= 1e-6 * up.norm() * model_.gravity.norm();
    }

    /// On a line that passes by its body.
    bool slides_there(const Place& place, double rest) const {
        if (!place.joint || !type_of(*place.joint).has_distance)
            return false;
        const Vec3 axis = place.joint->axis.normalized();
        for (const int body : {place.first, place.second})
            if (body != world &&
                axis.cross(place.point - centres_[static_cast<std::size_t>(body)]).norm() <= fitting * rest)
                return true;
        return false;
    }

    /// A body whose centre of mass is far from every point that it is held at.
    void examine_position(std::size_t b) {
        const Body& body = model_.bodies[b];
        Vec3 nearest = Vec3::Zero();
        double distance = std::numeric_limits<double>::infinity();
        for (const std::size_t p : places_of(b))
            if (const double d = (places_[p].point - centres_[b]).norm(); d < distance) {
                distance = d;
                nearest = places_[p].point;
            }
        const double rest = std::max(all_.diagonal_without(centres_[b]), largest_gyration_);
        if (!std::isfinite(distance) || model_.bodies.size() < 3 || !(rest > 0) ||
            distance <= far_from_body * rest)
            return;
        const Vec3 moved = milli * body.position + body.rotation * body.com;
        const Vec3 inside = body.position + milli * (body.rotation * body.com);
        const bool position = (moved - nearest).norm() <= fitting * rest;
        if (!position && (inside - nearest).norm() > fitting * rest)
            return;
        doubt("body", body.name, position ? "position" : "com",
              "its centre of mass is " + about(distance) +
                  " m from every point that it is held at, in a machine of " + about(rest) +
                  " m; positions are in metres: did you mean " + (position ? "position " : "com ") +
                  about(Vec3(milli * (position ? body.position : body.com))) + "?");
    }

    const std::vector<std::size_t>& places_of(std::size_t body) {
        if (by_body_.empty()) {
            by_body_.resize(model_.bodies.size());
            for (std::size_t p = 0; p < places_.size(); ++p)
                for (const int b : {places_[p].first, places_[p].second})
                    if (b != world)
                        by_body_[static_cast<std::size_t>(b)].push_back(p);
        }
        return by_body_[body];
    }

    // ---- how large things are ----

    /// Everything in millimetres.
    void examine_scale() {
        const double size = all_.diagonal();
        std::size_t spread_out = 0, small = 0, thin = 0, solid = 0;
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            const Body& body = model_.bodies[b];
            const double k = gyration_[b];
            Box own;
            for (const std::size_t p : places_of(b))
                own.add(places_[p].point);
            if (own.diagonal() > 0 && k > 0) {
                ++spread_out;
                small += own.diagonal() > far_in_millimetres * k ? 1 : 0;
            }
            if (k > 0) {
                ++solid;
                thin += density(body) < least_density && fitting * k > milli * size ? 1 : 0;
            }
        }
        const Body& first = model_.bodies.front();
        if (spread_ > longest_string && spread_out > 1 && small == spread_out)
            doubt("body", first.name, "position",
                  "the machine is " + about(size) + " m large, its bodies at most " +
                      about(largest_gyration_) +
                      " m by their inertia; points and positions are in metres: were they in millimetres?");
        else if (spread_ > longest_string && largest_gyration_ <= fitting * size && solid > 1 &&
                 thin == solid)
            doubt("body", first.name, "inertia",
                  "the machine is " + about(size) +
                      " m large, and all its bodies weigh less than any gas ('" + first.name + "': " +
                      about(density(first)) + " kg/m3); were lengths in millimetres, inertias in kg mm2?");
    }

    void examine(std::size_t b) {
        const Body& body = model_.bodies[b];
        const double size = all_.diagonal();
        examine_position(b);
        if (!(size > 0))
            return;
        const double k = gyration_[b];
        if (k > far_inertia * size && milli * k <= fitting * size)
            doubt("body", body.name, "inertia",
                  "with its mass of " + digits(body.mass) + " kg this is the inertia of something " +
                      about(k) + " m large, in a machine of " + about(size) +
                      " m; inertias are in kg m2: were they in kg mm2? (1 kg mm2 = 1e-6 kg m2)");
        double shape = std::max(body.shape.radius, body.shape.length);
        for (const double edge : body.shape.size)
            shape = std::max(shape, edge);
        if (shape > far_in_millimetres * std::max(size, k) && milli * shape <= fitting * std::max(size, k))
            doubt("body", body.name, "shape",
                  "the shape is " + about(shape) + " m large, the machine " + about(size) +
                      " m; lengths are in metres: did you mean " + about(milli * shape) + "?");
    }

    /// A length in metres that is a thousand times what fits.
    bool is_millimetres(double length, double fits) const {
        return fits > 0 && length > far_length * fits && milli * length < fitting * fits;
    }

    void examine_length(std::string_view kind, const std::string& name, std::string_view key, double length,
                        double fits) {
        if (is_millimetres(length, fits))
            doubt(kind, name, key,
                  std::string(key) + " is " + about(length) + " m, where the machine has " + about(fits) +
                      " m; lengths are in metres: did you mean " + about(milli * length) + "?");
    }

    void examine(const Joint& joint) {
        const JointType& type = type_of(joint);
        const double size = std::max(all_.diagonal(), largest_gyration_);
        if (type.takes("length") && joint.length)
            examine_length("joint", joint.name, "length", *joint.length,
                           (joint.point2 - joint.point1).norm());
        if (type.takes("pitch"))
            examine_length("joint", joint.name, "pitch", std::abs(joint.pitch), size);
        if (type.takes("radius"))
            examine_length("joint", joint.name, "radius", joint.radius, size);
        if (type.has_distance && !type.keeps_distance && joint.first != world && joint.second != world)
            examine_cylinder(joint);
    }

    // ---- cylinders ----

    /// The pin at the other end of a body whose only other joint it is.
    const Joint* other_pin(int body, const Joint& slide) {
        const Joint* pin = nullptr;
        for (const std::size_t j : joints_of(body)) {
            const Joint& joint = model_.joints[j];
            if (&joint == &slide)
                continue;
            const JointType& type = type_of(joint);
            if (pin || !type.takes("at") || type.has_distance || type.orientation == Orientation::same)
                return nullptr;
            pin = &joint;
        }
        return pin;
    }

    const std::vector<std::size_t>& joints_of(int body) {
        if (joints_by_body_.empty()) {
            joints_by_body_.resize(model_.bodies.size());
            for (std::size_t j = 0; j < model_.joints.size(); ++j)
                for (const int b : {model_.joints[j].first, model_.joints[j].second})
                    if (b != world && !type_of(model_.joints[j]).couples_joints())
                        joints_by_body_[static_cast<std::size_t>(b)].push_back(j);
        }
        return joints_by_body_[static_cast<std::size_t>(body)];
    }

    /// Pin, slide, pin: a cylinder and its rod, which slide along the line through their pins, more or less.
    void examine_cylinder(const Joint& slide) {
        const Joint* const end1 = other_pin(slide.first, slide);
        const Joint* const end2 = other_pin(slide.second, slide);
        if (!end1 || !end2)
            return;
        const Vec3 axis = slide.axis.normalized(), between = end2->at - end1->at;
        const double length = between.norm();
        const auto miss = [&](const Vec3& p) { return axis.cross(p - slide.at).norm(); };
        if (!(length > 0) || axis.cross(between).norm() < most_sine * length ||
            std::min(miss(end1->at), miss(end2->at)) < most_miss * length)
            return;
        doubt("joint", slide.name, "axis",
              "the axis " + digits(slide.axis) + " misses both ends of the cylinder, '" + end1->name +
                  "' by " + about(miss(end1->at)) + " m and '" + end2->name + "' by " +
                  about(miss(end2->at)) + " m, which are " + about(length) + " m apart; did you mean at " +
                  about(end1->at) + ", axis " + about(between) + "?");
    }

    void examine(const Force& force) {
        for (const Key& key : type_of(force).keys)
            if (key.type == ValueType::number && key.unit == "m" && key.otherwise && force.has(key.name))
                examine_length("force", force.name, key.name, force.number(key.name), key.otherwise(force));
    }

    const Model& model_;
    std::vector<Vec3> centres_;    ///< of mass, in the world at t = 0
    std::vector<double> gyration_; ///< radii
    std::vector<Place> places_;
    std::vector<std::vector<std::size_t>> by_body_, joints_by_body_;
    Box all_;
    double largest_gyration_ = 0, spread_ = 0;
    std::vector<Doubt> doubts_;
};

} // namespace

std::vector<Doubt> doubts(const Model& model) { return Examination(model).run(); }

} // namespace tenon
