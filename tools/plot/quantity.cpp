#include "tools/plot/quantity.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tenon::plot {
namespace {

struct Word {
    std::string_view quantity, word;
};

/// The quantities of docs/contract.md section 3 and of ports, in words.
constexpr std::array<Word, 24> words = {{{"r_0", "position"},
                                         {"v_0", "velocity"},
                                         {"a_0", "acceleration"},
                                         {"q", "quaternion"},
                                         {"w_0", "angular velocity"},
                                         {"al_0", "angular acceleration"},
                                         {"f_0", "force"},
                                         {"t_0", "torque"},
                                         {"angle", "angle"},
                                         {"phi", "angle"},
                                         {"rate", "rate"},
                                         {"w", "angular velocity"},
                                         {"al", "angular acceleration"},
                                         {"tau", "torque"},
                                         {"distance", "distance"},
                                         {"speed", "speed"},
                                         {"kinetic", "energy"},
                                         {"potential", "energy"},
                                         {"total", "energy"},
                                         {"work", "energy"},
                                         {"work_a", "work"},
                                         {"work_b", "work"},
                                         {"iterations", "iterations"},
                                         {"torque", "torque"}}};

/// Words of a name for things that should be zero.
constexpr std::array<std::string_view, 6> violation_words = {"constraint", "violation", "gap",
                                                             "residual",   "error",     "drift"};
constexpr std::string_view violation_key = "violation";

/// Without --vars: energies of one system, and a few angles, are a picture; those of a hundred are not.
constexpr std::size_t most_usual_energies = 4, most_usual_violations = 3, most_usual_angles = 4,
                      most_usual_others = 6;

std::string word_of(const Variable& variable) {
    if (says_violation(variable.name))
        return variable.name.find("constraint.") != std::string::npos ? "constraint violation"
                                                                      : std::string(quantity(variable.name));
    const auto found = std::find_if(words.begin(), words.end(), [&](const Word& word) {
        return word.quantity == quantity(variable.name);
    });
    if (found == words.end())
        return "";
    if (found->quantity == "rate" && variable.unit == "rad/s")
        return "angular velocity";
    return std::string(found->word);
}

} // namespace

std::string_view quantity(std::string_view name) {
    name = name.substr(0, name.find('['));
    return name.substr(name.rfind('.') + 1); // npos + 1 is 0
}

bool says_violation(std::string_view name) {
    // Word by word, so that "singapore" has no gap.
    std::string word;
    const auto is_one = [&] {
        return std::find(violation_words.begin(), violation_words.end(), word) != violation_words.end();
    };
    for (const char c : name) {
        if (std::isalpha(static_cast<unsigned char>(c))) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            continue;
        }
        if (is_one())
            return true;
        word.clear();
    }
    return is_one();
}

std::string panel_key(const Variable& variable) {
    if (says_violation(variable.name))
        return std::string(violation_key);
    return variable.unit.empty() ? "quantity " + std::string(quantity(variable.name))
                                 : "unit " + variable.unit;
}

std::string panel_label(std::span<const Variable> variables) {
    std::vector<std::string> seen;
    std::set<std::string> units;
    for (const Variable& variable : variables) {
        units.insert(variable.unit);
        if (const std::string word = word_of(variable);
            std::find(seen.begin(), seen.end(), word) == seen.end())
            seen.push_back(word);
    }
    const std::string unit = units.size() == 1 ? unit_text(*units.begin()) : "";
    const bool told = seen.size() == 1 || (seen.size() == 2 && !seen[0].empty() && !seen[1].empty());
    std::string text = told ? seen[0] : "";
    if (told && seen.size() == 2)
        text += ", " + seen[1];
    if (text.empty() && unit.empty() && !variables.empty())
        text = quantity(variables.front().name);
    if (unit.empty())
        return text;
    return text.empty() ? "[" + unit + "]" : text + " [" + unit + "]";
}

std::string unit_text(std::string_view unit) {
    std::string text;
    for (std::size_t i = 0; i < unit.size(); ++i) {
        const bool after_letter = i > 0 && std::isalpha(static_cast<unsigned char>(unit[i - 1]));
        const bool last_digit =
            i + 1 == unit.size() || !std::isdigit(static_cast<unsigned char>(unit[i + 1]));
        if (unit[i] == '.' && after_letter)
            text += "\u00b7";
        else if (unit[i] == '2' && after_letter && last_digit)
            text += "\u00b2";
        else if (unit[i] == '3' && after_letter && last_digit)
            text += "\u00b3";
        else
            text += unit[i];
    }
    return text;
}

std::vector<std::string> usual_variables(std::span<const std::string> names) {
    std::size_t energies = 0, violations = 0, angles = 0;
    std::vector<std::string> usual;
    // Of glued FMUs the gaps between them matter more than what each has inside.
    const bool glued =
        std::ranges::any_of(names, [](const std::string& name) { return quantity(name) == "gap"; });
    for (const std::string& name : names) {
        const std::string_view what = quantity(name);
        const bool energy =
            glued ? name.ends_with("energy.total") : name.find("energy.") != std::string::npos;
        const bool violation = glued ? what == "gap" : says_violation(name) && what != "acceleration";
        const bool angle = what == "angle" || what == "distance";
        if ((energy && energies++ < most_usual_energies) ||
            (violation && violations++ < most_usual_violations) || (angle && angles++ < most_usual_angles))
            usual.push_back(name);
    }
    if (usual.empty())
        usual.assign(names.begin(),
                     names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_usual_others)));
    return usual;
}

} // namespace tenon::plot
