#include "tools/system/master_settings.hpp"

#include "core/math/digits.hpp"
#include "core/model/suggest.hpp"
#include "tools/files/errors.hpp"
#include "tools/system/system_format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tenon::system {
namespace {

constexpr double most_steps = 1e15; ///< i h is exact to a step well beyond that, and nobody waits for it

std::string unknown_word(std::string_view key, const std::string& word) {
    const std::vector<std::string> words = words_of("master", key);
    if (std::find(words.begin(), words.end(), word) != words.end())
        return {};
    return std::string(key) + " cannot be '" + printable(word) + "'; " + suggestion(word, words);
}

} // namespace

std::string master_problem(const MasterSettings& master) {
    if (std::string problem = unknown_word("method", master.method); !problem.empty())
        return problem;
    if (std::string problem = unknown_word("iteration", master.iteration); !problem.empty())
        return problem;
    if (std::string problem = unknown_word("polynomial", master.polynomial); !problem.empty())
        return problem;
    if (std::string problem = unknown_word("corrections", master.corrections); !problem.empty())
        return problem;
    if (!(master.step > 0) || !std::isfinite(master.step))
        return "step must be above 0 (" + digits(master.step) + ")";
    if (!(master.stop >= master.start) || !std::isfinite(master.stop - master.start))
        return "stop must not be before start (" + digits(master.stop) + ", start " + digits(master.start) +
               ")";
    if (const double steps = (master.stop - master.start) / master.step; !(steps < most_steps))
        return fmt::format("step is too small: {} from start to stop makes {:.3g} steps (limit {:.0e})",
                           digits(master.step), steps, most_steps);
    if (!(master.tolerance > 0 && master.tolerance < 1))
        return "tolerance must be above 0 and below 1 (" + digits(master.tolerance) + ")";
    if (master.extrapolation < 0 || master.extrapolation > 2)
        return "extrapolation must be 0, 1 or 2 (" + std::to_string(master.extrapolation) + ")";
    if (master.max_iterations < 1)
        return "max_iterations must be at least 1 (" + std::to_string(master.max_iterations) + ")";
    return {};
}

} // namespace tenon::system
