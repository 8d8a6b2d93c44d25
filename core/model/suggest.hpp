#pragma once
// "Did you mean ...?": the nearest of some names.

#include <span>
#include <string>
#include <string_view>

namespace tenon {

/// The name with the fewest insertions, deletions, changes and swaps of neighbours away from `given`; empty where
/// none is near enough (more than a third of the letters differ) to be what was meant.
std::string nearest_name(std::string_view given, std::span<const std::string> names);

/// "did you mean 'crank.mass'?", or without a near name "known: a, b, c" with at most `shown` of them.
std::string suggestion(std::string_view given, std::span<const std::string> names, std::size_t shown = 12);

} // namespace tenon
