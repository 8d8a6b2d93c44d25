#pragma once
// One self-contained page from some results: reads them, thins them, and puts them into the page of tools/viewer/web.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::viewer {

/// The built page has a place for the data, so this splits it; throws std::logic_error where it has none.
struct Template {
    std::string_view before, after;
};
Template split_template(std::string_view page);

/// The page that was built into this program; empty where it was built without (no npm within reach).
std::string_view built_page();

struct RunReport {
    std::string label;
    std::uint64_t rows = 0;
    std::size_t columns = 0, bodies = 0, frames = 0;
    bool whole = true;              ///< nothing was left out
    std::vector<std::string> names; ///< of the columns
    std::size_t added = 0;          ///< of the columns: computed for the page, not in the file; the last ones
};

struct PageReport {
    std::vector<RunReport> runs;
    std::vector<std::string> remarks; ///< what the page cannot show, and why
    std::uint64_t bytes = 0;
};

/// `write` gets the page piece by piece; `pulse` is called often and may end it all by an exception. `page` as built_page().
/// Throws InputError where a result or its scene cannot be used.
PageReport write_page(const std::vector<std::filesystem::path>& results, std::string_view page,
                      const std::function<void(std::string_view)>& write, const std::function<void()>& pulse);

} // namespace tenon::viewer
