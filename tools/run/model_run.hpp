#pragma once
// A model file, simulated in the core.

#include "tools/model_file/model_reader.hpp"
#include "tools/run/accuracy.hpp"
#include "tools/run/model_changes.hpp"
#include "tools/run/run.hpp"

#include <optional>

namespace tenon::run {

struct ModelRequest {
    std::filesystem::path model;
    ModelChanges changes;
    std::vector<std::string> vars;  ///< patterns of the variables that become columns; none: all
    std::filesystem::path out;      ///< empty: no results
    long every = 1;                 ///< steps from one row to the next
    std::optional<double> realtime; ///< paced to the clock: seconds of the run in one of the clock
    std::optional<int> iterations;  ///< at most so many a step; goes on where it has not converged by then
    bool refine = false;            ///< a second run with half the step goes along
};

/// The scene file goes beside the results; empty where there are none, or they go to a stream.
std::filesystem::path scene_beside(const std::filesystem::path& out);

class ModelRun : public Run {
  public:
    explicit ModelRun(ModelRequest request);

    Ending run(Watcher& watcher) override;
    const Summary& summary() override;

  private:
    Ending compute(Watcher& watcher);
    Schedule make_schedule() const;
    void open_results();
    Ending step_through(const Schedule& schedule, Watcher& watcher);
    void judge_accuracy(const WatchedModel& machine, Watcher& watcher);
    std::string advice() const;

    ModelRequest request_;
    std::optional<ModelFile> file_;
    std::optional<Simulation> simulation_;
    std::vector<InputValue> inputs_;
    std::vector<std::size_t> columns_; ///< those of Simulation::all_columns()
    double reached_ = 0;               ///< the time of the last state whose numbers are all finite
    RunReport report_;                 ///< there
};

} // namespace tenon::run
