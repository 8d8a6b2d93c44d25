// tenon info FILE: what is in a model, an FMU or a system. Also lists the integrators and prints the schema.

#include "core/integrators/integrator_types.hpp"
#include "core/model/parameters.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/model_schema.hpp"
#include "tools/run/model_parts.hpp"
#include "tools/system/system_file.hpp"
#include "tools/system/system_graph.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/element_text.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/info_json.hpp"
#include "tools/verbs/info_system.hpp"
#include "tools/verbs/info_system_json.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/variable_table.hpp"
#include "tools/verbs/verb.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace tenon::verbs {
namespace {

struct InfoWords {
    std::string file, json, svg;
    bool integrators = false;
    bool schema = false;
    bool quiet = false;
    bool verbose = false;
    bool strict = false;

    fmi::Letter letter() const { return strict ? fmi::Letter::refused : fmi::Letter::noted; }
};

// ---- tables for people ---------------------------------------------------------------------------------------------

template <class Variables> std::vector<ListedVariable> listed(const Variables& variables) {
    std::vector<ListedVariable> list;
    for (const auto& variable : variables)
        list.push_back({variable.name, variable.unit, variable.description});
    return list;
}

void print_model(const Simulation& simulation, const std::string& file, bool verbose) {
    const Model& model = simulation.model();
    const StartReport& start = simulation.start();
    fmt::print("{}  ({})\n", styled(printable(model.name, 200), Style::bold, stdout), printable(file, 1000));
    if (!model.description.empty())
        fmt::print("{}\n", printable(model.description, 1000));

    TextTable counts({Align::right, Align::left});
    const auto count = [&](auto number, std::string_view what) {
        counts.add({std::to_string(number), std::string(what)});
    };
    count(model.bodies.size(), "bodies");
    count(model.joints.size(), "joints");
    count(model.drivers.size(), "drivers");
    count(model.forces.size(), "forces");
    count(start.degrees_of_freedom, "degrees of freedom");
    count(start.rows, "constraint rows");
    count(start.rank_deficiency,
          start.redundant_joints.empty()
              ? std::string("redundant rows")
              : fmt::format("redundant rows, in: {}", fmt::join(start.redundant_joints, ", ")));
    fmt::print("\n");
    counts.print(stdout, 2);
    if (std::max(start.position_correction, start.velocity_correction) > 1e-9)
        fmt::print("  The start state is corrected by {} m or rad and {} m/s or rad/s, most at '{}'.\n",
                   short_number(start.position_correction), short_number(start.velocity_correction),
                   start.corrected_joint);

    TextTable bodies({Align::left, Align::right, Align::left}, {"name", "mass [kg]", "origin at t = 0 [m]"});
    for (const Body& body : model.bodies)
        bodies.add({body.name, short_number(body.mass),
                    fmt::format("[{}, {}, {}]", short_number(body.position.x()),
                                short_number(body.position.y()), short_number(body.position.z()))});
    print_section("Bodies", bodies);

    TextTable joints({Align::left, Align::left, Align::left}, {"name", "type", "between"});
    for (const Joint& joint : model.joints)
        joints.add({joint.name, joint.type, between(model, joint)});
    print_section("Joints", joints);

    TextTable drivers({Align::left, Align::left, Align::left}, {"name", "joint", "motion"});
    for (const Driver& driver : model.drivers)
        drivers.add({driver.name, joint_name(model, driver.joint), motion_text(driver)});
    print_section("Drivers", drivers);

    TextTable forces({Align::left, Align::left, Align::left}, {"name", "type", "on"});
    for (const Force& force : model.forces)
        forces.add({force.name, force.type, acts_on(model, force)});
    print_section("Forces", forces);

    TextTable terminals({Align::left, Align::left, Align::left}, {"name", "kind", "of"});
    for (const Port& port : model.ports)
        terminals.add({port.name, "port", model.body_name(port.body)});
    for (const Flange& flange : model.flanges)
        terminals.add({flange.name, "flange", joint_name(model, flange.joint)});
    print_section("Ports and flanges", terminals);

    TextTable aliases({Align::left, Align::left, Align::left}, {"name", "kind", "variable"});
    for (const Alias& alias : model.inputs)
        aliases.add({alias.name, "input", alias.variable});
    for (const Alias& alias : model.outputs)
        aliases.add({alias.name, "output", alias.variable});
    print_section("Named inputs and outputs", aliases);

    const SolverSettings& solver = model.solver;
    TextTable settings({Align::left, Align::left});
    settings.add({"integrator", solver.integrator});
    settings.add({"step", fmt::format("{} s", solver.step)});
    settings.add({"stop", fmt::format("{} s", solver.stop)});
    settings.add({"tolerance", fmt::format("{}", solver.tolerance)});
    if (solver.options.contains("start"))
        settings.add({"start", std::get<std::string>(solver.options.at("start"))});
    print_section("Solver", settings);

    print_variables("Inputs", listed(simulation.inputs()), verbose);
    print_variables("Variables", listed(simulation.columns()), verbose);
    if (verbose) {
        print_variables("Variables on request (simulate --vars)", listed(simulation.columns_on_request()),
                        verbose);
        TextTable table({Align::left, Align::right, Align::left, Align::left},
                        {"name", "value", "unit", "description"});
        for (const Parameter& parameter : parameters(model))
            table.add(
                {parameter.name, fmt::format("{}", parameter.value), parameter.unit, parameter.description});
        print_section("Parameters (--set)", table);
    } else {
        fmt::print("\n{} parameters can be changed with --set; --verbose lists them.\n",
                   parameters(model).size());
    }
}

std::string option_text(const IntegratorOption& option) {
    if (const double* number = std::get_if<double>(&option.fallback))
        return fmt::format("{} ({})", option.name,
                           std::isfinite(*number) ? fmt::format("{}", *number) : "automatic");
    if (const bool* on = std::get_if<bool>(&option.fallback))
        return fmt::format("{} ({})", option.name, *on);
    return fmt::format("{} ({}; {})", option.name, fmt::join(option.words, ", "),
                       std::get<std::string>(option.fallback));
}

void print_integrators(bool verbose) {
    TextTable table({Align::right, Align::left, Align::left, Align::left},
                    {"#", "name", "coordinates", "options (default)"});
    TextTable details({Align::left, Align::left});
    for (const IntegratorType& type : integrator_types()) {
        std::vector<std::string> options;
        for (const IntegratorOption& option : type.options) {
            options.push_back(option_text(option));
            details.add({fmt::format("{}, {}", type.name, option.name), option.description});
        }
        table.add({std::to_string(type.number), type.name,
                   fmt::format("{}", fmt::join(type.coordinates, ", ")),
                   options.empty() ? "-" : fmt::format("{}", fmt::join(options, ", "))});
    }
    table.print(stdout);
    TextTable summaries({Align::left, Align::left});
    for (const IntegratorType& type : integrator_types())
        summaries.add({type.name, type.summary});
    print_section("What they do", summaries);
    if (verbose)
        print_section("InfoWords", details);
}

// ---- the verb ------------------------------------------------------------------------------------------------------

void run_model(const InfoWords& options) {
    std::optional<ModelFile> file;
    std::optional<Simulation> simulation;
    std::optional<Failure> failure;
    try {
        file = read_model_file(options.file);
        for (const std::string& warning : file->warnings())
            print_warning(warning);
        simulation.emplace(file->model);
    } catch (...) {
        failure = as_failure(std::current_exception(), file ? &*file : nullptr);
    }
    if (!options.json.empty())
        write_text_file(options.json, model_json(options.file, simulation ? &*simulation : nullptr,
                                                 failure ? failure->what() : ""));
    if (failure)
        throw *failure;
    if (!options.quiet)
        print_model(*simulation, options.file, options.verbose);
}

/// Whatever `read` throws, after the JSON file was written all the same. `write` makes it from what was read, if anything.
template <class Content, class Read, class Write>
Content read_and_report(const InfoWords& options, Read read, Write write) {
    std::optional<Content> content;
    std::optional<Failure> failure;
    try {
        content.emplace(read());
    } catch (...) {
        failure = as_failure(std::current_exception());
    }
    if (!options.json.empty())
        write_text_file(options.json, write(content ? &*content : nullptr, failure ? failure->what() : ""));
    if (failure)
        throw *failure;
    return std::move(*content);
}

void run_fmu(const InfoWords& options) {
    const auto fmu = read_and_report<std::shared_ptr<const fmi::Fmu>>(
        options, [&] { return std::make_shared<const fmi::Fmu>(options.file, options.letter()); },
        [&](const std::shared_ptr<const fmi::Fmu>* read, const std::string& message) {
            return fmu_json(options.file, read ? read->get() : nullptr, message);
        });
    if (!options.quiet)
        print_fmu(*fmu, options.verbose);
}

/// Drawn, too, where that is asked for.
ShownSystem read_shown_system(const InfoWords& options) {
    run::SystemOfParts parts = run::read_system_of_parts(options.file);
    for (const std::string& warning : parts.warnings)
        print_warning(warning);
    parts.system.letter = options.letter();
    ShownSystem shown{system::check_system(std::move(parts.system)), std::move(parts.named), options.svg};
    const system::System& system = shown.checked.system;
    if (!options.svg.empty())
        write_text_file(options.svg, system::svg(system::system_graph(system), system.name));
    return shown;
}

void run_system(const InfoWords& options) {
    const auto shown = read_and_report<ShownSystem>(
        options, [&] { return read_shown_system(options); },
        [&](const ShownSystem* read, const std::string& message) {
            return system_json(options.file, read, message);
        });
    if (!options.quiet)
        print_system(shown, options.verbose);
}

/// An archive that is refused outright has no kind; the JSON file says so.
system::FileKind kind_of(const InfoWords& options) {
    try {
        const std::filesystem::path file = options.file;
        if ((file.extension() == ".csv" || file.extension() == ".h5") &&
            std::filesystem::is_regular_file(file))
            throw bad_input(options.file, 0, "this is a result; 'tenon plot' and 'tenon view' show it");
        return system::file_kind(options.file);
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        if (!options.json.empty())
            write_text_file(options.json, model_json(options.file, nullptr, failure.what()));
        throw failure;
    }
}

void run_file(const InfoWords& options) {
    refuse_same_files({{"the file", options.file}, {"--json", options.json}, {"--svg", options.svg}});
    refuse_input_names({{"--json", options.json}, {"--svg", options.svg}});
    const system::FileKind kind = kind_of(options);
    if (kind != system::FileKind::system && kind != system::FileKind::ssp && !options.svg.empty())
        throw Failure(ExitCode::usage, "--svg draws systems of FMUs, and this file is none");
    switch (kind) {
    case system::FileKind::model:
        return run_model(options);
    case system::FileKind::fmu:
        return run_fmu(options);
    default:
        return run_system(options);
    }
}

void run(const InfoWords& options) {
    if (options.schema) {
        fmt::print("{}", model_schema());
    } else if (options.integrators) {
        refuse_input_names({{"--json", options.json}});
        if (!options.json.empty())
            write_text_file(options.json, integrators_json());
        if (!options.quiet)
            print_integrators(options.verbose);
    } else if (options.file.empty()) {
        throw Failure(ExitCode::usage, "FILE is missing; 'tenon info --help' lists the options");
    } else {
        run_file(options);
    }
}

} // namespace

Verb info_verb() {
    auto options = std::make_shared<InfoWords>();
    return {"info",
            "Show what is in a model, an FMU or a system: bodies, joints, variables, terminals, connections",
            {{"FILE", &options->file, "The model or system (TOML), FMU or SSP"},
             {"--integrators", &options->integrators, "List the integrators and their options instead"},
             {"--json FILE", &options->json, "Write all of it, machine-readable"},
             {"--schema",
              &options->schema,
              "Print the JSON Schema of model files instead, for editors",
              false,
              {"--integrators", "--json"}},
             {"--strict", &options->strict,
              "Refuse FMUs that are against the letter of FMI, although they can be run"},
             {"--svg FILE", &options->svg, "Draw the system as a graph", false, {"--integrators"}},
             {"--quiet", &options->quiet, "Say nothing but errors"},
             {"--verbose", &options->verbose, "All variables and parameters", false, {"--quiet"}}},
            "Example: tenon info crank.toml --verbose",
            [options] {
                options->json = output_file(options->json);
                options->svg = output_file(options->svg);
                options->quiet = options->quiet || is_stdout(options->json) || is_stdout(options->svg);
                run(*options);
            },
            [](const std::string& message, const std::vector<std::string>& words) {
                write_refused(model_json("", nullptr, message), words);
            }};
}

} // namespace tenon::verbs
