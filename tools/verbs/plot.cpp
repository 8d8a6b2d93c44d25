// tenon plot RESULT...: curves over time as PNG and SVG, for papers and reports; no browser and no Python needed.

#include "tools/files/errors.hpp"
#include "tools/files/replaced_file.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/interrupt.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/plot_request.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace tenon::verbs {
namespace {

class PlotRun {
  public:
    explicit PlotRun(const PlotWords& words) : words_(words) { words_.json = output_file(words_.json); }

    void run() {
        const WriteSignalGuard guard;
        std::optional<Failure> failure;
        try {
            plot();
        } catch (...) {
            failure = as_failure(std::current_exception());
        }
        write_json(failure);
        if (failure)
            throw *failure;
        if (!words_.quiet && !is_stdout(words_.json))
            print();
    }

  private:
    void plot() {
        refuse_json();
        json_is_usable_ = true;
        request_ = plot_request(words_);
        refuse_pictures();
        const InterruptGuard interrupt;
        const auto stop_if_interrupted = [&] {
            if (interrupt.raised())
                throw Failure(ExitCode::interrupted, "interrupted; nothing is written");
        };
        drawn_ = compose_plot(request_, stop_if_interrupted);
        if (!words_.quiet)
            for (const std::string& remark : drawn_.remarks)
                print_warning(remark);
        write(stop_if_interrupted);
    }

    void refuse_json() const {
        refuse_input_names({{"--json", words_.json}});
        for (const std::string& result : words_.results)
            refuse_same_files({{"--json", words_.json}, {"the result " + result, result}});
    }

    /// Two results may be the same file, an output may not be one of them.
    void refuse_pictures() {
        for (const PictureFile& picture : request_.pictures) {
            const NamedFile file = {"the picture " + picture.path.string(), picture.path};
            if (!words_.json.empty() && same_file(words_.json, picture.path))
                json_is_usable_ = false;
            refuse_same_files({{"--json", words_.json}, file});
            for (const std::string& result : request_.results)
                refuse_same_files({file, {"the result " + result, result}});
        }
    }

    /// All pictures are complete before the first one takes its name.
    void write(const std::function<void()>& between) {
        std::vector<std::unique_ptr<ReplacedFile>> files;
        for (const PictureFile& file : request_.pictures) {
            files.push_back(std::make_unique<ReplacedFile>(file.path));
            files.back()->write(
                plot::picture(drawn_.figure, file.format, size_of(request_, drawn_.figure), request_.dark));
            between();
        }
        for (const auto& file : files)
            file->commit();
    }

    void print() const {
        if (drawn_.chosen_for_you)
            fmt::print("Drawn: {} (choose others with --vars)\n", listed());
        else if (words_.verbose)
            fmt::print("Drawn: {}\n", listed());
        std::string names;
        for (const PictureFile& picture : request_.pictures)
            names += (names.empty() ? "" : " and ") + printable(picture.path.string(), 1000);
        const plot::Size size = size_of(request_, drawn_.figure);
        fmt::print("Wrote {} ({} x {}, {} of {})\n", names, size.width, size.height,
                   counted(static_cast<long>(drawn_.figure.panels.size()), "panel"),
                   counted(static_cast<long>(drawn_.names.size()), "variable"));
    }

    std::string listed() const {
        std::string text;
        for (const std::string& name : drawn_.names)
            text += (text.empty() ? "" : ", ") + printable(name, 200);
        return text;
    }

    void write_json(const std::optional<Failure>& failure) const {
        if (words_.json.empty() || !json_is_usable_)
            return;
        write_summary_file(words_.json,
                           plot_json(request_, drawn_, status_of(failure), failure ? failure->what() : ""),
                           failure.has_value());
    }

    PlotWords words_;
    PlotRequest request_;
    DrawnPlot drawn_;
    bool json_is_usable_ = false; ///< it names no other file of this run
};

} // namespace

Verb plot_verb() {
    auto words = std::make_shared<PlotWords>();
    return {
        "plot",
        "Draw variables of results over time: PNG and SVG",
        {{"RESULT", &words->results, "Results of 'simulate' or 'run' (CSV or HDF5); several are overlaid",
          true},
         {"--vars PATTERN", &words->vars,
          "Draw variables like this: 'crank.*', '*.angle,energy.*' (repeatable); without it "
          "energies, violations and the first angles"},
         {"-o,--output FILE", &words->out,
          "The picture: FILE.png or FILE.svg; both without an ending. Without it RESULT.png and RESULT.svg"},
         {"--from T", &words->from, "Draw from this time on"},
         {"--to T", &words->to, "Draw up to this time"},
         {"--log", &words->log,
          "Logarithmic axes; without it, for violations and values that span many decades"},
         {"--linear", &words->linear, "Linear axes", false, {"--log"}},
         {"--size WxH", &words->size, "Width and height in pixels; without it 1600 and what the panels need"},
         {"--dark", &words->dark, "Light curves on dark paper"},
         {"--json FILE", &words->json, "Write a machine-readable summary, also when it fails"},
         {"--quiet", &words->quiet, "Say nothing but errors"},
         {"--verbose", &words->verbose, "Say which variables are drawn", false, {"--quiet"}}},
        "Examples: tenon plot crank.csv --vars 'crank.v_0*,*.angle'\n"
        "          tenon plot coarse.csv fine.csv --vars 'constraint.*' -o compared.svg",
        [words] { PlotRun(*words).run(); },
        refuse_model};
}

} // namespace tenon::verbs
