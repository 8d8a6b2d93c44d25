// Which FMUs are coupled by joints, and by which method each of these groups is glued.

#include "tools/files/errors.hpp"
#include "tools/glue/glue.hpp"
#include "tools/system/check_context.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>

namespace tenon::glue {
namespace {

using system::GlueJoint;

} // namespace

/// Ports whose motion is prescribed inside do not yield: a compliance of zero is what newton needs to know. Where it comes from
/// derivatives it is believed (and tried in the first step, iterated_sampling.cpp); where it was measured by setting forces, the outputs
/// may be those of an FMU that looks at its inputs in steps only.
void Glue::check_compliance(double t) {
    for (const auto& fmu : fmus_) {
        if (fmu->source() == ComplianceSource::none)
            continue;
        require(fmu->measure_compliance(fmu->compliance), *fmu, t);
        if (fmu->source() != ComplianceSource::feedthrough || !fmu->is_rigid())
            continue;
        ensemble_.remark(
            fmt::format("fmu '{}': the accelerations of its ports do not follow the forces on them",
                        printable(fmu->participant().name)));
        fmu->distrust();
    }
}

void Glue::make_groups() {
    groups_.clear();
    members_.clear();
    std::vector<std::size_t> root(fmus_.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::size_t i) {
        while (root[i] != i)
            i = root[i] = root[root[i]];
        return i;
    };
    std::map<const GluedFmu*, std::size_t> index;
    for (std::size_t i = 0; i < fmus_.size(); ++i)
        index[fmus_[i].get()] = i;
    for (const auto& joint : joints_)
        if (joint->sides[0].fmu && joint->sides[1].fmu)
            root[find(index[joint->sides[0].fmu])] = find(index[joint->sides[1].fmu]);
    std::map<std::size_t, std::pair<std::vector<std::size_t>, std::vector<GluedFmu*>>> parts;
    for (const auto& joint : joints_)
        parts[find(index[joint->sides[0].fmu ? joint->sides[0].fmu : joint->sides[1].fmu])].first.push_back(
            joint->number);
    for (std::size_t i = 0; i < fmus_.size(); ++i)
        parts[find(i)].second.push_back(fmus_[i].get());
    for (const auto& [at, part] : parts)
        make_group(part.first, part.second);
    open_.resize(groups_.size());
}

/// What was asked for beside the method must fit to it.
void Glue::check_settings(const Choice& choice, const std::vector<std::size_t>& numbers,
                          const std::vector<GluedFmu*>& fmus) const {
    const system::System& system = ensemble_.system.system;
    const GlueJoint& joint = system.joints[numbers.front()];
    if (system.master.adaptive && !choice.method->estimates_error)
        system::refuse(
            system, joint,
            fmt::format(
                "joint '{}': 'adaptive' needs an estimate of the error, which method {} does not give",
                printable(joint.name), choice.method->name));
    if (!settings_.cubic)
        return;
    if (!choice.method->cubic)
        system::refuse(
            system, joint,
            fmt::format("joint '{}': polynomial 'cubic' is for method newton, and this one is {}: {}",
                        printable(joint.name), choice.method->name, choice.reason));
    for (const GluedFmu* fmu : fmus)
        if (fmu->efforts().order() < 2)
            system::refuse(
                system, joint,
                fmt::format(
                    "joint '{}': polynomial 'cubic' needs forces that are curves, and fmu '{}' takes {}",
                    printable(joint.name), printable(fmu->participant().name),
                    fmu->efforts().order() == 1 ? "lines" : "constants"));
}

void Glue::make_group(const std::vector<std::size_t>& numbers, const std::vector<GluedFmu*>& fmus) {
    const Choice choice = choose_method(ensemble_.system.system, numbers, fmus);
    check_settings(choice, numbers, fmus);
    GroupParts parts{ensemble_, {}, fmus, settings_, choice.automatic};
    for (const std::size_t number : numbers)
        parts.joints.push_back(joints_[number].get());
    std::vector<std::size_t>& members = members_.emplace_back();
    for (const GluedFmu* fmu : fmus)
        members.push_back(fmu->number());
    groups_.push_back(choice.method->make(std::move(parts)));
    ensemble_.remark(
        fmt::format("{}: method {}: {}", groups_.back()->names(), choice.method->name, choice.reason));
}

} // namespace tenon::glue
