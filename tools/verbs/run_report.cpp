#include "tools/verbs/run_report.hpp"

#include "tools/files/errors.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/fmu_messages.hpp"
#include "tools/verbs/interrupt.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/summary_text.hpp"

#include <fmt/format.h>
#include <optional>
#include <utility>

namespace tenon::verbs {
namespace {

class ReportedRun : public run::Watcher {
  public:
    ReportedRun(std::unique_ptr<run::Run> run, const ReportOptions& options)
        : options_(options), json_(options.json), run_(std::move(run)) {}

    void run() {
        const WriteSignalGuard guard;
        std::optional<Failure> failure;
        try {
            if (run_->run(*this) == Ending::interrupted) {
                const run::Summary& s = run_->summary();
                failure.emplace(ExitCode::interrupted, fmt::format("{}: interrupted at t = {:.12g} s of {} s",
                                                                   shown(s.file), s.end_time, s.stop));
            }
        } catch (...) {
            failure = as_failure(std::current_exception());
        }
        finish(failure);
        if (failure)
            throw Failure(failure->code(), message_);
    }

    void warn(const std::string& text) override {
        if (progress_)
            progress_->clear();
        print_warning(text);
    }
    void prepare() override {
        if (!json_.empty()) {
            const std::string file = std::exchange(json_, "");
            require_writable(file);
            json_ = file;
        }
        messages_.emplace(options_.log, [this] {
            if (progress_)
                progress_->clear();
        });
    }
    void fmu_says(const std::string& fmu, fmi::Status status, const std::string& text) override {
        messages_->add(fmu, status, text);
        if (options_.watched && status >= fmi::Status::discard)
            options_.watched->facts.set_words(text);
    }
    void started(const master::Master& master) override {
        said_ = master.report().remarks.size();
        if (!says_something() || options_.was_finished)
            return;
        for (const system::Deviating& one : master.system().deviations)
            fmt::print("fmu '{}' ({}): {}\n", printable(one.fmu), printable(one.file),
                       system::deviations_line(one.found));
        for (const std::string& remark : master.system().system.remarks)
            fmt::print("{}\n", printable(remark, 1000));
        for (const std::string& remark : master.report().remarks)
            fmt::print("{}\n", printable(remark, 1000));
        if (options_.goes_on)
            fmt::print("going on at t = {:.12g} s of {} s\n", master.time(), run_->summary().stop);
        fmt::print("\n");
        std::fflush(stdout);
    }
    void begins(double start, double stop) override {
        if (options_.watched) {
            RunFacts& facts = options_.watched->facts;
            facts.time = start;
            facts.stop_time = stop;
            facts.step = run_->summary().step;
            facts.stepping = true;
        } else
            interrupt_.emplace();
        progress_.emplace(start, stop, options_.verbosity != Verbosity::quiet);
    }
    void stepped(double time) override {
        if (options_.watched) {
            RunFacts& facts = options_.watched->facts;
            facts.time.store(time, std::memory_order_relaxed);
            facts.steps.store(facts.steps.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        }
        progress_->show(time);
    }
    void checkpointed() override {
        if (options_.watched)
            options_.watched->facts.has_checkpoint = true;
    }
    bool stops() override {
        return options_.watched ? options_.watched->facts.stop.load(std::memory_order_relaxed)
                                : interrupt_->raised();
    }

  private:
    bool says_something() const {
        return options_.verbosity != Verbosity::quiet && !is_stdout(run_->summary().out.string()) &&
               !is_stdout(options_.json) && !is_stdout(options_.log);
    }

    void finish(const std::optional<Failure>& failure) {
        interrupt_.reset();
        if (progress_)
            progress_->clear();
        run::Summary summary = run_->summary();
        summary.status = status_of(failure);
        if (failure)
            summary.message = message_ = failure->what() + run_->kept();
        if (messages_)
            messages_->finish(message_);
        if (!json_.empty())
            write_summary_file(json_, to_json(summary), failure.has_value());
        if (says_something())
            say_end(summary, failure.has_value());
    }

    void say_end(const run::Summary& summary, bool failed) const {
        if (options_.only_start) {
            if (failed)
                return;
            print_glue(summary, stdout);
            fmt::print("{}\n", summary.saved.empty()
                                   ? "The system is in order; nothing was run."
                                   : fmt::format("Wrote {}; nothing was run.", summary.saved.string()));
        } else if (summary.started) {
            for (std::size_t i = said_; i < summary.report.remarks.size();
                 ++i) // what the master has changed on its way
                print_warning(printable(summary.report.remarks[i], 1000));
            if (options_.was_finished && !failed)
                fmt::print("finished already, at t = {:.12g} s: there is nothing left to do\n",
                           summary.end_time);
            else
                print_summary(summary, options_.verbosity == Verbosity::verbose, stdout);
        }
    }

    const ReportOptions& options_;
    std::string json_;    ///< empty: none, or known to be unwritable
    std::string message_; ///< of the failure
    std::optional<InterruptGuard> interrupt_;
    std::optional<Progress> progress_;
    std::optional<FmuMessages> messages_;
    std::size_t said_ = 0;          ///< remarks of the master
    std::unique_ptr<run::Run> run_; ///< the last: FMUs speak until they are gone
};

} // namespace

void run_and_report(std::unique_ptr<run::Run> run, const ReportOptions& options) {
    ReportedRun(std::move(run), options).run();
}

} // namespace tenon::verbs
