#include "tools/verbs/summary.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/outputs.hpp"

namespace tenon::verbs {

std::string to_json(const RunSummary& s) {
    JsonWriter json;
    json.object();
    json.member("status", s.status).member("message", s.message).member("version", TENON_VERSION);
    json.member("model", s.model).member("integrator", s.integrator);
    json.member("step", s.step).member("stop", s.stop).member("end_time", s.end_time);
    json.member("steps", s.steps).member("iterations", s.iterations).member("wall_seconds", s.wall_seconds);
    json.member("max_position_violation", s.max_position_violation);
    json.member("max_velocity_violation", s.max_velocity_violation);
    json.member("energy_start", s.energy_start).member("energy_end", s.energy_end);
    json.member("max_energy_error", s.max_energy_error).member("rank_deficiency", s.rank_deficiency);
    // Beyond the contract:
    json.member("file", s.file)
        .member("halvings", s.halvings)
        .member("degrees_of_freedom", s.degrees_of_freedom);
    json.key("redundant_joints").array();
    for (const std::string& joint : s.redundant_joints)
        json.value(joint);
    json.end();
    json.member("start_position_correction", s.position_correction);
    json.member("start_velocity_correction", s.velocity_correction);
    json.end();
    return json.text();
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

void write_refusal(const std::string& message, const std::vector<std::string>& words) {
    const std::string file = json_file_among(words);
    if (file.empty())
        return;
    RunSummary summary;
    summary.message = message;
    try {
        write_text_file(file, to_json(summary));
    } catch (const OutputError& error) {
        print_warning(error.what());
    }
}

} // namespace tenon::verbs
