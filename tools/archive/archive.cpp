#include "tools/archive/archive.hpp"

#include "tools/archive/archive_checks.hpp"
#include "tools/files/plain_file.hpp"
#include "tools/archive/unpack_folder.hpp"
#include "tools/archive/zip_data.hpp"
#include "tools/archive/zip_headers.hpp"

#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace tenon {

struct Archive::Parts {
    explicit Parts(const std::filesystem::path& path) : file(path) {}
    const PlainFile file; ///< stays open, so that nobody can put another one in its place after the checks
    std::vector<ArchiveEntry> entries;
    std::vector<zip::Header> headers; ///< one for each entry
    std::unordered_map<std::string_view, std::size_t> index;
};

Archive::Archive(const std::filesystem::path& file, const ArchiveLimits& limits)
    : parts_(std::make_unique<Parts>(file)) {
    const zip::Directory directory = zip::find_directory(parts_->file);
    if (directory.entries > limits.entries)
        throw bad_input(
            file.string(), 0,
            fmt::format("the archive has {} entries (limit {})", directory.entries, limits.entries));
    parts_->headers = zip::read_central_directory(parts_->file, directory);
    check_entries(file, parts_->headers, limits);
    zip::read_local_headers(parts_->file, directory, parts_->headers);
    for (const zip::Header& header : parts_->headers)
        parts_->entries.push_back(header.entry);
    for (const ArchiveEntry& entry : parts_->entries)
        parts_->index.emplace(entry.name, parts_->index.size());
}

Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

const std::filesystem::path& Archive::file() const { return parts_->file.path(); }

const std::vector<ArchiveEntry>& Archive::entries() const { return parts_->entries; }

bool Archive::has(std::string_view name) const { return parts_->index.contains(name); }

std::string Archive::read(std::string_view name) const {
    const auto found = parts_->index.find(name);
    if (found == parts_->index.end())
        throw bad_input(file().string(), 0,
                        "there is no entry '" + printable(name, 200) + "' in the archive");
    std::string content;
    // Grows with what is there: the size in the header may be a lie.
    zip::unpack_data(parts_->file, parts_->headers[found->second],
                     [&](std::string_view piece) { content += piece; });
    return content;
}

void Archive::unpack(const std::filesystem::path& folder, std::string_view prefix) const {
    std::string below(prefix);
    if (!below.empty() && !below.ends_with('/'))
        below += '/';
    UnpackFolder target(folder);
    for (const zip::Header& header : parts_->headers) {
        const std::string& name = header.entry.name;
        if (!name.starts_with(below))
            continue;
        if (name.ends_with('/')) {
            target.make_folder(name.substr(0, name.size() - 1));
            continue;
        }
        Descriptor file = target.make_file(name, name.starts_with("binaries/") ? 0500 : 0600);
        zip::unpack_data(parts_->file, header, [&](std::string_view piece) {
            if (!write_all(file.get(), piece))
                target.fail(name, errno);
        });
        if (!close_checked(file))
            target.fail(name, errno);
    }
    target.keep();
}

} // namespace tenon
