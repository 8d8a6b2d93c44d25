// tenon view RESULT...: one page with the motion in 3-D and curves, which needs nothing but a browser.

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/replaced_file.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/interrupt.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"
#include "tools/viewer/page.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::vector<std::string> results;
    std::string out, json;
    bool quiet = false, verbose = false;
};

class ViewRun {
  public:
    explicit ViewRun(const Options& options) : options_(options) {
        options_.json = output_file(options_.json);
        options_.out = options_.out.empty()
                           ? fs::path(options_.results.front()).replace_extension(".html").string()
                           : output_file(options_.out);
    }

    void run() {
        const WriteSignalGuard guard;
        std::optional<Failure> failure;
        try {
            write();
        } catch (...) {
            failure = as_failure(std::current_exception());
        }
        write_json(failure);
        if (failure)
            throw *failure;
        if (!options_.quiet && !is_stdout(options_.out) && !is_stdout(options_.json))
            print();
    }

  private:
    void write() {
        std::vector<NamedFile> files = {{"--output", options_.out}, {"--json", options_.json}};
        refuse_input_names(files);
        for (const std::string& result : options_.results)
            files.push_back({"the result " + result, result});
        // Two results may be the same file, an output may not be one of them.
        for (std::size_t i = 2; i < files.size(); ++i)
            refuse_same_files({files[0], files[1], files[i]});
        json_is_usable_ = true;
        if (viewer::built_page().empty())
            throw Failure(ExitCode::computation,
                          "this build has no page for the viewer, because npm could not get its "
                          "packages; with nodejs, npm and a registry within reach, 'make build' "
                          "adds it");
        const InterruptGuard interrupt;
        ReplacedFile page(options_.out);
        const auto stop_if_interrupted = [&] {
            if (interrupt.raised())
                throw Failure(ExitCode::interrupted, options_.out + ": interrupted; nothing is written");
        };
        report_ = viewer::write_page(
            {options_.results.begin(), options_.results.end()}, viewer::built_page(),
            [&](std::string_view text) { page.write(text); }, stop_if_interrupted);
        page.commit();
        if (!options_.quiet)
            for (const std::string& remark : report_.remarks)
                print_warning(remark);
    }

    /// "left.ledger, energy.total": the first of them, and how many there are.
    static std::string added_names(const viewer::RunReport& run) {
        constexpr std::size_t most = 4;
        const auto first = run.names.end() - static_cast<std::ptrdiff_t>(run.added);
        const auto last = first + static_cast<std::ptrdiff_t>(std::min(run.added, most));
        return printable(fmt::format("{}{}", fmt::join(first, last, ", "),
                                     run.added > most ? fmt::format(", ... ({})", run.added) : ""),
                         1000);
    }

    void print() const {
        for (const viewer::RunReport& run : report_.runs) {
            const auto in_file = static_cast<long>(run.columns - run.added);
            fmt::print(
                "{}: {}, {}, {} {}{}\n", printable(run.label, 200),
                counted(static_cast<long>(run.rows), "row"), counted(in_file + 1, "column"), run.bodies,
                run.bodies == 1 ? "body" : "bodies",
                run.whole ? "" : fmt::format("; thinned to {} frames, curves keep their peaks", run.frames));
            if (run.added > 0)
                fmt::print("  and on the page {}\n", added_names(run));
            for (const std::string& name : run.names)
                if (options_.verbose)
                    fmt::print("  {}\n", printable(name, 200));
        }
        fmt::print("Wrote {} ({:.1f} MB). Open it in a browser; it needs nothing else.\n", options_.out,
                   static_cast<double>(report_.bytes) / 1e6);
    }

    void write_json(const std::optional<Failure>& failure) const {
        if (options_.json.empty() || !json_is_usable_)
            return;
        JsonWriter json;
        json.object().member("status", status_of(failure));
        json.member("message", std::string(failure ? failure->what() : "")).member("version", TENON_VERSION);
        json.member("file", options_.out).member("bytes", report_.bytes);
        json.key("runs").array();
        for (const viewer::RunReport& run : report_.runs) {
            json.object().member("label", run.label).member("rows", run.rows).member("columns", run.columns);
            json.member("bodies", run.bodies).member("frames", run.frames).member("whole", run.whole);
            json.member("added", run.added).end();
        }
        json.end().key("remarks").array();
        for (const std::string& remark : report_.remarks)
            json.value(remark);
        json.end().end();
        write_summary_file(options_.json, json.text(), failure.has_value());
    }

    Options options_;
    viewer::PageReport report_;
    bool json_is_usable_ = false; ///< it names no other file of this run
};

} // namespace

Verb view_verb() {
    auto options = std::make_shared<Options>();
    return {"view",
            "Make a page that shows results: 3-D motion and curves",
            {{"RESULT", &options->results,
              "Results of 'simulate' or 'run' (CSV or HDF5); several are overlaid", true},
             {"-o,--output FILE.html", &options->out, "The page; without it RESULT with the ending .html"},
             {"--json FILE", &options->json, "Write a machine-readable summary, also when it fails"},
             {"--quiet", &options->quiet, "Say nothing but errors"},
             {"--verbose", &options->verbose, "List the variables, too", false, {"--quiet"}}},
            "What is drawn comes from the scene file that 'simulate' and 'run' write beside their results.\n"
            "Example: tenon simulate crank.toml --out crank.csv && tenon view crank.csv",
            [options] { ViewRun(*options).run(); },
            refuse_model};
}

} // namespace tenon::verbs
