#include "core/simulation/simulation.hpp"

#include "core/equations/natural_equations.hpp"
#include "core/integrators/integrator_types.hpp"
#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/model_bytes.hpp"
#include "core/model/suggest.hpp"
#include "core/model/unit.hpp"
#include "core/model/validate.hpp"
#include "core/simulation/assembly.hpp"
#include "core/simulation/equilibrium.hpp"
#include "core/simulation/judge.hpp"
#include "core/simulation/state_bytes.hpp"
#include "core/simulation/stepper.hpp"
#include "core/simulation/variables.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {

namespace {

double largest(const Vector& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

const Model& checked(const Model& model, Checks checks) {
    if (checks == Checks::all)
        validate(model);
    return model;
}

double mass_of(const Model& model) {
    double mass = 0;
    for (const Body& body : model.bodies) {
        mass += body.mass;
    }
    return mass;
}

/// What the weight of the machine can do over its own size.
double weight_work(const Model& model) {
    Vec3 least = Vec3::Zero(), most = Vec3::Zero();
    for (const Body& body : model.bodies) {
        for (const Vec3& point : {body.position, Vec3(body.position + body.rotation * body.com)}) {
            least = least.cwiseMin(point);
            most = most.cwiseMax(point);
        }
    }
    return mass_of(model) * model.gravity.norm() * (most - least).norm();
}

/// At 1 m/s and 1 rad/s.
double unit_kinetic(const Model& model) {
    double energy = 0;
    for (const Body& body : model.bodies)
        energy += 0.5 * (body.mass + body.inertia.trace());
    return energy;
}

/// Prescribed motions whose velocity changes by more than this part of the largest speed, from one step to the next, jump.
constexpr double jump_of_speed = 1e-3;
/// Refuses forces whose elastic part has no potential.
void check_potentials(const Model& model, const std::string& integrator) {
    for (const Force& force : model.forces)
        if (!type_of(force).has_potential)
            throw Error(ErrorKind::model,
                        "force '" + force.name + "': the elastic part of a " + force.type +
                            " has no potential, but integrator '" + integrator +
                            "' keeps the energy by it; try \"projection\" or \"munthe-kaas\"",
                        force.name + ".type");
}

/// Into how many parts a step is divided that cannot be believed as a whole, at most.
constexpr int most_parts = 8;

} // namespace

struct Simulation::Parts final : StateFollower {
    /// `held`: near the equilibrium of this one.
    Parts(const Model& model, Checks checks, const Parts* held = nullptr)
        : settings(resolve_settings(checked(model, checks).solver)), mechanism(model), variables(mechanism),
          rigid(mechanism, memory, settings.coordinates == "lie" ? Chart::lie : Chart::natural) {
        memory.angle = memory.angle_rate = Vector::Zero(mechanism.slots());
        memory.lag = memory.lag_rate = Vector::Zero(mechanism.lags());
        memory.inputs.resize(mechanism.inputs().size());
        name_inputs();
        for (const Port& port : model.ports)
            ports.emplace_back(mechanism, port);
        for (const Flange& flange : model.flanges)
            flanges.push_back({mechanism.flange_coordinate(flange), mechanism.flange_input(flange)});
        accepts_divergence = settings.flag("accept_divergence");
        print = fingerprint(model);
        const IntegratorType& method = *find_integrator(settings.integrator);
        if (method.keeps_energy)
            check_potentials(model, method.name);
        integrator = method.make(settings);

        Vector q, v;
        std::vector<char> excluded;
        start = assemble(model, rigid, 0, settings.step, q, v, excluded);
        if (settings.word("start") == "equilibrium")
            start_at_rest(checks == Checks::none, held, q, v);
        state.angle = memory.angle;
        state.angle_rate = Vector::Zero(mechanism.slots());
        state.lag = state.lag_rate = memory.lag;
        state.inputs = memory.inputs;
        port_power = port_power_rate =
            Vector::Zero(static_cast<Eigen::Index>(model.ports.size() + model.flanges.size()));
        state.port_work = port_power;
        lambda = Vector::Zero(mechanism.rows());
        acceleration = Vector::Zero(6 * mechanism.bodies());
        rhs = response_lambda = Vector::Zero(mechanism.rows());
        response_force = response_a = Vector::Zero(6 * mechanism.bodies());
        seed = Vector::Zero(static_cast<Eigen::Index>(mechanism.inputs().size()));
        power_before = rate_before = port_power;
        if (integrator->implicit()) {
            natural = std::make_unique<NaturalEquations>(mechanism, memory, rigid, excluded);
            integrator->attach({nullptr, natural.get()});
            state.q = q;
            state.v = Vector::Zero(q.size());
            natural->velocity_from_rigid(q, v, state.v);
        } else {
            integrator->attach({&rigid, nullptr});
            state.q = q;
            state.v = v;
        }
        follow(state);
        mechanism.check_wrenches(motion(), state.time, true);
        mechanism.follow_lags(motion(), state.time, memory, true, state.lag, state.lag_rate);
        remember(state);
        accept(state);
        try {
            integrator->start(state);
        } catch (const NotConverged& failure) {
            throw Error(ErrorKind::computation,
                        "the start state has no finite accelerations: " + failure.quantity);
        }
        refresh();
        report.energy_start = totals.kinetic + totals.potential;
        judge = Judge(integrator->dissipates(), weight_work(model), unit_kinetic(model));
        judge.start(state.account, judged());
        origin = as_set = state;
        observe();
    }

    /// From the assembled position to the equilibrium; velocities are those that the model gives, as far as the joints let
    /// them be there.
    void start_at_rest(bool changed, const Parts* held, Vector& q, Vector& v) {
        if (held != nullptr)
            hold_at_equilibrium(rigid, memory, 0, held->moves_to_rest, q);
        else
            moves_to_rest = find_equilibrium(rigid, memory, 0, q, changed).moves;
        rest_with_velocities(mechanism, rigid, memory, q, v);
    }

    void name_inputs() {
        for (const InputVariable& input : mechanism.inputs()) {
            memory.inputs[inputs.size()].value = input.start;
            inputs.push_back({input.name, input.unit, input.description, input.group, input.array});
            input_index.push_back(static_cast<int>(input_index.size()));
        }
        input_scale.assign(input_index.size(), 1.0);
        for (const Alias& alias : mechanism.model().inputs) {
            const auto& all = mechanism.inputs();
            const auto found = std::find_if(all.begin(), all.end(),
                                            [&](const InputVariable& v) { return v.name == alias.variable; });
            if (found == all.end()) {
                std::vector<std::string> names;
                names.reserve(all.size());
                for (const InputVariable& input : all)
                    names.push_back(input.name);
                throw Error(ErrorKind::model,
                            "input '" + alias.name + "' goes to '" + alias.variable +
                                "', which is not an input of the model; " +
                                (names.empty() ? "drivers, forces and torques with input = true are"
                                               : suggestion(alias.variable, names)),
                            alias.name + ".to");
            }
            inputs.push_back({alias.name,
                              alias.unit.empty() ? found->unit : alias.unit,
                              alias.description.empty() ? found->description : alias.description,
                              found->group,
                              {}});
            input_index.push_back(static_cast<int>(found - all.begin()));
            input_scale.push_back(alias.unit.empty() ? 1.0 : conversion(alias.unit, found->unit, alias.name));
        }
    }

    void remember(const State& s) override {
        memory.time = s.time;
        memory.angle = s.angle;
        memory.angle_rate = s.angle_rate;
        memory.lag = s.lag;
        memory.lag_rate = s.lag_rate;
        memory.inputs = s.inputs;
    }

    void accept(State& s) override {
        if (mechanism.slots() > 0 || !mechanism.loads().wrench.empty()) {
            follow(s);
            for (int i = 0; i < mechanism.slots(); ++i)
                measure_slot(i, s);
            mechanism.follow_lags(motion(), s.time, memory, false, s.lag, s.lag_rate);
            mechanism.check_wrenches(motion(), s.time, false);
        }
        remember(s);
    }

    std::string row_name(int row) const override { return mechanism.row_name(row); }

    /// Kinematics of a state.
    void follow(const State& s) {
        if (natural != nullptr)
            natural->kinematics(s.q, s.v, kinematics);
        else
            rigid.set_kinematics(s.q, s.v);
    }

    const std::vector<Kinematics>& motion() const {
        return natural != nullptr ? kinematics : rigid.kinematics();
    }

    void measure_slot(int slot, State& s) const {
        const Coordinate& c = mechanism.slot_coordinates()[slot];
        const std::vector<Kinematics>& k = motion();
        RigidRow row;
        c.measure->rigid(mechanism.at(k, c.first), mechanism.at(k, c.second), memory.near(slot, s.time), row);
        s.angle[slot] = row.value;
        s.angle_rate[slot] = row.rate;
    }

    /// Everything reported at the state: consistent accelerations and reactions, energies, violations.
    void refresh() {
        stale = false;
        if (natural != nullptr) {
            follow(state);
            rigid.evaluate_at(state.time, kinematics);
            totals.kinetic = natural->kinetic(state.v);
            totals.velocity_violation = natural->velocity_violation(state.time, state.q, state.v);
            // The method needs none of this, and may be asked for every Nth state only.
            unsolved = true;
            factored = false;
            if (!ports.empty() || !flanges.empty())
                complete();
        } else {
            unsolved = false;
            rigid.evaluate(state.time, state.q, state.v);
            totals.kinetic = rigid.kinetic();
            totals.velocity_violation = largest(rigid.velocity_residual());
            if (state.renew != 0) {
                solve_accelerations(false); // inputs have changed since the integrator found them
            } else {
                acceleration = state.a;
                lambda = state.lambda;
                factored = false;
            }
        }
        totals.potential = rigid.potential();
        find_port_power();
        totals.work = state.work;
        totals.iterations = state.iterations;
        totals.position_violation = largest(rigid.position_residual());
        if (!unsolved)
            totals.acceleration_violation = rigid.acceleration_violation(acceleration);
    }

    /// What refresh() has left to those who read.
    void complete() {
        if (!unsolved)
            return;
        unsolved = false;
        solve_accelerations(integrator->projects_results());
        totals.acceleration_violation = rigid.acceleration_violation(acceleration);
    }

    /// Index-1 solution at the point evaluated. `project`: first the smallest change of velocities that the joints
    /// demand, for results only: the mid-point methods satisfy them between the nodes.
    void solve_accelerations(bool project) {
        rigid.factor(Metric::mass);
        factored = true;
        if (project && largest(rigid.velocity_residual()) > 1e-12) {
            rhs = -rigid.velocity_residual();
            response_force.setZero();
            rigid.solve(response_force, rhs, acceleration, lambda);
            for (int b = 0; b < mechanism.bodies(); ++b) {
                kinematics[b].v += acceleration.segment<3>(6 * b);
                kinematics[b].w += acceleration.segment<3>(6 * b + 3);
            }
            rigid.evaluate_at(state.time, kinematics);
        }
        rhs = -rigid.bias();
        rigid.solve(rigid.force(), rhs, acceleration, lambda);
    }

    void refresh_if_stale() {
        if (stale) {
            remember(state);
            refresh();
        }
        complete();
    }

    /// Power through ports and flanges and its rate, for a fourth-order quadrature of their work.
    void find_port_power() {
        Eigen::Index i = 0;
        std::size_t load = mechanism.loads().applied.size() - ports.size();
        for (const PortFrame& port : ports) {
            const AppliedLoad& wrench = mechanism.loads().applied[load++];
            const PortFrame::Motion m = port.motion(rigid, acceleration);
            port_power[i] = port_power_rate[i] = 0;
            for (int c = 0; c < 3; ++c) {
                const Derivatives f = memory.input(wrench.force_input + c, state.time);
                const Derivatives t = memory.input(wrench.torque_input + c, state.time);
                port_power[i] += f.value * m.v[c] + t.value * m.w[c];
                port_power_rate[i] +=
                    f.rate * m.v[c] + f.value * m.a[c] + t.rate * m.w[c] + t.value * m.al[c];
            }
            ++i;
        }
        for (const auto& [c, input] : flanges) {
            double value = 0, rate = 0;
            rigid.measure(c, value, rate);
            const Derivatives effort = memory.input(input, state.time);
            port_power[i] = effort.value * rate;
            port_power_rate[i] =
                effort.rate * rate + effort.value * rigid.measure_acceleration(c, acceleration);
            ++i;
        }
    }

    void observe() {
        report.max_position_violation = std::max(report.max_position_violation, totals.position_violation);
        report.max_velocity_violation = std::max(report.max_velocity_violation, totals.velocity_violation);
        report.energy = totals.kinetic + totals.potential;
        const double error = std::abs(report.energy - report.energy_start - state.work);
        const double corrected = std::abs(state.account.corrected);
        if (report.energy_scale == 0 || error > report.max_energy_error ||
            corrected > report.max_energy_correction)
            report.energy_scale = judge.scale(state.account);
        report.max_energy_error = std::max(report.max_energy_error, error);
        report.max_energy_correction = std::max(report.max_energy_correction, corrected);
    }

    /// The state as far as it is judged, refreshed; what a step has exchanged is for the caller to say.
    Judged judged() const {
        Judged now;
        now.kinetic = totals.kinetic;
        now.springs = rigid.elastic();
        now.energy = totals.kinetic + totals.potential;
        now.work = state.work;
        now.velocity_violation = totals.velocity_violation;
        for (const Kinematics& k : rigid.kinematics()) {
            now.speed = std::max({now.speed, k.v.norm(), k.w.norm()});
        }
        return now;
    }

    /// Whether drivers' inputs that were set have left the machine behind.
    bool drivers_jump() const {
        for (const DriverRow& driver : mechanism.drivers()) {
            if (std::abs(rigid.position_residual()[driver.row]) > settings.tolerance ||
                std::abs(rigid.velocity_residual()[driver.row]) > jump_of_speed * state.account.speed)
                return true;
        }
        return false;
    }

    /// One step of the stepper with all that follows from it, judged.
    std::optional<Verdict> advance(double h, bool jumped) {
        const double work_before = state.work;
        power_before = port_power;
        rate_before = port_power_rate;
        const int iterations = stepper.step(*integrator, state, h, report.halvings, *this);
        report.shortest_part = std::min(report.shortest_part, stepper.shortest_part());
        state.iterations = iterations;
        report.iterations += iterations;
        refresh();
        // W = h/2 (P0 + P1) + h^2/12 (P0' - P1')
        power_before =
            (0.5 * h) * (power_before + port_power) + (h * h / 12) * (rate_before - port_power_rate);
        state.port_work += power_before;
        Judged now = judged();
        now.exchanged = std::max(std::abs(state.work - work_before), power_before.lpNorm<1>());
        now.jumped = jumped;
        return judge.step(state.account, now);
    }

    void go_back(const State& to) {
        state = to;
        remember(state);
        refresh();
    }

    /// A step of length h from `origin` in parts, more and more of them.
    std::optional<Verdict> advance_in_parts(double h, bool jumped) {
        std::optional<Verdict> wrong;
        const double end = origin.time + h;
        for (int parts = 2; parts <= most_parts; parts *= 2) {
            ++report.halvings;
            go_back(origin);
            wrong.reset();
            for (int i = 1; i <= parts && !wrong; ++i) {
                const double to = i == parts ? end : origin.time + h * i / parts;
                wrong = advance(to - state.time, jumped && i == 1);
            }
            state.time = end;
            if (!wrong)
                break;
        }
        return wrong;
    }

    Solution solution() const { return {rigid, acceleration, lambda, state.port_work, port_power, totals}; }

    struct FlangePlace {
        Coordinate coordinate;
        int input;
    };

    Settings settings;
    Mechanism mechanism;
    ResultVariables variables;
    Memory memory;
    RigidEquations rigid;
    std::unique_ptr<NaturalEquations> natural;
    std::unique_ptr<Integrator> integrator;
    Stepper stepper;
    Judge judge{false, 0, 0};
    bool accepts_divergence = false;
    State state;
    State as_set,
        origin; // before inputs that were set have taken effect; before a step that is done in parts
    StartReport start;
    std::vector<BodyMove> moves_to_rest; // where it starts at its equilibrium
    RunReport report;
    Totals totals;
    Vector lambda, acceleration, rhs;
    Vector port_power, port_power_rate, power_before, rate_before;
    Vector seed, response_force, response_a, response_lambda; // of input_response()
    bool stale = false;                                       // inputs were set since refresh()
    bool factored = false;                                    // the rigid face at this state
    bool unsolved = false;                                    // its accelerations are not known yet
    std::vector<Kinematics> kinematics;
    std::vector<PortFrame> ports;
    std::vector<FlangePlace> flanges;
    std::vector<Input> inputs;
    std::vector<int> input_index;
    std::vector<double> input_scale; // from the unit of the input to the one inside
    std::uint64_t print = 0;
};

Simulation::Simulation(const Model& model, Checks checks) : parts_(std::make_unique<Parts>(model, checks)) {}
Simulation::Simulation(const Model& model, const Simulation& original)
    : parts_(std::make_unique<Parts>(model, Checks::none, original.parts_.get())) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Model& Simulation::model() const { return parts_->mechanism.model(); }
const StartReport& Simulation::start() const { return parts_->start; }
const RunReport& Simulation::report() const { return parts_->report; }
double Simulation::time() const { return parts_->state.time; }

void Simulation::step(double h) {
    Parts& p = *parts_;
    const bool renew = p.state.renew != 0;
    bool jumped = false;
    if (renew) {
        p.as_set = p.state;
        p.state.renew = 0;
        p.remember(p.state);
        try {
            p.integrator->inputs_changed(p.state);
        } catch (const NotConverged& failure) {
            restore(p.as_set);
            throw Error(ErrorKind::computation,
                        "the inputs set at t = " + digits(time()) + " s give no finite " + failure.quantity);
        }
        p.refresh();
        p.complete();
        jumped = p.drivers_jump();
    }
    const double start = p.state.time;
    p.report.shortest_part = h;
    bool rolls_back = false;
    try {
        std::optional<Verdict> wrong = p.advance(h, jumped);
        if (wrong && !p.accepts_divergence) {
            p.origin = p.stepper.before();
            rolls_back = true;
            wrong = p.advance_in_parts(h, jumped);
        } else if (wrong && wrong->of == Verdict::Of::not_finite) {
            p.origin = p.stepper.before();
            rolls_back = true; // parts would be no better
        }
        if (wrong) {
            if (rolls_back)
                throw Error(ErrorKind::computation,
                            refusal(*wrong, start, p.accepts_divergence ? 1 : most_parts));
            if (p.report.divergence.empty())
                p.report.divergence = description(*wrong, start);
        }
    } catch (...) {
        restore(renew ? p.as_set : rolls_back ? p.origin : p.state);
        throw;
    }
    ++p.report.steps;
    if (const double rest = p.integrator->unconverged(); rest > 0) {
        ++p.report.unconverged;
        p.report.largest_unconverged = std::max(p.report.largest_unconverged, rest);
    }
    p.observe();
}

void Simulation::bound_iterations(int most) {
    if (!parts_->integrator->bound_iterations(most))
        throw Error(ErrorKind::usage, "--iterations bounds the iterations of a step, and " +
                                          parts_->settings.integrator +
                                          " has none that could be bounded; try --integrator projection");
}

const std::vector<Variable>& Simulation::variables() const { return parts_->variables.variables(); }
const std::vector<Column>& Simulation::all_columns() const { return parts_->variables.columns(); }
std::span<const Column> Simulation::columns() const {
    return std::span(all_columns()).first(parts_->variables.usual_columns());
}
std::span<const Column> Simulation::columns_on_request() const {
    return std::span(all_columns()).subspan(parts_->variables.usual_columns());
}

void Simulation::read(std::span<double> values) const {
    Parts& p = *parts_;
    p.refresh_if_stale();
    p.variables.read(p.solution(), values);
}

const std::vector<Input>& Simulation::inputs() const { return parts_->inputs; }

double Simulation::input_start(int index) const {
    const auto i = static_cast<std::size_t>(index);
    const auto inner = static_cast<std::size_t>(parts_->input_index[i]);
    return parts_->mechanism.inputs()[inner].start / parts_->input_scale[i];
}

bool Simulation::group_follows_time(int group) const { return parts_->mechanism.group_follows_time(group); }

void Simulation::set_input(int index, double value, double rate, double acceleration) {
    Parts& p = *parts_;
    const double scale = p.input_scale[static_cast<std::size_t>(index)];
    p.state.inputs[static_cast<std::size_t>(p.input_index[static_cast<std::size_t>(index)])] = {
        p.state.time, scale * value, scale * rate, scale * acceleration};
    p.state.renew = 1;
    p.stale = true;
}

void Simulation::input_response(std::span<const double> seed, std::span<double> values) {
    Parts& p = *parts_;
    p.refresh_if_stale();
    p.seed.setZero();
    for (std::size_t i = 0; i < seed.size(); ++i)
        p.seed[p.input_index[i]] += p.input_scale[i] * seed[i];
    if (!p.factored) {
        p.rigid.factor(Metric::mass);
        p.factored = true;
    }
    p.response_force.setZero();
    p.rigid.add_input_force(p.seed, p.response_force);
    p.rhs.setZero();
    p.rigid.solve(p.response_force, p.rhs, p.response_a, p.response_lambda);
    p.variables.read_response({p.rigid, p.response_a, p.response_lambda}, values);
}

void Simulation::time_response(std::span<double> values) {
    Parts& p = *parts_;
    p.refresh_if_stale();
    for (InputPolynomial& input : p.memory.inputs) {
        input = {p.state.time,
                 p.memory.input(static_cast<int>(&input - p.memory.inputs.data()), p.state.time).value, 0, 0};
    }
    constexpr double step = 1e-5; // s: differences good to step^2, rounding to eps / step
    const auto at = [&](double t, Vector& a, Vector& lambda) {
        if (p.natural != nullptr)
            p.rigid.evaluate_at(t, p.kinematics);
        else
            p.rigid.evaluate(t, p.state.q, p.state.v);
        p.rigid.factor(Metric::mass);
        p.rhs = -p.rigid.bias();
        p.rigid.solve(p.rigid.force(), p.rhs, a, lambda);
    };
    at(p.state.time + step, p.response_a, p.response_lambda);
    at(p.state.time - step, p.acceleration, p.lambda);
    p.response_a = (p.response_a - p.acceleration) / (2 * step);
    p.response_lambda = (p.response_lambda - p.lambda) / (2 * step);
    p.remember(p.state);
    p.refresh();
    p.variables.read_response({p.rigid, p.response_a, p.response_lambda}, values);
}

void Simulation::read_rates(std::span<double> values) const {
    Parts& p = *parts_;
    p.refresh_if_stale();
    p.variables.read_rates(p.solution(), values);
}

const State& Simulation::state() const { return parts_->state; }

void Simulation::restore(const State& state) {
    parts_->state = state;
    parts_->remember(state);
    parts_->refresh();
}

void Simulation::restore(const State& state, const RunReport& report) {
    restore(state);
    parts_->report = report;
}

void Simulation::take_over(const State& state) {
    parts_->state = state;
    parts_->state.renew = 1;
    parts_->remember(state);
    parts_->refresh();
    parts_->judge.shift(parts_->state.account, parts_->judged());
}

std::vector<unsigned char> Simulation::to_bytes() const {
    return state_to_bytes(parts_->state, parts_->print);
}

void Simulation::from_bytes(std::span<const unsigned char> bytes) {
    restore(state_from_bytes(bytes, parts_->print, parts_->state));
}

} // namespace tenon
