#include "core/model/loads.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {

LoadEffort MeasureLoad::between(double s0, double s1, double rate, double given) const {
    LoadEffort effort;
    effort.elastic = -stiffness * (0.5 * (s0 + s1) - free);
    effort.stiffness = stiffness;
    if (coulomb == 0) {
        effort.loss = given - damping * rate;
        effort.damping = damping;
    } else {
        const double t = std::tanh(rate / speed);
        effort.loss = given - damping * rate - coulomb * t;
        effort.damping = damping + coulomb * (1 - t * t) / speed;
    }
    if (law) {
        const LoadEffort more = s0 == s1 ? law->at(s1, rate) : law->between(s0, s1, rate);
        effort.elastic += more.elastic;
        effort.loss += more.loss;
        effort.stiffness += more.stiffness;
        effort.damping += more.damping;
    }
    return effort;
}

double Command::wanted(double t, double input_value) const {
    return input_value + constant + (table.empty() ? 0.0 : table.at(t).value);
}

double MeasureLoad::given(double t, double input_value) const {
    return command ? std::clamp(command->wanted(t, input_value), command->least, command->most) : input_value;
}

bool MeasureLoad::follows_input(double t, double input_value) const {
    if (!command)
        return true;
    const double wanted = command->wanted(t, input_value);
    return wanted > command->least && wanted < command->most;
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
