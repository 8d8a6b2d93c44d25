#include "tools/master/ensemble.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/master/admission.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/same_time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::master {
namespace {

/// What an FMU says goes into one line of an error message.
constexpr std::size_t longest_words = 200;

system::CheckedSystem admitted(system::CheckedSystem system) {
    admit(system);
    return system;
}

Participants make_participants(const system::CheckedSystem& system) {
    Participants participants;
    for (std::size_t i = 0; i < system.fmus.size(); ++i) {
        auto participant = std::make_unique<Participant>();
        const fmi::Capabilities& can = system.fmus[i]->description().capabilities;
        participant->number = i;
        participant->name = system.system.fmus[i].name;
        participant->file = system.system.fmus[i].file.filename().string();
        participant->description = &system.fmus[i]->description();
        participant->rollback = can.get_and_set_state;
        participant->variable_step = can.variable_step;
        participant->event_mode = can.event_mode && participant->description->version == fmi::Version::fmi3;
        participants.push_back(std::move(participant));
    }
    return participants;
}

int team_size(int threads, std::size_t participants) {
    return std::clamp(threads, 1, static_cast<int>(participants));
}

/// The categories that FMI gives names to and that are about what goes wrong.
std::vector<std::string> problem_categories(const fmi::Description& description) {
    std::vector<std::string> names;
    for (const fmi::LogCategory& category : description.log_categories)
        if (category.name == "logStatusWarning" || category.name == "logStatusDiscard" ||
            category.name == "logStatusError" || category.name == "logStatusFatal")
            names.push_back(category.name);
    return names;
}

} // namespace

Ensemble::Ensemble(system::CheckedSystem checked, const MasterOptions& options)
    : log_(options.log), last_words_(checked.fmus.size()), system(admitted(std::move(checked))),
      participants(make_participants(system)), wiring(system, participants, signals),
      curves(system.system.master.extrapolation, wiring.continuous()), delivery(wiring, curves, participants),
      team(team_size(options.threads, participants.size())) {
    for (const auto& participant : participants) {
        everybody_.push_back(participant->number);
        report.fmus.push_back({.name = participant->name, .rollback = participant->rollback});
    }
    all_roll_back_ = std::ranges::all_of(participants, [](const auto& p) { return p->rollback; });
    all_variable_ = std::ranges::all_of(participants, [](const auto& p) { return p->variable_step; });
}

Ensemble::~Ensemble() {
    for (const auto& participant : participants)
        participant->discard_states();
}

void Ensemble::make_slaves(const MasterOptions& options, Scheme* scheme) {
    for (const auto& participant : participants) {
        const std::size_t i = participant->number;
        fmi::InstanceOptions made_with = instance_options(*participant, options);
        if (scheme)
            scheme->complete(made_with, *participant);
        participant->slave = options.make_slave ? options.make_slave(system, i, made_with)
                                                : system.fmus[i]->instantiate(made_with);
        if (!options.verbose && made_with.logging)
            restrict_logging(*participant);
        if (system.system.fmus[i].isolate && !options.make_slave)
            remark(fmt::format("fmu '{}' runs in this process, although it is to be isolated",
                               printable(participant->name)));
    }
}

fmi::InstanceOptions Ensemble::instance_options(Participant& participant, const MasterOptions& options) {
    const fmi::Description& description = *participant.description;
    fmi::InstanceOptions result;
    result.name = participant.name;
    // FMI 2.0 logs what goes wrong in any case, FMI 3.0 nothing at all unless it is asked to.
    result.logging = options.verbose || (options.log && description.version == fmi::Version::fmi3);
    result.event_mode = participant.event_mode;
    // An FMU that stops on its way needs all others to come back to where it is.
    const bool others_come_back = participants.size() == 1 || (all_roll_back_ && all_variable_);
    result.early_return =
        participant.event_mode && description.capabilities.might_return_early && others_come_back;
    delivery.complete(result, participant);
    result.log = [this, &participant](fmi::Status status, const std::string&, const std::string& text) {
        const std::scoped_lock lock(log_mutex_);
        if (status != fmi::Status::ok)
            last_words_[participant.number] = text;
        if (log_)
            log_(participant.name, status, text);
    };
    return result;
}

/// All categories at once may be thousands of lines a second.
void Ensemble::restrict_logging(Participant& participant) const {
    const std::vector<std::string> names = problem_categories(*participant.description);
    if (!names.empty() &&
        !participant.succeeded("SetDebugLogging", participant.slave->set_debug_logging(true, names)))
        throw Error(ErrorKind::computation, describe(*this, system.system.master.start, participant.failure),
                    participant.name);
}

bool Ensemble::gather(const double* outputs, Failure& failure) {
    for (const std::size_t i : everybody_)
        wiring.gather(i, outputs, signals.inputs.data());
    if (wiring.has_others())
        for (const std::size_t i : everybody_)
            if (!wiring.gather_others(i, participants, outputs, signals.inputs.data(), failure))
                return false;
    return true;
}

Outcome Ensemble::outcome(unsigned flags, double t, double h, std::span<const std::size_t> members) const {
    Outcome result{.reached = t + h};
    if (flags == 0) [[likely]]
        return result;
    result.early = flags & flag_early;
    result.event = flags & flag_event;
    result.terminate = flags & flag_terminate;
    for (const std::size_t i : members) {
        const Participant& participant = *participants[i];
        // A fatal failure is told before others: it is the one that cannot be mended.
        if (flags & flag_failed && participant.failure &&
            (!result.failure || participant.failure.status > result.failure.status))
            result.failure = participant.failure;
        if (result.early)
            result.reached = std::min(result.reached, participant.result.reached);
    }
    result.failure.h = h;
    result.together =
        members.size() == participants.size() && std::ranges::none_of(members, [&](std::size_t i) {
            return result.early && is_before(result.reached, participants[i]->result.reached, h);
        });
    return result;
}

bool Ensemble::save(Failure& failure) {
    const std::size_t level = saved_++;
    const unsigned flags = team.collect(participants.size(), [&](std::size_t i) {
        Participant& participant = *participants[i];
        return !participant.rollback || participant.save(level) ? 0u : unsigned{flag_failed};
    });
    failure = outcome(flags, 0, 0).failure;
    return flags == 0;
}

bool Ensemble::restore(std::span<const std::size_t> members, Failure& failure) {
    const std::size_t level = saved_ - 1;
    const unsigned flags = team.collect(members.size(), [&](std::size_t i) {
        Participant& participant = *participants[members[i]];
        if (!participant.rollback || participant.is_dead() || participant.restore(level))
            return 0u;
        return unsigned{flag_failed};
    });
    ++report.rollbacks;
    failure = outcome(flags, 0, 0).failure;
    return flags == 0;
}

void Ensemble::give_up_rollback(std::size_t participant) {
    participants[participant]->rollback = report.fmus[participant].rollback = all_roll_back_ = false;
}

bool Ensemble::save_base(double t, Failure& failure) {
    for (const auto& participant : participants)
        participant->way_back = participant->rollback ? t : Participant::never;
    saved_ = 0;
    return save(failure);
}

void Ensemble::forget_base() {
    for (const auto& participant : participants)
        participant->way_back = Participant::never;
}

bool Ensemble::restore_base(Failure& failure) {
    saved_ = 1;
    return restore(failure);
}

std::string Ensemble::who(std::size_t participant) const {
    return fmt::format("fmu '{}' ({})", printable(participants[participant]->name),
                       printable(participants[participant]->file));
}

std::string Ensemble::says(std::size_t participant) const {
    const std::scoped_lock lock(log_mutex_);
    const std::string& words = last_words_[participant];
    return words.empty() ? "" : "; it says: " + printable(words, longest_words);
}

void Ensemble::remark(const std::string& text) {
    if (is_silent)
        return;
    report.remarks.push_back(text);
    if (log_)
        log_("", fmi::Status::ok, text);
}

} // namespace tenon::master
