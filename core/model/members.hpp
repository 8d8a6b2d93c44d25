#pragma once
// What the members of a model are: each struct of the model has beside it one function `members`, which hands all of them to
// a visitor. Its bytes, its fingerprint and its place in the world follow from that list. The list begins with a structured
// binding of the whole struct, so that a member that is added and not listed does not compile.

#include <concepts>
#include <type_traits>

namespace tenon {

/// T is X or const X.
template <class T, class X>
concept Is = std::same_as<std::remove_const_t<T>, X>;

/// What becomes of a value where the model's world is moved by r and R (placement.hpp).
enum class Space {
    none,      ///< nothing: it is no matter of the world
    point,     ///< r + R p
    direction, ///< R d: directions, velocities, gravity
    axes,      ///< R M: axes of a body, a port or a bushing as columns
    load,      ///< R f, or nothing where the force's key `axes` says "body"
};

/// A member that is given in the world.
template <Space space, class T> struct Placed { T& value; };
template <class T> Placed<Space::point, T> as_point(T& value) { return {value}; }
template <class T> Placed<Space::direction, T> as_direction(T& value) { return {value}; }
template <class T> Placed<Space::axes, T> as_axes(T& value) { return {value}; }

} // namespace tenon
