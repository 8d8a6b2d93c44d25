// tenon cut: a model falls into parts at its joints, and a system file glues them again.

#include "tools/glue/cut.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/model_writer.hpp"
#include "tools/run/names.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;

struct CutWords {
    std::string model, out, step, json;
    std::vector<std::string> at;
    bool quiet = false, verbose = false;
};

/// Steps inside the parts in one step of the master: the force may vary within a macro step, and the parts are to see it.
constexpr int inner_steps = 4;

struct NewFile {
    std::string name, text;
};

/// Files that are written all or not at all: what this object has made goes away again unless keep() is called.
class NewFolder {
  public:
    explicit NewFolder(fs::path folder) : folder_(std::move(folder)) {
        std::error_code error;
        created_ = fs::create_directory(folder_, error);
        if (error || !fs::is_directory(folder_))
            throw OutputError(folder_.string(), error ? error.message() : "is not a folder");
    }
    ~NewFolder() {
        std::error_code ignored; // nobody is left to be told
        for (const fs::path& file : written_)
            fs::remove(file, ignored);
        if (created_)
            fs::remove(folder_, ignored);
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    void write(const std::vector<NewFile>& files) {
        for (const NewFile& file : files)
            if (fs::exists(fs::symlink_status(folder_ / file.name)))
                throw Failure(ExitCode::output,
                              fmt::format("{}: the file exists already; choose another folder or remove it",
                                          (folder_ / file.name).string()));
        for (const NewFile& file : files) {
            written_.push_back(folder_ / file.name);
            write_new_file(written_.back(), file.text);
        }
    }
    void keep() {
        written_.clear();
        created_ = false;
    }

  private:
    fs::path folder_;
    std::vector<fs::path> written_;
    bool created_ = false;
};

/// One `tenon cut`, from the words to the summary.
class CutRun {
  public:
    explicit CutRun(const CutWords& options) : options_(options) {}

    void run() {
        try {
            refuse_same_files({{"MODEL", options_.model}, {"--json", options_.json}});
            refuse_input_names({{"--json", options_.json}});
            json_is_usable_ = true;
            cut();
        } catch (...) {
            const Failure failure = as_failure(std::current_exception(), file_ ? &*file_ : nullptr);
            if (json_is_usable_ && !options_.json.empty())
                write_text_file(options_.json, summary("failed", failure.what()));
            throw failure;
        }
        if (!options_.json.empty())
            write_text_file(options_.json, summary("done", ""));
        if (!options_.quiet)
            print();
    }

  private:
    /// Lists with commas, also several of them, with blanks or without.
    std::vector<std::string> joints_to_cut() const {
        std::vector<std::string> joints;
        for (const std::string& list : options_.at)
            for (std::string& name : run::split_list(list))
                joints.push_back(std::move(name));
        return joints;
    }

    void cut() {
        std::optional<double> step;
        if (!options_.step.empty())
            step = run::parse_positive(options_.step, "--step");
        file_ = read_model_file(options_.model);
        for (const std::string& warning : file_->warnings())
            print_warning(warning);
        machine_ = glue::cut(file_->model, joints_to_cut());
        system::System system = glue::glued_system(machine_, file_->model.name, ".toml");
        system.master.step = step.value_or(inner_steps * file_->model.solver.step);
        for (const Model& part : machine_.parts) {
            require_machine(part);
            files_.push_back({part.name + ".toml", model_text(part)});
        }
        files_.push_back({system_name(), glue::system_text(system)});
        NewFolder folder(options_.out);
        folder.write(files_);
        folder.keep();
    }

    /// A part must be able to move on its own; a thin rod that only a cut joint kept from spinning about itself is not.
    void require_machine(const Model& part) const {
        try {
            const Simulation alone(part);
        } catch (const Error& error) {
            throw Error(ErrorKind::model,
                        fmt::format("part '{}' is not a machine on its own: {}", part.name, error.what()),
                        error.element());
        }
    }

    /// "system.toml", unless a part has that name.
    std::string system_name() const {
        std::string stem = "system";
        while (std::ranges::any_of(machine_.parts, [&](const Model& part) { return part.name == stem; }))
            stem += "_";
        return stem + ".toml";
    }

    std::string summary(const std::string& status, const std::string& message) const {
        JsonWriter json;
        const auto names = [&](const char* key, const auto& list, const auto& name) {
            json.key(key).array();
            for (const auto& entry : list)
                json.value(name(entry));
            json.end();
        };
        const auto own_name = [](const auto& entry) -> const std::string& { return entry.name; };
        json.object().member("status", status).member("message", message).member("version", TENON_VERSION);
        json.member("model", options_.model).member("folder", options_.out);
        names("parts", machine_.parts, own_name);
        names("joints", machine_.joints, own_name);
        names("files", status == "done" ? files_ : std::vector<NewFile>(), own_name);
        names("left_out", machine_.left_out,
              [](const std::string& name) -> const std::string& { return name; });
        return json.end().text();
    }

    void print() const {
        const std::string folder = fs::path(options_.out).string();
        fmt::print("Cut {} at {}: {} in {}, and {} that glues them.\n", options_.model,
                   counted(static_cast<long>(machine_.joints.size()), "joint"),
                   counted(static_cast<long>(machine_.parts.size()), "part"), folder, files_.back().name);
        if (!machine_.left_out.empty())
            fmt::print("Left out, since no part has it: {}.\n", fmt::join(machine_.left_out, ", "));
        for (const NewFile& file : files_)
            if (options_.verbose)
                fmt::print("  {:>7}  {}\n", file.text.size(), file.name);
        fmt::print("Next:  tenon run {}\n", (fs::path(options_.out) / files_.back().name).string());
    }

    CutWords options_;
    bool json_is_usable_ = false; ///< it names no other file of this run
    std::optional<ModelFile> file_;
    glue::CutMachine machine_;
    std::vector<NewFile> files_; ///< the parts, then the system
};

} // namespace

Verb cut_verb() {
    auto options = std::make_shared<CutWords>();
    return {"cut",
            "Take a model apart at its joints, to be glued again",
            {{"MODEL", &options->model, "The model file (TOML)", true},
             {"--at JOINTS", &options->at, "The joints to cut: elbow,wrist", true},
             {"-o,--output FOLDER", &options->out,
              "The folder for the parts and the system file; no file in it is replaced", true},
             {"--step H", &options->step,
              "Macro step of the system in seconds; without it, four steps of the model"},
             {"--json FILE", &options->json, "Write a machine-readable summary, also when it fails"},
             {"--quiet", &options->quiet, "Say nothing but errors"},
             {"--verbose", &options->verbose, "List what was written", false, {"--quiet"}}},
            "Example: tenon cut machine.toml --at elbow,wrist -o parts && tenon run parts/system.toml",
            [options] {
                options->json = output_file(options->json);
                options->quiet = options->quiet || is_stdout(options->json);
                CutRun(*options).run();
            },
            refuse_model};
}

} // namespace tenon::verbs
