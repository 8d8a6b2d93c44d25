#pragma once
// Words that a user gives: whole numbers and decimals, name=value, and patterns of variable names.

#include <string>
#include <string_view>
#include <vector>

namespace tenon::run {

/// The whole of `text` as a finite number, or Error(usage) that begins with `what`.
double parse_number(std::string_view text, std::string_view what);
/// The same for a number above 0 (`--step`) or a count of at least 1 (`--every`).
double parse_positive(std::string_view text, std::string_view what);
double parse_nonnegative(std::string_view text, std::string_view what);
long parse_count(std::string_view text, std::string_view what);

struct Assignment {
    std::string name;
    std::string value;
};
/// `name=value`, or Error(usage).
Assignment parse_assignment(const std::string& text);

/// `*` stands for any characters, `?` for one; brackets are those of the names, as in crank.r_0[1].
bool matches(std::string_view pattern, std::string_view name);
/// Lists of patterns with commas, one by one; the comma of R[1,3] belongs to the name.
std::vector<std::string> single_patterns(const std::vector<std::string>& lists);
/// "a, b,c": the words between commas, without blanks around them.
std::vector<std::string> split_list(std::string_view list, char separator = ',');
/// The indices of `names` that match any of the patterns (which may be lists with commas), in the order of `names`;
/// all without a pattern. Error(usage) for a pattern that matches nothing.
std::vector<std::size_t> select(const std::vector<std::string>& patterns,
                                const std::vector<std::string>& names);

} // namespace tenon::run
