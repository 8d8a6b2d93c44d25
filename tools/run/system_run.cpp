#include "tools/run/system_run.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "tools/files/descriptor.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/output_file.hpp"
#include "tools/glue/coupler_plan.hpp"
#include "tools/master/same_time.hpp"
#include "tools/results/checkpoint_file.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/results/system_scene.hpp"
#include "tools/run/master_options.hpp"
#include "tools/run/model_run.hpp"
#include "tools/run/number_text.hpp"
#include "tools/run/system_changes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tenon::run {

namespace fs = std::filesystem;

fs::path whole_path(const fs::path& path) {
    return path.empty() || is_stream(path) ? path : fs::absolute(path).lexically_normal();
}

namespace {

/// The working folder of the process, back at the end of a run: what is written afterwards belongs beside the user.
class KeptFolder {
  public:
    KeptFolder() : folder_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
    ~KeptFolder() {
        if (folder_.valid() && ::fchdir(folder_.get()) != 0) { // it is gone: nothing can be written there
        }
    }
    KeptFolder(const KeptFolder&) = delete;
    KeptFolder& operator=(const KeptFolder&) = delete;

  private:
    Descriptor folder_;
};

class SteppedSystem : public Stepped {
  public:
    explicit SteppedSystem(master::Master& master) : master_(master) {}

    double time() const override { return master_.time(); }
    bool step(double until) override { return master_.step(until); }
    std::size_t columns() const override { return master_.columns().size(); }
    void read(std::span<double> values) override { master_.read(values); }
    bool events(const RowSink& sink) override {
        for (const master::Master::EventRow& row : master_.event_rows())
            sink(row.time, row.values);
        return !master_.event_rows().empty();
    }

  private:
    master::Master& master_;
};

} // namespace

namespace {

/// An FMU may end the simulation in the very last step.
std::string before_stop(double time, double stop) {
    if (master::is_before(time, stop, stop - time))
        return fmt::format("the run ended at t = {} s, before the stop time {} s", digits(time),
                           digits(stop));
    return fmt::format("the run was ended by an FMU at its stop time, t = {} s", digits(stop));
}

} // namespace

/// Rows to the recorder, checkpoints to their keeper, the rest to the watcher.
class SystemObserver : public Observer {
  public:
    SystemObserver(SystemRun& run, Watcher& watcher) : run_(run), watcher_(watcher) {}

    void row(double time, std::span<const double> values) override { run_.recorder_->write(time, values); }
    void stepped(double time) override {
        watcher_.stepped(time);
        run_.keep_pace(time, watcher_);
    }
    bool stops() override { return watcher_.stops(); }
    bool wants_checkpoint() override { return run_.keeper_ && run_.keeper_->is_due(); }
    void checkpoint(long step, bool finished) override {
        if (!run_.keeper_)
            return;
        run_.keeper_->write(*run_.master_, step, finished, run_.recorder_.get());
        run_.summary_.checkpoint = run_.request_.checkpoint;
        watcher_.checkpointed();
    }
    /// The failure is what is reported; that its state could not be kept is a remark.
    void failed(long step) override {
        try {
            checkpoint(step, false);
        } catch (const std::exception& error) {
            watcher_.warn(
                fmt::format("no checkpoint of t = {:.12g} s: {}", run_.master_->time(), error.what()));
        }
    }

  private:
    SystemRun& run_;
    Watcher& watcher_;
};

SystemRun::SystemRun(SystemRequest request) : request_(std::move(request)) {
    std::error_code ignored; // of a folder that is gone
    folder_ = fs::current_path(ignored);
    summary_.of = Summary::Of::system;
    summary_.file = request_.settings.system;
    summary_.name = request_.settings.system.stem().string();
    summary_.out = request_.settings.out;
    summary_.earlier_seconds = request_.from ? request_.from->wall_seconds : 0;
}

Ending SystemRun::run(Watcher& watcher) {
    const KeptFolder kept;
    const Ending ending = compute(watcher);
    summary_.status = ending == Ending::interrupted ? "interrupted" : "done";
    return ending;
}

fs::path SystemRun::placed(const fs::path& path) const {
    return path.empty() || is_stream(path) ? path : (folder_ / path).lexically_normal();
}

Ending SystemRun::compute(Watcher& watcher) {
    std::vector<std::string> warnings;
    system::CheckedSystem checked = checked_system(request_.settings, request_.letter, warnings);
    for (const std::string& warning : warnings)
        watcher.warn(warning);
    summary_.deviations = checked.deviations;
    const system::MasterSettings settings = checked.system.master;
    summary_.name = checked.system.name;
    summary_.method = settings.method;
    summary_.automatic = settings.method == "auto";
    summary_.step = settings.step;
    summary_.stop = settings.stop;
    std::vector<results::ContentMark> content;
    if (!request_.checkpoint.empty())
        content = checked_content(checked);
    if (!request_.save.empty()) {
        master::MasterOptions where; // FMUs run; what they say there is said again in the run
        where.make_slave = master_options(request_, checked).make_slave;
        save_ssp(checked, request_.save, glue::plan_couplers(checked, where));
        summary_.saved = request_.save;
    }
    // Where the system is saved and not run, FMUs for other machines will do.
    if (request_.only_start && !request_.save.empty())
        return Ending::done;
    std::optional<Schedule> schedule;
    if (!request_.only_start) {
        // A short step may hold too few steps of a glued FMU.
        const bool glued = !checked.system.joints.empty();
        schedule.emplace(settings.start, settings.step, settings.stop,
                         glued ? Schedule::Last::longer : Schedule::Last::shorter);
        if (const std::string remark = schedule->remark(); !remark.empty())
            watcher.warn(fmt::format("{}: {}", shown(request_.settings.system), remark));
    }
    watcher.prepare();
    make_master(std::move(checked), watcher);
    if (schedule)
        open_outputs(std::move(content));
    begun_ = Clock::now();
    start();
    summary_.started = true;
    if (schedule && !scene_beside(request_.settings.out).empty())
        write_scene_file(
            watcher); // not before: results of an earlier run keep theirs where this one does not start
    watcher.started(*master_);
    const Ending ending = schedule ? step_through(*schedule, watcher) : Ending::done;
    if (ending == Ending::interrupted)
        return ending;
    if (recorder_)
        recorder_->close();
    master_->terminate();
    if (schedule)
        judge_accuracy(watcher);
    return ending;
}

/// What is said of a glued system that came to its end: whether it can be believed, and how far.
void SystemRun::judge_accuracy(Watcher& watcher) {
    const Summary& s = summary();
    const std::string remedy =
        fmt::format("try --step {}, and half the step inside the FMUs", short_number(s.step / 2));
    const auto warn = [&](const std::string& text) {
        const std::string whole = fmt::format("{}: {}; {}", shown(request_.settings.system), text, remedy);
        if (summary_.message.empty())
            summary_.message = whole;
        watcher.warn(whole);
    };
    if (s.max_energy_error > doubtful_energy * s.energy_scale)
        warn(fmt::format("the energy error is {} J, {:.2g} % of the {} J that the machine has moved",
                         short_number(s.max_energy_error), 100 * s.max_energy_error / s.energy_scale,
                         short_number(s.energy_scale)));
    if (const std::string doubt = position_doubt(s.position_error, s.motion, false); !doubt.empty())
        warn(doubt);
}

/// What the checkpoints say about the files; where one is continued, the files must be as they were.
std::vector<results::ContentMark> SystemRun::checked_content(const system::CheckedSystem& checked) const {
    if (!request_.from)
        return results::content_marks(checked);
    if (const std::string difference = results::content_difference(request_.from->content, checked);
        !difference.empty())
        throw InputError(InputFault::malformed,
                         fmt::format("{}: {} since the checkpoint {} was written; start a new run",
                                     shown(request_.settings.system), difference,
                                     shown(request_.checkpoint)));
    return request_.from->content;
}

void SystemRun::make_master(system::CheckedSystem checked, Watcher& watcher) {
    master::MasterOptions options = master_options(request_, checked);
    options.log = [&watcher](const std::string& fmu, fmi::Status status, const std::string& text) {
        watcher.fmu_says(fmu, status, text);
    };
    master_.emplace(std::move(checked), options);
    require_matches(request_.settings.vars, *master_);
    if (!request_.checkpoint.empty())
        require_states(*master_);
}

/// Everything that can refuse to be written refuses here, before the first step. Slaves have been made: their processes
/// must not inherit the lock.
void SystemRun::open_outputs(std::vector<results::ContentMark> content) {
    if (!request_.checkpoint.empty()) {
        results::Checkpoint about;
        about.program = TENON_VERSION;
        about.settings = whole_settings();
        about.content = std::move(content);
        about.wall_seconds = summary_.earlier_seconds;
        results::require_checkpoint_place(placed(request_.checkpoint));
        refuse_unfinished();
        keeper_.emplace(placed(request_.checkpoint), request_.checkpoint_every, std::move(about));
        if (request_.older_generation)
            results::adopt_previous_checkpoint(placed(request_.checkpoint));
    }
    if (!request_.settings.out.empty() && !request_.from)
        recorder_ = results::new_recorder(placed(request_.settings.out), heading(), request_.journal);
}

/// Days of computation may be in the checkpoint that a new run would write over.
void SystemRun::refuse_unfinished() const {
    std::error_code ignored;
    const fs::path file = placed(request_.checkpoint);
    if (request_.from || request_.overwrite || !fs::exists(file, ignored))
        return;
    std::optional<results::ReadCheckpoint> there;
    try {
        there = results::read_checkpoint(file);
    } catch (const InputError&) { // nobody could go on with it
        return;
    }
    if (!there->checkpoint.finished)
        throw Error(ErrorKind::usage,
                    fmt::format("--checkpoint {0} is of a run that has come to t = {1:.12g} s; go on with: "
                                "tenon resume {0}, or begin anew with --overwrite",
                                shown(request_.checkpoint), there->checkpoint.time));
}

results::RunSettings SystemRun::whole_settings() const {
    results::RunSettings settings = request_.settings;
    settings.system = placed(settings.system);
    settings.out = placed(settings.out);
    return settings;
}

results::ResultHeading SystemRun::heading() const {
    results::ResultHeading heading{master_->system().system.name, results::to_json(whole_settings()), {}};
    for (const master::Column& column : master_->columns())
        heading.columns.push_back({column.name, column.unit, column.description});
    return heading;
}

void SystemRun::start() {
    if (!request_.from) {
        master_->initialize();
        if (keeper_) // of another run, before its results are written over
            results::remove_checkpoints(placed(request_.checkpoint));
        return;
    }
    try {
        master_->restore(request_.from->master);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", shown(request_.checkpoint), error.what()),
                    error.element());
    }
    if (!request_.settings.out.empty())
        recorder_ = results::continued_recorder(placed(request_.settings.out), heading(),
                                                request_.from->results, request_.journal);
}

void SystemRun::write_scene_file(Watcher& watcher) const {
    const results::SystemScene scene = results::system_scene(master_->system());
    for (const std::string& remark : scene.remarks)
        watcher.warn(remark);
    Model nothing;
    nothing.name = master_->system().system.name;
    results::write_scene(scene_beside(placed(request_.settings.out)), scene.machine.value_or(nothing),
                         heading().columns);
}

Ending SystemRun::step_through(const Schedule& schedule, Watcher& watcher) {
    LoopOptions options;
    options.every = request_.settings.every;
    options.rows = recorder_ != nullptr;
    if (recorder_ && recorder_->rows() > 0)
        options.last_row = recorder_->last_time();
    if (request_.from) {
        options.done = request_.from->finished ? schedule.steps() : request_.from->step;
        if (!request_.from->finished)
            require_place(schedule, options.done);
    }
    watcher.begins(master_->time(), summary_.stop);
    start_pace(request_.realtime, master_->time());
    SteppedSystem machine(*master_);
    SystemObserver observer(*this, watcher);
    const std::size_t remarks_before = master_->report().remarks.size();
    const Ending ending = run_loop(machine, schedule, options, observer);
    if (ending == Ending::ended_early) {
        // An FMU has ended the simulation, or the last step was not of a size that all can take: the master says which.
        summary_.message = before_stop(master_->time(), summary_.stop);
        const std::vector<std::string>& remarks = master_->report().remarks;
        for (std::size_t i = remarks_before; i < remarks.size(); ++i)
            summary_.message += "; " + remarks[i];
        watcher.warn(summary_.message);
    }
    return ending;
}

/// The two parts of a checkpoint, steps done and state of the master, must belong together.
void SystemRun::require_place(const Schedule& schedule, long done) const {
    const double time = master_->time();
    if (done < schedule.steps() && time >= schedule.time(done) && time < schedule.time(done + 1))
        return;
    throw InputError(InputFault::malformed,
                     fmt::format("{}: the checkpoint makes no sense: {} of {} steps are done, and t = {} s",
                                 shown(request_.checkpoint), done, schedule.steps(), time));
}

std::string SystemRun::kept() {
    std::string text = Run::kept();
    if (!summary_.checkpoint.empty())
        text += fmt::format("; continue with: tenon resume {}", shown(request_.checkpoint));
    return text;
}

const Summary& SystemRun::summary() {
    if (!master_)
        return summary_;
    summary_.report = master_->report();
    const master::MasterReport& r = summary_.report;
    summary_.method = r.method;
    summary_.steps = r.steps;
    summary_.iterations = r.iterations;
    summary_.halvings = r.halvings;
    summary_.energy_start = r.energy_start;
    summary_.energy_end = r.energy_end;
    summary_.max_energy_error = r.max_energy_error;
    summary_.energy_scale = r.energy_scale;
    summary_.position_error = {r.position_error, r.position_error_at, NAN};
    summary_.motion = r.motion;
    if (!r.joints.empty()) { // a system of signals has no joints to be violated
        summary_.max_position_violation = r.max_gap;
        summary_.max_velocity_violation = r.max_gap_rate;
        summary_.rank_deficiency = r.rank_deficiency;
    }
    if (!summary_.started)
        return summary_;
    summary_.end_time = master_->time();
    summary_.wall_seconds = seconds();
    if (pace_)
        summary_.pace = pace_->report();
    summary_.columns = static_cast<long>(master_->columns().size());
    summary_.rows = recorder_ ? recorder_->rows() : 0;
    return summary_;
}

} // namespace tenon::run
