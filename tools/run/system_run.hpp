#pragma once
// A system of FMUs, run by the master: from its file or from a checkpoint, with results and checkpoints.

#include "tools/results/checkpoint.hpp"
#include "tools/results/checkpoint_keeper.hpp"
#include "tools/results/content_marks.hpp"
#include "tools/run/run.hpp"

#include <optional>

namespace tenon::run {

struct SystemRequest {
    results::RunSettings settings;    ///< paths as given
    std::filesystem::path checkpoint; ///< empty: none
    double checkpoint_every = 10;     ///< seconds
    std::optional<double> realtime;   ///< paced to the clock: seconds of the run in one of the clock
    double deadline = 0;        ///< seconds that a call of an isolated FMU may take; 0: as tools/host chooses
    std::filesystem::path save; ///< the system as SSP; empty: no
    std::filesystem::path trace;             ///< a folder; empty: none
    fmi::Letter letter = fmi::Letter::noted; ///< what becomes of FMUs that are against the letter of FMI
    bool fmus_say_all = false;               ///< not only what goes wrong
    std::optional<results::Checkpoint> from; ///< where to go on
    bool older_generation = false;           ///< it is FILE.previous
    bool overwrite = false;                  ///< also the checkpoint of a run that is not finished
    results::RowJournal* journal = nullptr; ///< where rows are kept until they are in the file; null: nowhere
    bool only_start = false;                ///< or only save, where that is asked for: nothing is run
};

/// The whole of the path, so that `resume` finds it from wherever it is called; streams keep their names.
std::filesystem::path whole_path(const std::filesystem::path& path);

class SystemRun : public Run {
  public:
    explicit SystemRun(SystemRequest request);

    Ending run(Watcher& watcher) override;
    const Summary& summary() override;
    std::string kept() override;

  private:
    friend class SystemObserver;

    Ending compute(Watcher& watcher);
    std::vector<results::ContentMark> checked_content(const system::CheckedSystem& checked) const;
    void make_master(system::CheckedSystem checked, Watcher& watcher);
    void open_outputs(std::vector<results::ContentMark> content);
    void judge_accuracy(Watcher& watcher);
    results::RunSettings whole_settings() const;
    results::ResultHeading heading() const;
    void start();
    void write_scene_file(Watcher& watcher) const;
    Ending step_through(const Schedule& schedule, Watcher& watcher);
    void require_place(const Schedule& schedule, long done) const;
    void refuse_unfinished() const;

    /// `path` as seen from where the run began: an FMU may have changed the working folder.
    std::filesystem::path placed(const std::filesystem::path& path) const;

    SystemRequest request_;
    std::filesystem::path folder_;
    std::optional<master::Master> master_;
    std::optional<results::CheckpointKeeper> keeper_;
};

} // namespace tenon::run
