#pragma once
// How far positions may be off: estimated from a few steps that are made in halves as well, or measured against a run with half the step.
//
// With d the difference between one step and two halves, of a body's position and of its turning at the radius of gyration, the error of
// one step of a method of order p is d / (1 - 2^-p), at most 4/3 d from order 2 on. Over n steps such errors add up where nothing damps or
// amplifies them, as those of a phase do:
//
//     estimate = 4/3 n mean(d)

#include "core/simulation/run_loop.hpp"

#include <memory>
#include <string>

namespace tenon::run {

/// NaN and empty where nothing is known.
struct PositionError {
    double metres = NAN;
    std::string body;
    double time = NAN; ///< where it was found; NaN of an estimate
};

/// Bodies as points: centres of mass, and turning at the radius of gyration.
class Places {
  public:
    explicit Places(const Model& model);
    std::size_t bodies() const { return radius_.size(); }
    /// How far body b of two states is apart, m.
    double distance(std::size_t body, const Vector& q, const Vector& other) const;

  private:
    std::vector<double> radius_;
};

/// A model in the core whose accuracy is watched while it is stepped.
class WatchedModel : public SteppedModel {
  public:
    /// `steps`: of the whole run. `twin`: the same model at the same state, which follows with half the step; may be null.
    WatchedModel(Simulation& simulation, std::vector<std::size_t> columns, long steps,
                 std::unique_ptr<Simulation> twin);

    bool step(double until) override;

    PositionError estimate() const;
    /// The largest distance that any body has gone from its start, as far as samples show, m.
    double motion() const { return motion_; }
    const PositionError& difference() const { return difference_; }
    /// Why the twin did not follow to the end; empty where it did, or where there is none.
    const std::string& twin_failure() const { return twin_failure_; }

  private:
    bool sampled() const;
    bool probe(double h);
    void follow(double h);

    Simulation& simulation_;
    Places places_;
    long steps_, samples_, done_ = 0, sampled_ = 0;
    Vector start_, halves_;
    State before_probe_;
    std::vector<double> sums_; ///< of differences, by body
    double motion_ = 0;
    std::unique_ptr<Simulation> twin_;
    PositionError difference_;
    std::string twin_failure_;
};

} // namespace tenon::run
