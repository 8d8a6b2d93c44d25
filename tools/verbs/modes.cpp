// tenon modes MODEL: eigenvalues of a machine near its equilibrium, and how it moves in each of them.

#include "core/math/rotation.hpp"
#include "core/model/validate.hpp"
#include "core/simulation/linearisation.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/replaced_file.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/results/result_writer.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/run/model_changes.hpp"
#include "tools/run/names.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"
#include "tools/viewer/page.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <span>

namespace tenon::verbs {
namespace {

struct ModesWords {
    std::string model, at = "equilibrium", out, json, number, mode = "1";
    std::vector<std::string> set;
    bool moving = false, quiet = false;
};

constexpr int mode_frames = 120, mode_periods = 3;
constexpr double mode_period = 2;  ///< s, however fast the mode is
constexpr double mode_size = 0.15; ///< of the machine's length

class ModesRun {
  public:
    explicit ModesRun(const ModesWords& words) : words_(words) {
        words_.json = output_file(words_.json);
        if (words_.at != "equilibrium" && words_.at != "start")
            throw Failure(ExitCode::usage,
                          fmt::format("--at must be equilibrium or start, not '{}'", printable(words_.at)));
        if (!words_.number.empty())
            most_ = run::parse_count(words_.number, "--number");
        mode_ = run::parse_count(words_.mode, "--mode");
        ending_ = std::filesystem::path(words_.out).extension().string();
        if (!words_.out.empty() && ending_ != ".html" && ending_ != ".json" && ending_ != ".csv")
            throw Failure(ExitCode::usage,
                          fmt::format("--output must end in .html, .json or .csv, not '{}'", words_.out));
        refuse_same_files({{"the model", words_.model}, {"--output", words_.out}, {"--json", words_.json}});
        refuse_input_names({{"--output", words_.out}, {"--json", words_.json}});
    }

    void run() {
        std::optional<Failure> failure;
        try {
            find();
        } catch (...) {
            failure = as_failure(std::current_exception(), file_ ? &*file_ : nullptr);
        }
        if (!words_.json.empty())
            write_summary_file(words_.json, json(failure), failure.has_value());
        if (failure)
            throw *failure;
        if (!words_.quiet && !is_stdout(words_.json))
            print();
    }

  private:
    void find() {
        file_ = read_model_file(words_.model);
        for (const std::string& warning : file_->warnings())
            print_warning(warning);
        run::ModelChanges changes;
        changes.set = words_.set;
        if (!run::apply(changes, file_->model).empty())
            throw Failure(ExitCode::usage,
                          "--set: inputs stay at their start values; set those in the model");
        validate(file_->model);
        machine_.emplace(file_->model);
        if (words_.at == "equilibrium")
            machine_->rest();
        report_ = machine_->linearise(words_.moving ? Around::motion : Around::rest);
        if (words_.moving && !report_.steady())
            print_warning(
                fmt::format("the motion is not steady: accelerations change it (by {} of the weight "
                            "or of the speed's own; limit 1e-4); the eigenvalues are those of this instant",
                            short_number(report_.unsteady)));
        else if (words_.moving && !report_.constant())
            print_warning(
                fmt::format("the machine looks different after it has turned on (eigenvalues change by "
                            "{}, limit 1e-4): its coefficients are not constant, and the eigenvalues are "
                            "those of this instant",
                            short_number(report_.change)));
        if (ending_ == ".json")
            write_text_file(words_.out, json({}));
        else if (ending_ == ".csv")
            write_csv();
        else if (ending_ == ".html")
            write_page();
    }

    std::span<const Mode> shown() const {
        const std::span<const Mode> all = report_.modes;
        return most_ > 0 ? all.first(std::min(all.size(), static_cast<std::size_t>(most_))) : all;
    }
    std::string body(const Mode& mode) const {
        return mode.body < 0 ? "" : file_->model.bodies[static_cast<std::size_t>(mode.body)].name;
    }

    void print() const {
        fmt::print("{}: {} of freedom, {}\n", file_->model.name,
                   counted(report_.degrees_of_freedom, "degree"),
                   words_.moving
                       ? (report_.turning ? "moving, seen from axes that turn with it"
                                          : "moving, seen from the world")
                       : fmt::format("{} without stiffness", counted(report_.rigid_body_modes, "direction")));
        TextTable table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::left},
                        {"#", "frequency [Hz]", "damping [%]", "re [1/s]", "im [1/s]", "moves most"});
        long i = 0;
        for (const Mode& mode : shown())
            table.add({std::to_string(++i), short_number(mode.frequency()),
                       short_number(100 * mode.damping()), short_number(mode.value.real()),
                       short_number(mode.value.imag()), body(mode)});
        table.print(stdout, 2);
        if (report_.zero_values > 0)
            fmt::print("The last {} zero but for rounding.\n",
                       report_.zero_values == 1 ? "value is"
                                                : fmt::format("{} values are", report_.zero_values));
        if (!words_.out.empty())
            fmt::print("Wrote {}.\n", words_.out);
    }

    std::string json(const std::optional<Failure>& failure) const {
        JsonWriter json;
        json.object().member("status", status_of(failure));
        json.member("message", std::string(failure ? failure->what() : "")).member("version", TENON_VERSION);
        json.member("model", file_ ? file_->model.name : std::string()).member("at", words_.at);
        json.member("moving", words_.moving).member("degrees_of_freedom", report_.degrees_of_freedom);
        json.member("rigid_body_modes", report_.rigid_body_modes).member("zero_values", report_.zero_values);
        json.member("turning", report_.turning).member("unsteady", report_.unsteady);
        json.member("change", report_.change).member("length", report_.length);
        json.key("modes").array();
        for (const Mode& mode : shown()) {
            json.object().member("re", mode.value.real()).member("im", mode.value.imag());
            json.member("frequency", mode.frequency()).member("damping", mode.damping());
            json.member("body", body(mode)).key("bodies").array();
            for (std::size_t b = 0; b < file_->model.bodies.size(); ++b) {
                std::vector<double> re, im;
                for (std::size_t k = 6 * b; k < 6 * b + 6; ++k) {
                    re.push_back(mode.amplitude[k].real());
                    im.push_back(mode.amplitude[k].imag());
                }
                json.object().member("name", file_->model.bodies[b].name);
                json.key("re").numbers(re).key("im").numbers(im).end();
            }
            json.end().end();
        }
        return json.end().end().text();
    }

    void write_csv() const {
        std::string text = "mode,frequency,damping,re,im,body\n";
        long i = 0;
        for (const Mode& mode : shown())
            text += fmt::format("{},{},{},{},{},{}\n", ++i, mode.frequency(), mode.damping(),
                                mode.value.real(), mode.value.imag(), body(mode));
        write_text_file(words_.out, text);
    }

    /// One mode as a result with its scene, three periods without growth or decay, for the page of `view`.
    void write_page() {
        if (mode_ > static_cast<long>(report_.modes.size()))
            throw Failure(ExitCode::usage,
                          fmt::format("--mode {}: there are {}", mode_,
                                      counted(static_cast<long>(report_.modes.size()), "mode")));
        if (viewer::built_page().empty())
            throw Failure(ExitCode::computation, "this build has no page for the viewer; the ending .json or "
                                                 ".csv works");
        const TemporaryFolder folder;
        const std::filesystem::path result = folder.path() / fmt::format("mode_{}.csv", mode_);
        write_frames(result, report_.modes[static_cast<std::size_t>(mode_ - 1)]);
        results::write_scene(results::scene_path(result), file_->model, {});
        ReplacedFile page(words_.out);
        viewer::write_page(
            {result}, viewer::built_page(), [&](std::string_view text) { page.write(text); }, [] {});
        page.commit();
    }

    void write_frames(const std::filesystem::path& path, const Mode& mode) {
        const std::vector<Body>& bodies = file_->model.bodies;
        std::vector<std::string> names;
        for (const Body& given : bodies)
            for (const char* part : {"r_0[1]", "r_0[2]", "r_0[3]", "q[1]", "q[2]", "q[3]", "q[4]"})
                names.push_back(given.name + "." + part);
        results::ResultWriter writer(path, names);
        const std::vector<Kinematics> rest = machine_->kinematics();
        std::vector<double> row;
        for (int i = 0; i <= mode_periods * mode_frames; ++i) {
            const double phase = 2 * std::numbers::pi * i / mode_frames, size = mode_size * report_.length;
            const std::complex<double> turn = size * std::polar(1.0, phase);
            row.clear();
            for (std::size_t b = 0; b < bodies.size(); ++b) {
                Vec3 shift, angle;
                for (std::size_t k = 0; k < 3; ++k) {
                    shift[static_cast<Eigen::Index>(k)] = (turn * mode.amplitude[6 * b + k]).real();
                    angle[static_cast<Eigen::Index>(k)] = (turn * mode.amplitude[6 * b + 3 + k]).real();
                }
                const Mat3 D = exp_so3(angle) * rest[b].D;
                const Vec3 origin = rest[b].r + shift - D * bodies[b].com;
                const Eigen::Vector4d q = to_quaternion(D);
                row.insert(row.end(), origin.data(), origin.data() + 3);
                row.insert(row.end(), q.data(), q.data() + 4);
            }
            writer.write(mode_period * i / mode_frames, row);
        }
        writer.close();
    }

    ModesWords words_;
    std::string ending_;
    long most_ = 0, mode_ = 1;
    std::optional<ModelFile> file_;
    std::optional<StandingMachine> machine_;
    LinearisationReport report_;
};

} // namespace

Verb modes_verb() {
    auto words = std::make_shared<ModesWords>();
    return {"modes",
            "Show the natural frequencies of a model: eigenvalues, damping, mode shapes",
            {{"MODEL", &words->model, "The model file (TOML)", true},
             {"--at STATE", &words->at,
              "equilibrium (without it) or start: about which position the equations are made linear"},
             {"--moving", &words->moving, "With the velocities that the model gives, not at rest"},
             {"-o,--output FILE", &words->out,
              "Write the modes here: .json, .csv, or .html for a page on which one of them moves"},
             {"--mode K", &words->mode, "Which mode moves on the page; without it the first"},
             {"--number N", &words->number, "Only the N slowest modes"},
             {"--set NAME=VALUE", &words->set, "Change a parameter (repeatable)"},
             {"--json FILE", &words->json, "Write a machine-readable summary, also when it fails"},
             {"--quiet", &words->quiet, "Say nothing but warnings and errors"}},
            "Example: tenon modes car.toml --number 9 -o bounce.html --mode 2",
            [words] { ModesRun(*words).run(); },
            refuse_model};
}

} // namespace tenon::verbs
