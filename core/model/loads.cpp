#include "core/model/loads.hpp"

#include <cmath>

namespace tenon {

double MeasureLoad::dissipative(double rate, double given) const {
    const double friction = coulomb == 0 ? 0.0 : coulomb * std::tanh(rate / speed);
    return given - damping * rate - friction;
}

double MeasureLoad::dissipative_slope(double rate) const {
    if (coulomb == 0)
        return -damping;
    const double t = std::tanh(rate / speed);
    return -damping - coulomb * (1 - t * t) / speed;
}

MeasureLoad load_along(std::unique_ptr<Measure> measure, int first, int second) {
    MeasureLoad load;
    load.measure = measure.get();
    load.own = std::move(measure);
    load.first = first;
    load.second = second;
    return load;
}

MeasureLoad load_along(const Coordinate& coordinate) {
    MeasureLoad load;
    load.measure = coordinate.measure;
    load.first = coordinate.first;
    load.second = coordinate.second;
    load.slot = coordinate.slot;
    return load;
}

} // namespace tenon
