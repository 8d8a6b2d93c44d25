#include "tools/verbs/summary_file.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/run/summary.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/outputs.hpp"

namespace tenon::verbs {
namespace {

void refuse(run::Summary::Of of, const std::string& message, const std::vector<std::string>& words) {
    run::Summary summary;
    summary.of = of;
    summary.message = message;
    write_refused(to_json(summary), words);
}

} // namespace

void write_summary_file(const std::string& file, const std::string& json, bool failed) {
    try {
        write_text_file(file, json);
    } catch (const OutputError& error) {
        if (!failed)
            throw;
        print_warning(error.what());
    }
}

std::string json_file_among(const std::vector<std::string>& words) {
    constexpr std::string_view option = "--json";
    std::string file;
    std::size_t at = words.size();
    for (std::size_t i = 0; i < words.size() && at == words.size(); ++i) {
        if (words[i] == option && i + 1 < words.size() &&
            (!words[i + 1].starts_with('-') || words[i + 1] == "-"))
            file = words[at = i + 1];
        else if (words[i].starts_with("--json="))
            file = words[at = i].substr(option.size() + 1);
    }
    file = output_file(file);
    if (file.empty() || is_input_name(file))
        return {};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
        const std::string other = equals == std::string::npos ? words[i] : words[i].substr(equals + 1);
        if (i != at && !other.empty() && same_file(file, other))
            return {};
    }
    return file;
}

void write_refused(const std::string& json, const std::vector<std::string>& words) {
    if (const std::string file = json_file_among(words); !file.empty())
        write_summary_file(file, json, true);
}

void refuse_model(const std::string& message, const std::vector<std::string>& words) {
    refuse(run::Summary::Of::model, message, words);
}

void refuse_system(const std::string& message, const std::vector<std::string>& words) {
    refuse(run::Summary::Of::system, message, words);
}

} // namespace tenon::verbs
