#include "tools/results/content_marks.hpp"

#include "core/model/model_bytes.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/plain_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tenon::results {
namespace {

namespace fs = std::filesystem;

std::uint64_t file_checksum(const fs::path& path, std::uint64_t sum) {
    const PlainFile file(path);
    constexpr std::uint64_t piece = 1 << 20;
    for (std::uint64_t at = 0; at < file.size(); at += piece) {
        const std::string bytes = file.read(at, static_cast<std::size_t>(std::min(piece, file.size() - at)));
        sum = checksum({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, sum);
    }
    return sum;
}

/// An unpacked SSP is a folder: its documents in the order in which they were read.
std::uint64_t system_checksum(const system::System& system) {
    std::error_code ignored;
    if (!fs::is_directory(system.file, ignored))
        return file_checksum(system.file, checksum({}));
    std::uint64_t sum = checksum({});
    for (const std::string& document : system.sources)
        if (fs::is_regular_file(document, ignored))
            sum = file_checksum(document, sum);
    return sum;
}

} // namespace

std::vector<ContentMark> content_marks(const system::CheckedSystem& checked) {
    std::vector<ContentMark> marks = {{"system", system_checksum(checked.system)}};
    std::map<const fmi::Fmu*, std::uint64_t> known; // equal files are opened once
    for (std::size_t i = 0; i < checked.fmus.size(); ++i) {
        const auto [place, is_new] = known.try_emplace(checked.fmus[i].get());
        if (is_new)
            place->second = file_checksum(checked.fmus[i]->file(), checksum({}));
        marks.push_back({checked.system.fmus[i].name, place->second});
    }
    return marks;
}

std::string content_difference(const std::vector<ContentMark>& before, const system::CheckedSystem& checked) {
    const std::vector<ContentMark> now = content_marks(checked);
    if (before.empty() || before.front() != now.front())
        return "the system has changed";
    for (std::size_t i = 1; i < now.size(); ++i)
        if (i >= before.size() || before[i] != now[i])
            return fmt::format("fmu '{}' ({}) has changed", printable(now[i].name),
                               printable(checked.fmus[i - 1]->file().filename().string()));
    return before.size() == now.size() ? "" : "the system has fewer FMUs";
}

} // namespace tenon::results
