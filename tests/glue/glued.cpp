#include "tests/glue/glued.hpp"

#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "tests/support/machine_run.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/host/isolated_slave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::tests {
namespace {

std::vector<Pose> poses(const Model& model, const Results& results) {
    std::vector<Pose> out;
    for (const Body& body : model.bodies)
        out.push_back({results.vector(body.name + ".r_0"), results.rotation(body.name)});
    return out;
}

Model stepped_by(Model model, const Inside& inside) {
    return with(std::move(model), {inside.integrator, inside.options, inside.coordinates, inside.tolerance},
                inside.step, 10);
}

/// The FMU without the terminals aux inside those of its ports.
std::vector<ArchiveContent> without_accelerations(std::vector<ArchiveContent> content) {
    for (ArchiveContent& entry : content) {
        if (!entry.name.ends_with("terminalsAndIcons.xml"))
            continue;
        const std::string begin = "<Terminal name=\"aux\"", end = "</Terminal>";
        for (std::size_t at; (at = entry.data.find(begin)) != entry.data.npos;)
            entry.data.erase(at, entry.data.find(end, at) + end.size() - at);
    }
    return content;
}

/// Where the poses of a machine's bodies are among the columns of a master.
class Columns {
  public:
    Columns(const Model& model, const glue::CutMachine& cut, const master::Master& master) {
        std::map<std::string, std::size_t> index;
        for (std::size_t i = 0; i < master.columns().size(); ++i)
            index.emplace(master.columns()[i].name, i);
        for (const Body& body : model.bodies)
            for (const Model& part : cut.parts)
                for (const Body& own : part.bodies)
                    if (own.name == body.name)
                        bodies_.push_back({index.at(part.name + "." + body.name + ".r_0[1]"),
                                           index.at(part.name + "." + body.name + ".q[1]")});
        for (const Model& part : cut.parts)
            energies_.push_back(index.at(part.name + ".energy.total"));
        for (const system::GlueJoint& joint : master.system().system.joints)
            forces_.push_back(index.at(joint.name + ".f_0[1]"));
    }
    std::vector<Pose> poses(const std::vector<double>& row) const {
        std::vector<Pose> out;
        for (const auto& [r, q] : bodies_)
            out.push_back({Vec3(row[r], row[r + 1], row[r + 2]),
                           from_quaternion({row[q], row[q + 1], row[q + 2], row[q + 3]})});
        return out;
    }
    double energy(const std::vector<double>& row) const {
        double sum = 0;
        for (const std::size_t column : energies_)
            sum += row[column];
        return sum;
    }
    double largest_force(const std::vector<double>& row) const {
        double largest = 0;
        for (const std::size_t column : forces_)
            for (std::size_t i = 0; i < 6; ++i)
                largest = std::max(largest, std::abs(row[column + i]));
        return largest;
    }

  private:
    std::vector<std::pair<std::size_t, std::size_t>> bodies_;
    std::vector<std::size_t> energies_, forces_;
};

} // namespace

Motion whole_motion(const Model& model, double step, double every, double stop) {
    Simulation simulation(with(model, {"munthe-kaas"}, step, stop));
    Results results(simulation);
    const long inner = std::lround(every / step), outer = std::lround(stop / every);
    Motion motion;
    for (long i = 0;; ++i) {
        results.refresh();
        motion.push_back(poses(model, results));
        if (i == outer)
            return motion;
        for (long k = 0; k < inner; ++k)
            simulation.step(every / static_cast<double>(inner));
    }
}

double largest_difference(const Motion& a, const Motion& b) {
    if (a.size() != b.size())
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a[i].size(); ++k) {
            const double distance = (a[i][k].r - b[i][k].r).norm();
            const double angle = log_so3(a[i][k].R.transpose() * b[i][k].R).norm();
            if (!std::isfinite(distance + angle))
                return std::numeric_limits<double>::infinity();
            largest = std::max({largest, distance, angle});
        }
    return largest;
}

double largest_gap(const Machine& machine, const Motion& motion) {
    const auto local = [&](int body, const Vec3& point) -> Vec3 {
        if (body == world)
            return point;
        const Body& b = machine.model.bodies[static_cast<std::size_t>(body)];
        return b.rotation.transpose() * (point - b.position);
    };
    const auto direction = [&](int body, const Vec3& axis) -> Vec3 {
        return body == world
                   ? axis
                   : machine.model.bodies[static_cast<std::size_t>(body)].rotation.transpose() * axis;
    };
    const Pose ground{Vec3::Zero(), Mat3::Identity()};
    double largest = 0;
    for (const Joint& joint : machine.model.joints) {
        if (std::find(machine.cuts.begin(), machine.cuts.end(), joint.name) == machine.cuts.end())
            continue;
        for (const std::vector<Pose>& poses : motion) {
            const Pose& a = joint.first == world ? ground : poses[static_cast<std::size_t>(joint.first)];
            const Pose& b = joint.second == world ? ground : poses[static_cast<std::size_t>(joint.second)];
            const Vec3 axis = joint.axis.normalized();
            if (joint.type != "prismatic")
                largest = std::max(largest, (a.r + a.R * local(joint.first, joint.at) - b.r -
                                             b.R * local(joint.second, joint.at))
                                                .norm());
            if (joint.type == "revolute")
                largest = std::max(
                    largest,
                    (a.R * direction(joint.first, axis)).cross(b.R * direction(joint.second, axis)).norm());
        }
    }
    return largest;
}

Motion thinned(const Motion& motion, std::size_t nth) {
    Motion out;
    for (std::size_t i = 0; i < motion.size(); i += nth)
        out.push_back(motion[i]);
    return out;
}

double GluedRun::steps_a_step() const {
    if (report.steps == 0)
        return 0;
    return static_cast<double>(report.fmus.front().dosteps) / static_cast<double>(report.steps);
}

bool GluedRun::remarks(const std::string& part) const {
    for (const std::string& remark : report.remarks)
        if (remark.find(part) != remark.npos)
            return true;
    return false;
}

GluedMachine::GluedMachine(const Machine& machine, const Inside& inside, fmi::Version version,
                           const std::function<Inside(std::size_t)>& by_part)
    : machine_(machine), cut_(glue::cut(machine.model, machine.cuts)) {
    for (std::size_t i = 0; i < cut_.parts.size(); ++i) {
        const Inside& one = by_part ? by_part(i) : inside;
        cut_.parts[i] = stepped_by(cut_.parts[i], one);
        std::vector<ArchiveContent> content = fmu_content(cut_.parts[i], "", version);
        write_archive(folder_.path() / (cut_.parts[i].name + ".fmu"),
                      one.hides_accelerations ? without_accelerations(std::move(content)) : content,
                      Packing::quick);
    }
}

system::System GluedMachine::system(const Outside& outside) const {
    system::System system = glue::glued_system(cut_, machine_.model.name, ".fmu");
    for (system::SystemFmu& fmu : system.fmus)
        fmu.file = folder_.path() / fmu.file;
    system.master.method = outside.method;
    system.master.step = outside.step;
    system.master.stop = outside.stop;
    system.master.tolerance = outside.tolerance;
    system.master.corrections = outside.corrections;
    return system;
}

GluedRun GluedMachine::run(const system::System& system, const Outside& outside) const {
    GluedRun run;
    try {
        master::MasterOptions options = glue::with_joints();
        options.threads = outside.threads;
        if (outside.isolate)
            options.make_slave = [](const system::CheckedSystem& checked, std::size_t fmu,
                                    const fmi::InstanceOptions& instance) {
                return host::instantiate_isolated(*checked.fmus[fmu], instance);
            };
        master::Master master(system::check_system(system), options);
        const Columns columns(machine_.model, cut_, master);
        std::vector<double> row(master.columns().size());
        const auto look = [&] {
            master.read(row);
            run.motion.push_back(columns.poses(row));
            run.energy.push_back(columns.energy(row));
            run.largest_force = std::max(run.largest_force, columns.largest_force(row));
            run.report = master.report();
        };
        master.initialize();
        look();
        const long steps = std::lround(outside.stop / outside.step);
        for (long i = 1; i <= steps; ++i) {
            master.step(i == steps ? outside.stop : static_cast<double>(i) * outside.step);
            look();
        }
    } catch (const Error& error) {
        run.failure = error.what();
    }
    return run;
}

Sweep sweep(const GluedMachine& glued, const Outside& outside, const std::vector<double>& steps,
            double reference_step) {
    const double finest = *std::min_element(steps.begin(), steps.end());
    const Motion whole = whole_motion(glued.machine().model, reference_step, finest, outside.stop);
    Sweep result;
    result.steps = steps;
    for (const double step : steps) {
        Outside one = outside;
        one.step = step;
        result.runs.push_back(glued.run(one));
        const auto nth = static_cast<std::size_t>(std::lround(step / finest));
        result.error.push_back(largest_difference(result.runs.back().motion, thinned(whole, nth)));
        result.gap.push_back(largest_gap(glued.machine(), result.runs.back().motion));
    }
    return result;
}

std::string Sweep::text() const {
    std::string out;
    for (std::size_t i = 0; i < steps.size(); ++i)
        out += fmt::format("H {}: error {:.2e}, gap {:.1e}, {:.1f} steps{}{}; ", steps[i], error[i], gap[i],
                           runs[i].steps_a_step(), runs[i].failure.empty() ? "" : ", ", runs[i].failure);
    return out;
}

double Sweep::order() const {
    return std::log(error.front() / error.back()) / std::log(steps.front() / steps.back());
}

void check_errors(const Sweep& sweep, const std::vector<double>& table, double factor) {
    INFO(sweep.text());
    REQUIRE(table.size() == sweep.error.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        INFO("H = " << sweep.steps[i]);
        CHECK(sweep.runs[i].failure == "");
        CHECK(sweep.error[i] <= factor * table[i]);
    }
}

} // namespace tenon::tests
