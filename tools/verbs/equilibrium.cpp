// tenon equilibrium MODEL: where a machine is at rest, whether it stays there, and the model drawn at rest.

#include "core/model/validate.hpp"
#include "core/simulation/rest_model.hpp"
#include "tools/files/json.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/model_writer.hpp"
#include "tools/run/model_changes.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/variable_table.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace tenon::verbs {
namespace {

struct EquilibriumWords {
    std::string model, out, json;
    std::vector<std::string> set;
    bool quiet = false, verbose = false;
};

std::string vector_text(const Vec3& v) {
    return fmt::format("[{}, {}, {}]", short_number(v.x()), short_number(v.y()), short_number(v.z()));
}

class EquilibriumRun {
  public:
    explicit EquilibriumRun(const EquilibriumWords& words) : words_(words) {
        words_.json = output_file(words_.json);
        refuse_same_files({{"the model", words_.model}, {"--output", words_.out}, {"--json", words_.json}});
        refuse_input_names({{"--json", words_.json}});
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
            throw Failure(ExitCode::usage, "--set: inputs stay at their start values at an equilibrium; set "
                                           "those in the model");
        validate(file_->model);
        machine_.emplace(file_->model);
        report_ = machine_->rest();
        if (words_.out.empty())
            return;
        rest_ = model_at_rest(*machine_);
        write_new_file(words_.out, model_text(rest_->model));
        for (const std::string& remark : rest_->remarks)
            print_warning(remark);
    }

    const std::string& name(int body) const {
        static const std::string none;
        return body < 0 ? none : file_->model.bodies[static_cast<std::size_t>(body)].name;
    }

    static std::vector<BodyMove> largest_first(std::vector<BodyMove> moves) {
        std::ranges::stable_sort(moves, [](const BodyMove& a, const BodyMove& b) {
            return std::max(a.shift.norm(), a.turn.norm()) > std::max(b.shift.norm(), b.turn.norm());
        });
        return moves;
    }

    void print_moves(std::string_view title, const std::vector<BodyMove>& moves) const {
        TextTable table({Align::left, Align::left, Align::left}, {"body", "shift [m]", "turn [rad]"});
        for (const BodyMove& move : largest_first(moves))
            table.add({name(move.body), vector_text(move.shift), vector_text(move.turn)});
        print_section(title, table);
    }

    void print() const {
        fmt::print("{} at rest: {} left of {} N weight, after {}{}.\n", file_->model.name,
                   fmt::format("{} N and {} N m", short_number(report_.force), short_number(report_.torque)),
                   short_number(report_.weight), counted(report_.iterations, "step"),
                   report_.relaxations ? fmt::format(" and {} of relaxation", report_.relaxations) : "");
        fmt::print("Potential energy {} J. {}\n", short_number(report_.potential), stability());
        print_moves("From the start position", report_.moves);
        for (const RestingMode& mode : report_.unstable)
            print_moves(fmt::format("It leaves this way (stiffness {} 1/s2)", short_number(mode.stiffness)),
                        mode.moves);
        if (words_.verbose)
            for (const RestingMode& mode : report_.neutral)
                print_moves("Nothing holds it this way", mode.moves);
        TextTable forces({Align::left, Align::right, Align::left}, {"force", "value", "unit"});
        each_reading([&](const std::string& reading, double value, std::string_view unit) {
            forces.add({reading, short_number(value), std::string(unit)});
        });
        print_section("Forces", forces);
        if (!words_.out.empty())
            fmt::print("\nWrote {}.\n", words_.out);
    }

    std::string stability() const {
        const auto ways = [](std::size_t n) { return counted(static_cast<long>(n), "direction"); };
        const std::string neutral =
            report_.neutral.empty() ? "" : fmt::format("; free to move in {}", ways(report_.neutral.size()));
        switch (report_.stability) {
        case Stability::stable:
            return fmt::format("Stable: the smallest stiffness is {} 1/s2, which is {} Hz.",
                               short_number(report_.least_stiffness),
                               short_number(std::sqrt(report_.least_stiffness) / 6.283185307179586));
        case Stability::neutral:
            return fmt::format("Neutral{}.", neutral);
        case Stability::unstable:
            return fmt::format("Unstable in {}{}.", ways(report_.unstable.size()), neutral);
        case Stability::unknown:
            break;
        }
        return fmt::format("Stability not computed: {} degrees of freedom (at most {}).",
                           report_.degrees_of_freedom, most_dense_directions);
    }

    template <class Take> void each_reading(Take take) const {
        for (std::size_t f = 0; f < file_->model.forces.size(); ++f) {
            std::size_t at = 0;
            const std::vector<double> values = machine_->force_values(static_cast<int>(f));
            for (const ForceReading& reading : machine_->mechanism().force_readings(static_cast<int>(f)))
                for (int i = 1; i <= reading.size; ++i)
                    take(fmt::format("{}.{}{}", file_->model.forces[f].name, reading.suffix,
                                     reading.size == 1 ? "" : fmt::format("[{}]", i)),
                         values[at++], reading.unit);
        }
    }

    void write_moves(JsonWriter& json, std::string_view key, const std::vector<BodyMove>& moves) const {
        json.key(key).array();
        for (const BodyMove& move : largest_first(moves)) {
            json.object().member("name", name(move.body));
            json.key("shift").numbers(std::span(move.shift.data(), 3));
            json.key("turn").numbers(std::span(move.turn.data(), 3)).end();
        }
        json.end();
    }
    void write_modes(JsonWriter& json, std::string_view key, const std::vector<RestingMode>& modes) const {
        json.key(key).array();
        for (const RestingMode& mode : modes) {
            json.object().member("stiffness", mode.stiffness);
            write_moves(json, "bodies", mode.moves);
            json.end();
        }
        json.end();
    }

    std::string json(const std::optional<Failure>& failure) const {
        JsonWriter json;
        json.object().member("status", status_of(failure));
        json.member("message", std::string(failure ? failure->what() : "")).member("version", TENON_VERSION);
        json.member("model", file_ ? file_->model.name : std::string()).member("file", words_.out);
        json.member("degrees_of_freedom", report_.degrees_of_freedom);
        json.member("iterations", report_.iterations).member("relaxations", report_.relaxations);
        json.member("force", report_.force).member("torque", report_.torque);
        json.member("body", failure ? std::string() : name(report_.body));
        json.member("weight", report_.weight).member("potential", report_.potential);
        json.member("stability", name_of(report_.stability));
        json.member("least_stiffness", report_.least_stiffness);
        write_moves(json, "bodies", report_.moves);
        write_modes(json, "unstable", report_.unstable);
        write_modes(json, "neutral", report_.neutral);
        json.key("forces").array();
        if (!failure)
            each_reading([&](const std::string& reading, double value, std::string_view unit) {
                json.object().member("name", reading).member("value", value).member("unit", unit).end();
            });
        json.end().key("remarks").array();
        if (rest_)
            for (const std::string& remark : rest_->remarks)
                json.value(remark);
        return json.end().end().text();
    }

    EquilibriumWords words_;
    std::optional<ModelFile> file_;
    mutable std::optional<StandingMachine> machine_;
    EquilibriumReport report_;
    std::optional<RestModel> rest_;
};

} // namespace

Verb equilibrium_verb() {
    auto words = std::make_shared<EquilibriumWords>();
    return {"equilibrium",
            "Find where a model is at rest, and whether it stays there",
            {{"MODEL", &words->model, "The model file (TOML)", true},
             {"-o,--output FILE.toml", &words->out, "Write the model at rest; never over a file that exists"},
             {"--set NAME=VALUE", &words->set, "Change a parameter (repeatable)"},
             {"--json FILE", &words->json, "Write a machine-readable summary, also when it fails"},
             {"--quiet", &words->quiet, "Say nothing but warnings and errors"},
             {"--verbose", &words->verbose, "Show directions that nothing holds, too", false, {"--quiet"}}},
            "Example: tenon equilibrium car.toml -o car_at_rest.toml",
            [words] { EquilibriumRun(*words).run(); },
            refuse_model};
}

} // namespace tenon::verbs
