#pragma once
// What goes wrong in glued systems alone, with its words.

#include "tools/master/ensemble.hpp"

namespace tenon::glue {

/// The iteration over a joint's multipliers does not come below the limit. `participant`: an FMU of the joint.
master::Failure open_joint(std::size_t joint, std::size_t participant, double gap, double limit,
                           int corrections, double h);
/// An FMU samples the forces on its ports once per step, which glue cannot work with.
master::Failure one_sample(std::size_t participant, double h);
/// The motion, acceleration or compliance of a port, counted among those of its FMU, is not a number.
master::Failure lost_port(std::size_t participant, std::size_t port, double value);

} // namespace tenon::glue
