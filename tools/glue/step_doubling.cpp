#include "tools/glue/step_doubling.hpp"

#include "core/math/bytes.hpp"
#include "tools/system/variable_index.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tenon::glue {
namespace {

constexpr double order_factor = 4.0 / 3;
constexpr long most_samples = 20;
/// A sample costs two steps: with this many steps to one, less than 5 %.
constexpr long steps_a_sample = 46;

bool good(fmi::Status status) { return status <= fmi::Status::warning; }

} // namespace

StepDoubling::StepDoubling(const master::Ensemble& ensemble,
                           const std::vector<std::unique_ptr<GluedFmu>>& fmus) {
    const system::MasterSettings& settings = ensemble.system.system.master;
    start_ = settings.start;
    const double steps = std::round((settings.stop - settings.start) / settings.step);
    // All must go back, and take steps of any size.
    if (steps > 1 && ensemble.all_roll_back() && ensemble.all_variable())
        interval_ = (settings.stop - settings.start) /
                    std::clamp(std::floor(steps / steps_a_sample), 1.0, double(most_samples));
    for (const auto& fmu : fmus) {
        sources_.push_back({fmu.get(), {}, {}});
        find_points(sources_.size() - 1, ensemble);
    }
    each_port([&](const PortMotion&, std::size_t) { first_ports_.emplace_back(Vec3::Zero()); });
    first_.resize(places_.size());
    halves_ = now_ = first_;
    positions_.resize(places_.size(), 0);
    velocities_.resize(places_.size(), Vec3::Zero());
}

void StepDoubling::find_points(std::size_t number, const master::Ensemble& ensemble) {
    Source& source = sources_[number];
    const master::Participant& participant = source.fmu->participant();
    const system::VariableIndex index(*participant.description);
    const auto three = [&](const std::string& name, std::array<std::size_t, 3>& at) {
        const system::Selection found = index.find(name, {});
        if (found.places.size() != 3 ||
            index.variable(found.places.front().variable).type != fmi::Type::float64)
            return false;
        for (std::size_t i = 0; i < 3; ++i)
            at[i] = source.values.add(ensemble.system, participant.number, found.places[i]);
        return true;
    };
    std::set<std::string> bases; // FMI 2.0 has x.r_0[1], FMI 3.0 x.r_0
    for (const fmi::Variable& variable : participant.description->variables)
        if (const std::size_t end = variable.name.rfind(".r_0");
            end != std::string::npos && end > 0 && variable.causality == fmi::Causality::output)
            bases.insert(variable.name.substr(0, end));
    for (const std::string& base : bases) {
        Place place{.name = participant.name + "." + base, .fmu = number};
        if (!three(base + ".r_0", place.r))
            continue;
        place.has_velocity = three(base + ".v_0", place.v);
        places_.push_back(std::move(place));
    }
    if (source.values.references.empty())
        for (std::size_t p = 0; p < source.fmu->ports().size(); ++p)
            places_.push_back({.name = participant.name + "." + source.fmu->ports()[p].terminal,
                               .fmu = number,
                               .is_port = true,
                               .r = {p, 0, 0},
                               .has_velocity = true});
    const system::Selection step = index.find("solver.step", {});
    if (step.places.size() != 1)
        return;
    const fmi::Variable& variable = index.variable(step.places.front().variable);
    if (variable.causality == fmi::Causality::parameter && variable.type == fmi::Type::float64 &&
        variable.variability == fmi::Variability::tunable)
        source.step.add(ensemble.system, participant.number, step.places.front());
}

/// f(motion at the end of the step, number)
template <class F> void StepDoubling::each_port(F&& f) const {
    std::size_t number = 0;
    for (const Source& source : sources_)
        for (const GluedFmu::PortState& state : source.fmu->states)
            f(state.end, number++);
}

bool StepDoubling::look(std::vector<Point>& points) {
    for (Source& source : sources_)
        if (!source.values.references.empty() &&
            !good(source.fmu->participant().slave->get(
                std::span<const fmi::Reference>(source.values.references),
                std::span<double>(source.values.values))))
            return false;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        const Source& source = sources_[place.fmu];
        if (place.is_port) {
            const PortMotion& motion = source.fmu->states[place.r[0]].end;
            points[i] = {motion.p_WP, motion.v_WP};
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(k);
            points[i].r[k] = source.values.values[place.r[at]];
            points[i].v[k] = place.has_velocity ? source.values.values[place.v[at]] : 0.0;
        }
    }
    return true;
}

void StepDoubling::start() {
    each_port([&](const PortMotion& motion, std::size_t i) { first_ports_[i] = motion.p_WP; });
    if (!look(first_))
        interval_ = 0; // without points to compare there are no samples
}

/// One in the middle of each interval; not the first step, in which methods have nothing to predict from.
bool StepDoubling::is_due(double t, double h) const {
    if (interval_ == 0 || !(t > start_ + 0.5 * h))
        return false;
    const auto before = [&](double time) { return std::floor((time - start_) / interval_ + 0.5); };
    return before(t + h) > before(t);
}

bool StepDoubling::refine() {
    for (Source& source : sources_) {
        if (source.step.references.empty())
            continue;
        fmi::Slave& slave = *source.fmu->participant().slave;
        const std::span<const fmi::Reference> reference(source.step.references);
        if (!good(slave.get(reference, std::span<double>(source.step.values))))
            return false;
        source.step.values[0] *= 0.5;
        if (!good(slave.set(reference, std::span<const double>(source.step.values))))
            return false;
    }
    return true;
}

void StepDoubling::note_halves(double h) { waits_for_ = look(halves_) ? h : 0; }

void StepDoubling::compare(double h) {
    each_port([&](const PortMotion& motion, std::size_t i) {
        motion_ = std::max(motion_, (motion.p_WP - first_ports_[i]).norm());
        speed_ = std::max(speed_, motion.v_WP.norm());
    });
    if (waits_for_ != h)
        return;
    waits_for_ = 0;
    if (!look(now_))
        return;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        positions_[i] += (now_[i].r - halves_[i].r).norm() / h;
        velocities_[i] += (now_[i].v - halves_[i].v) / h;
        motion_ = std::max(motion_, (now_[i].r - first_[i].r).norm());
        speed_ = std::max(speed_, now_[i].v.norm());
    }
    ++samples_;
}

double StepDoubling::mean_error(std::size_t point) const {
    const double tau = speed_ > 0 ? motion_ / speed_ : 0;
    return (positions_[point] + tau * velocities_[point].norm()) / static_cast<double>(samples_);
}

double StepDoubling::estimate(double t) const {
    double largest = NAN;
    for (std::size_t i = 0; samples_ > 0 && i < places_.size(); ++i)
        if (const double error = mean_error(i); !(error <= largest))
            largest = error;
    return order_factor * (t - start_) * largest;
}

std::string StepDoubling::worst() const {
    std::size_t worst = 0;
    for (std::size_t i = 0; samples_ > 0 && i < places_.size(); ++i)
        if (mean_error(i) > mean_error(worst))
            worst = i;
    return samples_ > 0 && !places_.empty() ? places_[worst].name : "";
}

void StepDoubling::write(ByteWriter& bytes) const {
    bytes.put(static_cast<std::int32_t>(samples_));
    bytes.put(motion_);
    bytes.put(speed_);
    bytes.put(std::span<const double>(positions_));
    for (const Vec3& sum : velocities_)
        bytes.put(std::span<const double>(sum.data(), 3));
    for (const Point& point : first_)
        bytes.put(std::span<const double>(point.r.data(), 3));
    for (const Vec3& point : first_ports_)
        bytes.put(std::span<const double>(point.data(), 3));
}

void StepDoubling::read(ByteReader& bytes) {
    samples_ = bytes.get<std::int32_t>();
    motion_ = bytes.get<double>();
    speed_ = bytes.get<double>();
    bytes.get(std::span<double>(positions_));
    for (Vec3& sum : velocities_)
        bytes.get(std::span<double>(sum.data(), 3));
    for (Point& point : first_)
        bytes.get(std::span<double>(point.r.data(), 3));
    for (Vec3& point : first_ports_)
        bytes.get(std::span<double>(point.data(), 3));
}

} // namespace tenon::glue
