#pragma once
// How far the positions of a glued machine may be off: estimated from a few steps, spread over the run, that are made in two halves
// as well, with half the internal step in FMUs that let it be changed (solver.step of ours).
//
// With d and d' the differences of a point's position and velocity after one step and after two halves, the error of one step of a
// method of order 2 or more is at most 4/3 of them. Errors of positions add up, those of velocities act for as long as the motion
// keeps its direction, tau = (longest way) / (largest speed), and as vectors, because what swings to and fro comes back:
//
//     estimate = 4/3 T (mean(|d| / h) + tau |mean(d' / h)|)
//
// Points are what the FMUs have as outputs r_0 and v_0 (bodies, ports), and the ports of those that have none.

#include "tools/glue/glued_fmu.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tenon {
class ByteReader;
class ByteWriter;
} // namespace tenon

namespace tenon::glue {

class StepDoubling {
  public:
    StepDoubling(const master::Ensemble& ensemble, const std::vector<std::unique_ptr<GluedFmu>>& fmus);

    /// The run starts here.
    void start();
    /// Whether the step from t to t + h is one of those that are made in halves, too.
    bool is_due(double t, double h) const;
    /// Half the internal step of FMUs that let it be changed; states saved before have the other. False where one fails.
    bool refine();
    /// The points after the two halves of a step of length h.
    void note_halves(double h);
    void forget_halves() { waits_for_ = 0; }
    /// After every step of length h that was made in one piece.
    void compare(double h);

    /// Metres, up to time t; NaN where nothing is known.
    double estimate(double t) const;
    /// "<fmu>.<body>" of the largest.
    std::string worst() const;
    /// The farthest that any port, or point at a sample, has gone from its start; NaN without samples.
    double motion() const { return samples_ > 0 ? motion_ : NAN; }

    void write(ByteWriter& bytes) const;
    void read(ByteReader& bytes);

  private:
    struct Point {
        Vec3 r = Vec3::Zero(), v = Vec3::Zero();
    };
    struct Place {
        std::string name;
        std::size_t fmu = 0;
        bool is_port = false; ///< r[0] is its number
        std::array<std::size_t, 3> r{}, v{};
        bool has_velocity = false;
    };
    struct Source {
        GluedFmu* fmu = nullptr;
        ValueSet values, step;
    };

    template <class F> void each_port(F&& f) const;
    void find_points(std::size_t fmu, const master::Ensemble& ensemble);
    bool look(std::vector<Point>& points);
    double mean_error(std::size_t point) const;

    std::vector<Source> sources_;
    std::vector<Place> places_;
    std::vector<Point> first_, halves_, now_;
    std::vector<Vec3> first_ports_;
    std::vector<double> positions_; ///< sums of |d| / h, by point
    std::vector<Vec3> velocities_;  ///< sums of d' / h
    double start_ = 0, interval_ = 0;
    long samples_ = 0;
    double motion_ = 0, speed_ = 0;
    double waits_for_ = 0; ///< the length of the step that halves were made of; 0: none
};

} // namespace tenon::glue
