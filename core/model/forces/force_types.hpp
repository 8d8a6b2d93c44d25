#pragma once
// The registry of forces: one line a type, one file <type>.cpp each. Whoever handles forces (reader, writer, schema, checks,
// bytes, placement, parameters and results, `cut`, scenes) takes what it needs from here and knows no type by name.

#include "core/model/element.hpp"
#include "core/model/force.hpp"
#include "core/model/loads.hpp"
#include "core/model/roads/road_surface.hpp"

#include <span>

namespace tenon {

/// A force and where it acts at t = 0: what <type>.cpp turn into loads.
struct ForcePlace : TwoFrames { ///< of the first and second body; the world's is the identity
    const Force& force;
    Coordinate
        joint; ///< angle or distance of the joint that it acts in; validate() has made sure that there is one
    int input = -1;                           ///< index of its first input, -1: none
    const std::vector<Road>* roads = nullptr; ///< of the model

    /// The road of key `road` on the first body; the plane of keys `origin` and `axes` where it is absent.
    RoadSurface surface() const;

    ForcePlace(const Force& given, const Frame& f1, const Frame& f2) : TwoFrames{f1, f2}, force(given) {}
};

/// Inputs `<force>.<suffix>` of a model, with [1..3] where they are three. A force has them where its key `input` is true.
struct ForceInput {
    std::string_view suffix;
    std::string_view unit;              ///< as FMI spells it
    std::string_view description;       ///< "force": of <name>
    std::string_view start;             ///< the key of its start value
    int size = 3;                       ///< or 1
    std::string_view sliding_unit = {}; ///< instead of `unit`, where the force acts along a distance
};

/// A result `<force>.<suffix>`, with [1..size] where size is not 1.
struct ForceReading {
    std::string_view suffix;
    std::string_view unit; ///< as FMI spells it
    std::string_view description;
    int size = 1;
    int rate_of = -1; ///< index of the reading whose derivative by time it is
};

/// A measure and the effort along it, as they are at some instant.
struct Effort {
    double value = 0, rate = 0, effort = 0;
    double beyond = 0; ///< how far the value is past a stop
};

struct ForceType {
    std::string_view name;
    std::string_view meaning; ///< one sentence without its full stop
    /// `bodies`, `joint` or `body` among them says what it acts on.
    std::vector<Key> keys;
    /// Adds what the force consists of.
    void (*build)(const ForcePlace&, Loads&) = nullptr;
    /// Refuses what each key alone does not tell; may be null.
    void (*check)(const Element&, const Force&) = nullptr;
    std::vector<ForceInput> inputs = {};
    /// Its results; `slides`: it acts along a distance, not an angle. Null: none.
    std::vector<ForceReading> (*readings)(bool slides) = nullptr;
    /// Fills the results, one after the other, from the efforts of the loads that build() added, in their order; null where
    /// it has none. The results of its wrenches come behind them.
    void (*read)(std::span<const Effort>, std::span<double>) = nullptr;
    std::string_view drawn = {}; ///< the viewer's sign for it (tools/viewer/web/glyphs.js); empty: none
    /// False where its laws have an elastic part without potential: refused by integrators that keep the energy.
    bool has_potential = true;

    const Key* key(std::string_view key_name) const;
    /// The key of this type of value; null where it has none.
    const Key* key(ValueType type) const;
};

/// Tenon's own and those registered. After the first call nothing can be registered.
const std::vector<ForceType>& force_types();
/// Makes a type of the caller's known to all that handles forces. Its texts must live as long as the program. Throws Error(usage)
/// where there is a type of this name, where it has no name or nothing to build it with, and after the first use of the
/// registry, which is when the first model is read or built. Any thread may call it.
void register_force_type(ForceType type);
/// Null where there is no such type.
const ForceType* find_force_type(std::string_view name);
/// Throws Error(model) where there is no such type.
const ForceType& type_of(const Force& force);

/// Whether the force has the inputs of its type.
bool has_inputs(const Force& force);
/// Whether the force has a value, bodies or a joint for a key of its type.
bool is_given(const Force& force, const Key& key);
/// Whether it acts along a distance: between points, or in a joint that has a distance and no angle.
bool slides(const Force& force, const Model& model);
/// Inputs, results and keys have one unit along a distance and another along an angle.
std::string_view unit_along(bool slides, std::string_view unit, std::string_view sliding_unit);

} // namespace tenon
