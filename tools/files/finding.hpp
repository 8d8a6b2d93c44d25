#pragma once
// What is found in a file of a stranger, in three degrees (docs/foreign-fmus.md): what is hostile or impossible is refused
// by an exception; what is against the letter of a standard and does no harm, a deviation, is collected; advice is for the
// checker alone.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

enum class Severity { note, warning, error };

/// One thing found: which rule, where, what, and what to do about it.
struct Finding {
    Severity severity = Severity::error;
    std::string rule;  ///< short and stable: "unit-undefined", "initial-unknowns", "symbol-missing", ...
    std::string place; ///< file and line, entry of the archive, variable, function; may be empty
    std::string message;
    std::string hint; ///< may be empty
};

/// "entry 'x': what; hint"
std::string one_line(const Finding& finding);

/// Of each rule the first few are kept, all are counted: nobody reads the same complaint a million times.
class FindingList {
  public:
    void add(Finding finding);
    /// The same as a warning.
    void add(std::string rule, std::string place, std::string message, std::string hint = {});
    void add(const FindingList& more);

    bool empty() const { return total_ == 0; }
    std::size_t count() const { return total_; }
    /// How many there are of a rule.
    std::size_t count(const std::string& rule) const;
    const std::vector<Finding>& kept() const { return kept_; }
    /// Those kept, and for each rule that has more a line that says how many.
    std::vector<Finding> all() const;

  private:
    std::vector<Finding> kept_;
    std::map<std::string, std::size_t> counts_;
    std::size_t total_ = 0;
};

class JsonWriter;
/// As an array of objects: rule, place, message, hint.
void write_findings(JsonWriter& json, std::string_view key, const std::vector<Finding>& findings);

} // namespace tenon
