#pragma once
// How far positions may be off: estimated from a few steps that are made in halves as well, or measured against a run with half the step.
//
// With d the difference between one step and two halves, of a body's position and of its turning at the radius of gyration, the error of
// one step of a method of order p is d / (1 - 2^-p), at most 4/3 d from order 2 on. Over n steps such errors add up where nothing damps or
// amplifies them, as those of a phase do. The difference e of velocities moves the body for as long as the motion keeps its direction,
// tau = (longest way) / (largest speed), and no longer than the rest of the run, T/2 on average; as a vector, because what swings to and
// fro comes back:
//
//     estimate = 4/3 n (mean |d| + min(tau, T/2) |mean e|)
//
// A step that the core has made in parts is compared with one in parts half as long: in two halves it would be the same motion.

#include "core/simulation/run_loop.hpp"

#include <array>
#include <memory>
#include <string>

namespace tenon::run {

/// NaN and empty where nothing is known.
struct PositionError {
    double metres = NAN;
    std::string body;
    double time = NAN; ///< where it was found; NaN of an estimate
};

/// Shares of the energy moved and of the motion above which a run that came to its end is called doubtful.
inline constexpr double doubtful_energy = 0.02, doubtful_position = 0.01;

/// What is to be said of such an error of positions, measured or estimated; empty where it is small against the motion.
std::string position_doubt(const PositionError& off, double motion, bool measured);

/// A step in which velocities leap: where a machine passes a singular position, a method may leave it on another branch, with all its
/// energy and all joints closed. With v = (q1 - q0) / h of each step, the leap is the kinetic energy of the change of the change of v:
/// of order h^4 and alike from step to step where the motion is smooth, that of all velocity that is lost where it is not. Oscillations
/// that the step does not resolve leap in every step, so only what stands out counts.
struct Leap {
    static constexpr double stands_out = 100; ///< times as large as those just before
    static constexpr double limit = 2e-3;     ///< of the largest kinetic energy

    double energy = 0;  ///< the largest that stands out, J
    double kinetic = 0; ///< the largest of the run, without the flight of a machine as a whole, J
    double time = NAN;

    bool doubtful() const { return energy > limit * kinetic; }
};

/// Bodies as points: centres of mass, and turning at the radius of gyration.
class Places {
  public:
    explicit Places(const Model& model);
    std::size_t bodies() const { return radius_.size(); }
    /// How far body b of two states is apart, m.
    double distance(std::size_t body, const Vector& q, const Vector& other) const;
    /// The largest of all coordinates of centres of mass and of all radii of gyration, m: what rounding is relative to.
    double extent(const Vector& q) const;
    /// Of body b's centre of mass, from the velocities of either face.
    Vec3 velocity(std::size_t body, const Vector& v) const;
    /// Kinetic energy at the velocity q'.
    double kinetic(const Vector& rate) const;
    /// The same without the flight of a machine that no joint holds to the world, in which leaps would drown; at least a tenth.
    double kinetic_in_itself(const Vector& rate) const;

  private:
    std::vector<double> radius_, mass_;
    bool flies_ = true;
    std::vector<Mat3> director_mass_; ///< 1/2 tr(I) 1 - I
};

/// A model in the core whose accuracy is watched while it is stepped.
class WatchedModel : public SteppedModel {
  public:
    /// `steps`: of the whole run; 0: no step is sampled, where steps must not take longer than they do. `twin`: the same model at the same state, which follows with half the step; may be null.
    WatchedModel(Simulation& simulation, std::vector<std::size_t> columns, long steps,
                 std::unique_ptr<Simulation> twin);

    bool step(double until) override;

    PositionError estimate() const;
    /// Places::extent at the start.
    double extent() const { return places_.extent(start_); }
    /// The largest distance that any body has gone from its start, as far as samples show, m.
    double motion() const { return motion_; }
    const Leap& leap() const { return leap_; }
    const PositionError& difference() const { return difference_; }
    /// Why the twin did not follow to the end; empty where it did, or where there is none.
    const std::string& twin_failure() const { return twin_failure_; }

  private:
    bool sampled() const;
    bool probe(double h);
    void follow(double h);
    long finer_parts(double h) const;
    void look_for_leaps(double h);

    Simulation& simulation_;
    Places places_;
    long steps_, samples_, done_ = 0, sampled_ = 0;
    Vector start_, halves_, halves_v_;
    State before_probe_, after_step_;
    Vector last_q_, rate_, change_, leap_rate_;
    std::array<double, 6> leaps_{}; ///< of the last steps, in turn
    Leap leap_;
    std::vector<double> sums_;        ///< of differences, by body
    std::vector<Vec3> velocity_sums_; ///< of differences of velocities
    double motion_ = 0, speed_ = 0;   ///< the largest
    std::unique_ptr<Simulation> twin_;
    PositionError difference_;
    std::string twin_failure_;
};

} // namespace tenon::run
