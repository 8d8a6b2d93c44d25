// tenon export: a model file becomes an FMU.

#include "core/model/suggest.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/toml.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace tenon::verbs {
namespace {

struct ExportWords {
    std::string model, out, json, platforms;
    std::string fmi = "2";
    bool scalars = false, quiet = false, verbose = false;
};

std::string names_of(const std::vector<Platform>& platforms) {
    std::vector<std::string_view> names;
    for (const Platform platform : platforms)
        names.push_back(platform_name(platform));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// What to do where the command was built without the libraries of a platform.
std::string how_to_get(Platform platform) {
    return fmt::format("install {} (Debian) and build the command again: make build TARGET=tenon",
                       compiler_package(platform));
}

/// "linux64,win64": each once, in the order in which they are packed. All that there are, for nothing.
std::vector<Platform> chosen_platforms(const std::string& text) {
    const std::vector<Platform> built = built_platforms();
    if (text.empty())
        return built;
    std::vector<std::string> known;
    for (const Platform platform : all_platforms)
        known.emplace_back(platform_name(platform));
    std::set<Platform> chosen;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string name = text.substr(begin, end - begin);
        begin = end + 1;
        const auto found = std::ranges::find(all_platforms, name, platform_name);
        if (found == all_platforms.end()) {
            const std::string nearest = nearest_name(name, known);
            throw Failure(ExitCode::usage,
                          fmt::format("--platforms: there is no platform '{}'{}; there are {}",
                                      printable(name),
                                      nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                                      fmt::join(known, ", ")));
        }
        if (std::ranges::find(built, *found) == built.end())
            throw Failure(ExitCode::usage,
                          fmt::format("--platforms: this command was built without libraries for {}; {}",
                                      name, how_to_get(*found)));
        chosen.insert(*found);
    }
    return {chosen.begin(), chosen.end()};
}

std::string summary(const ExportWords& options, const std::filesystem::path& out, const std::string& status,
                    const std::string& message, const std::vector<Platform>& platforms) {
    JsonWriter json;
    json.object().member("status", status).member("message", message).member("version", TENON_VERSION);
    json.member("model", options.model).member("file", out.string()).member("fmi", options.fmi + ".0");
    json.member("platforms", names_of(platforms)).end();
    return json.text();
}

void write(const ExportWords& options, const std::filesystem::path& out, fmi::Version version,
           const ExportOptions& how) {
    const ModelFile file = read_model_file(options.model);
    for (const std::string& warning : file.warnings())
        print_warning(warning);
    std::vector<ArchiveContent> content;
    try {
        content = fmu_content(file.model, read_text_file(options.model, toml_size_limit), version, how);
    } catch (const Error&) {
        throw as_failure(std::current_exception(), &file);
    }
    write_archive(out, content);
    if (options.quiet)
        return;
    std::size_t bytes = 0;
    for (const ArchiveContent& entry : content)
        bytes += entry.data.size();
    fmt::print("Wrote {}: FMI {}.0 Co-Simulation for {}, {} files, {:.1f} MB unpacked.\n", out.string(),
               options.fmi, names_of(how.platforms), content.size(), static_cast<double>(bytes) / 1e6);
    if (options.platforms.empty()) {
        const std::vector<Platform> built = built_platforms();
        for (const Platform platform : all_platforms)
            if (std::ranges::find(built, platform) == built.end())
                fmt::print("Not for {}: {}.\n", platform_name(platform), how_to_get(platform));
    }
    fmt::print("Next:  tenon check {}\n", out.string());
    for (const ArchiveContent& entry : content)
        if (options.verbose)
            fmt::print("  {:>9}  {}\n", entry.data.size(), entry.name);
}

/// To other tools, a file of any other name is not an FMU.
void require_fmu_name(const std::filesystem::path& out) {
    if (out.extension() != ".fmu")
        throw Failure(ExitCode::usage,
                      fmt::format("--output wants a file that ends in .fmu (it is '{}')", shown(out)));
}

void run(const ExportWords& options) {
    if (options.fmi != "2" && options.fmi != "3")
        throw Failure(ExitCode::usage, fmt::format("--fmi must be 2 or 3, not '{}'", options.fmi));
    const std::filesystem::path model = options.model;
    const std::filesystem::path out =
        options.out.empty() ? model.filename().replace_extension(".fmu") : std::filesystem::path(options.out);
    require_fmu_name(out);
    if (options.out.empty() && model.extension() == ".fmu")
        throw Failure(
            ExitCode::input,
            fmt::format("{}: this is an FMU already; 'tenon info' shows what is in it", shown(model)));
    refuse_same_files({{"MODEL", model}, {"--output", out}, {"--json", options.json}});
    refuse_input_names({{"--json", options.json}});
    if (options.scalars && options.fmi != "3")
        throw Failure(ExitCode::usage, "--scalars is for --fmi 3; FMI 2.0 has no arrays");
    const ExportOptions how{chosen_platforms(options.platforms), options.scalars};
    try {
        write(options, out, options.fmi == "2" ? fmi::Version::fmi2 : fmi::Version::fmi3, how);
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        if (!options.json.empty())
            write_text_file(options.json, summary(options, out, "failed", failure.what(), how.platforms));
        throw failure;
    }
    if (!options.json.empty())
        write_text_file(options.json, summary(options, out, "done", "", how.platforms));
}

} // namespace

Verb export_verb() {
    auto options = std::make_shared<ExportWords>();
    return {
        "export",
        "Make an FMU of a model",
        {{"MODEL", &options->model, "The model file (TOML)", true},
         {"--fmi 2|3", &options->fmi, "Version of FMI: 2 (more tools) or 3 (arrays)"},
         {"--platforms LIST", &options->platforms,
          "Machines it is for, of linux64,win64,aarch64; without it all that the command has libraries for"},
         {"--scalars", &options->scalars, "FMI 3.0 without arrays: a variable for each element"},
         {"-o,--output FILE.fmu", &options->out, "The FMU; without it MODEL.fmu in the current folder"},
         {"--json FILE", &options->json, "Write a machine-readable summary, also when it fails"},
         {"--quiet", &options->quiet, "Say nothing but errors"},
         {"--verbose", &options->verbose, "List what is inside", false, {"--quiet"}}},
        "Example: tenon export crank.toml --fmi 3 -o crank.fmu && tenon check crank.fmu",
        [options] {
            options->json = output_file(options->json);
            options->quiet = options->quiet || is_stdout(options->json);
            run(*options);
        },
        refuse_model};
}

} // namespace tenon::verbs
