#pragma once
// What an effort along a measure is made of besides numbers: laws, stops, and what a user's own force types bring.

namespace tenon {

/// An effort along a measure s at a point or over a step, and what changes it.
struct LoadEffort {
    double elastic = 0; ///< -V'; over a step -(V(s1) - V(s0)) / (s1 - s0)
    double loss = 0;    ///< what has no potential: dampers, friction, inputs
    double stiffness =
        0; ///< -d(elastic + loss)/ds; over a step twice the derivative by s1, which has the same limit
    double damping = 0; ///< -d(loss)/ds'
};

/// A part of an effort that is more than a number times s or s'. It is a function of its arguments and nothing else.
class LoadLaw {
  public:
    virtual ~LoadLaw() = default;
    /// V(s); zero where there is none.
    virtual double potential(double s) const = 0;
    virtual LoadEffort at(double s, double rate) const = 0;
    /// Over a step from s0 to s1, rate its mean. The difference quotient of V must be exact to round-off: energy methods keep the
    /// energy as well as this does. As it stands here it is made of potential() and at().
    virtual LoadEffort between(double s0, double s1, double rate) const;
    virtual bool dissipates() const { return false; }
    /// How far s is past a stop; zero where it is not.
    virtual double beyond(double /*s*/) const { return 0; }
};

} // namespace tenon
