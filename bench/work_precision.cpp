// Work against precision: runs a model with integrators at steps from coarse to fine and prints, for every run, the
// processor time of the stepping alone and the largest distance of any point from a reference curve.
//
//   bench_work_precision MODEL CURVE LIMIT TARGET STEPS [NAME ...]
//
// CURVE   text: names of bodies (their frames' origins are the points), then rows of t and x y z for each of them;
//         every time a multiple of every step
// LIMIT   a run that would take longer than so many seconds is not tried, nor any finer one
// TARGET  stop at the first error below it, metres
// STEPS   seconds, from coarse to fine, separated by commas
// NAME    integrators; all by default
//
// One JSON object a line on standard output, as runs end. "lost": the time of a failure, or of an error above 2 m.

#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/files/json.hpp"
#include "tools/model_file/model_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Row {
    double time = 0;
    std::vector<tenon::Vec3> points;
};

struct Curve {
    std::vector<std::string> bodies;
    std::vector<Row> rows;
};

Curve read_curve(const std::string& path) {
    std::ifstream file(path);
    Curve curve;
    std::string line, word;
    std::getline(file, line);
    for (std::istringstream words(line); words >> word;) {
        curve.bodies.push_back(word);
    }
    while (std::getline(file, line)) {
        std::istringstream words(line);
        Row row;
        words >> row.time;
        row.points.resize(curve.bodies.size());
        for (tenon::Vec3& p : row.points) {
            words >> p.x() >> p.y() >> p.z();
        }
        if (!words) {
            throw std::runtime_error(path + ": a row is too short");
        }
        curve.rows.push_back(row);
    }
    if (curve.rows.empty()) {
        throw std::runtime_error(path + ": no rows");
    }
    return curve;
}

struct Run {
    double seconds = 0;
    double error = 0;
    double lost = -1;
    std::string failure;
};

class Follower {
  public:
    Follower(tenon::Simulation& simulation, const Curve& curve)
        : simulation_(simulation), curve_(curve), start_(simulation.state()),
          values_(simulation.columns().size()) {
        for (const std::string& body : curve.bodies) {
            const auto all = simulation.columns();
            const auto found = std::find_if(
                all.begin(), all.end(), [&](const tenon::Column& v) { return v.name == body + ".r_0[1]"; });
            if (found == all.end()) {
                throw std::runtime_error("no body '" + body + "'");
            }
            columns_.push_back(static_cast<std::size_t>(found - all.begin()));
        }
    }

    Run follow(double h, double limit) {
        simulation_.restore(start_);
        Run run;
        const std::clock_t begin = std::clock();
        const auto elapsed = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
        long done = 0;
        try {
            for (const Row& row : curve_.rows) {
                const long until = std::lround(row.time / h);
                if (std::abs(static_cast<double>(until) * h - row.time) > 1e-9) {
                    throw std::runtime_error("a time of the curve is no multiple of the step");
                }
                for (; done < until; ++done) {
                    simulation_.step(h);
                }
                run.error = std::max(run.error, distance(row));
                if (!(run.error < 2)) {
                    run.lost = simulation_.time();
                    break;
                }
                if (elapsed() > 2 * limit) { // halved steps can make a run much longer than expected
                    run.lost = simulation_.time();
                    run.failure = "out of time";
                    break;
                }
            }
        } catch (const tenon::Error& error) {
            run.lost = simulation_.time();
            run.failure = error.what();
        }
        run.seconds = elapsed();
        if (run.lost >= 0) {
            run.error = std::numeric_limits<double>::infinity(); // null in JSON
        }
        return run;
    }

  private:
    double distance(const Row& row) {
        simulation_.read(values_);
        double largest = 0;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const double* r = &values_[columns_[i]];
            const double d = (tenon::Vec3(r[0], r[1], r[2]) - row.points[i]).norm();
            if (!(d <= largest)) { // NaN too
                largest = d;
            }
        }
        return largest;
    }

    tenon::Simulation& simulation_;
    const Curve& curve_;
    tenon::State start_;
    std::vector<double> values_;
    std::vector<std::size_t> columns_;
};

void print(const std::string& name, double h, const Run& run, const tenon::RunReport& report, int runs) {
    std::cout << "{\"integrator\": " << tenon::json_string(name) << ", \"step\": " << tenon::json_number(h)
              << ", \"cpu_ms\": " << tenon::json_number(1e3 * run.seconds)
              << ", \"error\": " << tenon::json_number(run.error)
              << ", \"energy_error\": " << tenon::json_number(report.max_energy_error)
              << ", \"violation\": " << tenon::json_number(report.max_position_violation)
              << ", \"iterations\": " << report.iterations / runs
              << ", \"halvings\": " << report.halvings / runs
              << ", \"lost\": " << (run.lost < 0 ? std::string("null") : tenon::json_number(run.lost))
              << ", \"failure\": " << tenon::json_string(run.failure) << "}" << std::endl;
}

void ladder(tenon::Model model, const Curve& curve, const std::string& name, const std::vector<double>& steps,
            double limit, double target) {
    double last_seconds = 0, last_step = 0;
    bool typical = true;
    for (double h : steps) {
        if (last_seconds * (typical ? last_step / h : 1) > limit) {
            break;
        }
        model.solver = {};
        model.solver.integrator = name;
        model.solver.step = h;
        model.solver.stop = curve.rows.back().time;
        try {
            tenon::Simulation simulation(model);
            Follower follower(simulation, curve);
            Run best = follower.follow(h, limit);
            double total = best.seconds;
            int runs = 1;
            // Other work on the machine can only add: the least of several counts.
            for (; best.lost < 0 && runs < 5 && total < 0.1; ++runs) {
                const Run again = follower.follow(h, limit);
                total += again.seconds;
                best.seconds = std::min(best.seconds, again.seconds);
            }
            print(name, h, best, simulation.report(), runs);
            if (best.lost < 0 && best.error < target) {
                break;
            }
            // Runs that were lost early or had to halve steps say little about the time of the next one.
            typical = best.lost < 0 && simulation.report().halvings == 0;
            last_seconds = best.seconds;
            last_step = h;
        } catch (const tenon::Error& error) { // no start
            print(name, h, {0, std::numeric_limits<double>::infinity(), 0, error.what()}, {}, 1);
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 6) {
        std::fprintf(stderr, "usage: %s MODEL CURVE LIMIT TARGET STEPS [NAME ...]\n", argv[0]);
        return 64;
    }
    try {
        const tenon::Model model = tenon::read_model(argv[1]);
        const Curve curve = read_curve(argv[2]);
        std::vector<double> steps;
        std::string word;
        for (std::istringstream words(argv[5]); std::getline(words, word, ',');) {
            steps.push_back(std::strtod(word.c_str(), nullptr));
            if (!(steps.back() > 0)) {
                throw std::runtime_error("a step is not positive");
            }
        }
        std::vector<std::string> names(argv + 6, argv + argc);
        if (names.empty()) {
            for (const tenon::IntegratorType& type : tenon::integrator_types()) {
                names.push_back(type.name);
            }
        }
        for (const std::string& name : names) {
            ladder(model, curve, name, steps, std::strtod(argv[3], nullptr), std::strtod(argv[4], nullptr));
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        return 1;
    }
    return 0;
}
