// tenon export: a model file becomes an FMU.

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

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

struct ExportWords {
    std::string model, out, json;
    std::string fmi = "2";
    bool quiet = false, verbose = false;
};

std::string summary(const ExportWords& options, const std::filesystem::path& out, const std::string& status,
                    const std::string& message) {
    JsonWriter json;
    json.object().member("status", status).member("message", message).member("version", TENON_VERSION);
    json.member("model", options.model).member("file", out.string()).member("fmi", options.fmi + ".0").end();
    return json.text();
}

void write(const ExportWords& options, const std::filesystem::path& out, fmi::Version version) {
    const ModelFile file = read_model_file(options.model);
    for (const std::string& warning : file.warnings())
        print_warning(warning);
    std::vector<ArchiveContent> content;
    try {
        content = fmu_content(file.model, read_text_file(options.model, toml_size_limit), version);
    } catch (const Error&) {
        throw as_failure(std::current_exception(), &file);
    }
    write_archive(out, content);
    if (options.quiet)
        return;
    std::size_t bytes = 0;
    for (const ArchiveContent& entry : content)
        bytes += entry.data.size();
    fmt::print("Wrote {}: FMI {}.0 Co-Simulation, {} files, {:.1f} MB unpacked.\nNext:  tenon check {}\n",
               out.string(), options.fmi, content.size(), static_cast<double>(bytes) / 1e6, out.string());
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
    refuse_same_files({{"MODEL", model}, {"--output", out}, {"--json", options.json}});
    refuse_input_names({{"--json", options.json}});
    try {
        write(options, out, options.fmi == "2" ? fmi::Version::fmi2 : fmi::Version::fmi3);
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        if (!options.json.empty())
            write_text_file(options.json, summary(options, out, "failed", failure.what()));
        throw failure;
    }
    if (!options.json.empty())
        write_text_file(options.json, summary(options, out, "done", ""));
}

} // namespace

Verb export_verb() {
    auto options = std::make_shared<ExportWords>();
    return {"export",
            "Make an FMU of a model",
            {{"MODEL", &options->model, "The model file (TOML)", true},
             {"--fmi 2|3", &options->fmi, "Version of FMI: 2 (more tools) or 3 (arrays)"},
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
