#include "tools/archive/archive.hpp"

#include "tools/archive/archive_checks.hpp"
#include "tools/files/plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <zip.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace tenon {
namespace {

using Zip = std::unique_ptr<zip_t, decltype(&zip_discard)>;

/// Of the same open file, so that nobody can put another one in its place after the checks.
Zip open_zip(const PlainFile& file) {
    Descriptor copy(::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0));
    std::FILE* const stream = copy.valid() ? ::fdopen(copy.get(), "rb") : nullptr;
    if (!stream)
        throw InputError(InputFault::unreadable,
                         fmt::format("{}: cannot be read ({})", file.path().string(), std::strerror(errno)));
    copy.release();
    zip_error_t error{};
    zip_source_t* const source = zip_source_filep_create(stream, 0, -1, &error);
    Zip zip(source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr, zip_discard);
    if (!zip) {
        if (source)
            zip_source_free(source);
        else
            std::fclose(stream);
        throw bad_input(file.path().string(), 0, zip_error_strerror(&error));
    }
    return zip;
}

/// Whether libzip has found the directory that was checked, and not another one.
bool has_entries(zip_t* zip, const std::vector<ZipHeader>& headers) {
    if (zip_get_num_entries(zip, 0) != static_cast<zip_int64_t>(headers.size()))
        return false;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const ArchiveEntry& entry = headers[i].entry;
        const char* const name = zip_get_name(zip, i, ZIP_FL_ENC_RAW);
        zip_stat_t status;
        if (!name || entry.name != name || zip_stat_index(zip, i, 0, &status) != 0 ||
            status.size != entry.size || status.comp_size != entry.packed ||
            status.crc != headers[i].checksum)
            return false;
    }
    return true;
}

/// The folder of `name` below `root`, component by component, so that no symbolic link is followed; those that are
/// missing are made. Invalid, with errno, where that is impossible.
Descriptor folder_of(const std::string& name, Descriptor at) {
    std::size_t start = 0;
    for (std::size_t slash = name.find('/'); slash != std::string::npos && at.valid();
         slash = name.find('/', start)) {
        const std::string component = name.substr(start, slash - start);
        if (::mkdirat(at.get(), component.c_str(), 0700) != 0 && errno != EEXIST)
            return Descriptor();
        at = Descriptor(::openat(at.get(), component.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        start = slash + 1;
    }
    return at;
}

} // namespace

struct Archive::Parts {
    explicit Parts(const std::filesystem::path& path) : file(path) {}

    /// Gives the content of an entry to `sink`, piece by piece: never more than the header says, whatever the packed
    /// data would make. Only when it returns was the content sound.
    template <class Sink> void unpack(std::size_t i, Sink sink) { unpack(entries[i], places[i], sink); }

    /// The same of the entry that libzip has at `place`.
    template <class Sink> void unpack(const ArchiveEntry& entry, std::size_t place, Sink sink) {
        const std::lock_guard lock(mutex);
        const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> content(zip_fopen_index(zip.get(), place, 0),
                                                                         zip_fclose);
        if (!content)
            throw failure(entry, zip_get_error(zip.get()));
        std::array<char, 1 << 16> block;
        std::uint64_t count = 0;
        while (const zip_int64_t length = zip_fread(content.get(), block.data(), block.size())) {
            if (length < 0)
                throw failure(entry, zip_file_get_error(content.get()));
            count += static_cast<std::uint64_t>(length);
            if (count > entry.size)
                throw refused(file.path(), entry.name,
                              fmt::format("it unpacks to more than the {} bytes of its header", entry.size));
            sink(std::string_view(block.data(), static_cast<std::size_t>(length)));
        }
        if (count < entry.size)
            throw refused(file.path(), entry.name,
                          fmt::format("it unpacks to {} bytes, its header says {}", count, entry.size));
    }

    InputError failure(const ArchiveEntry& entry, zip_error_t* error) const {
        file.read(file.size() - 1, 1); // throws where somebody has cut the file
        return refused(file.path(), entry.name,
                       zip_error_code_zip(error) == ZIP_ER_CRC
                           ? "its content does not have the checksum of its header"
                           : fmt::format("its packed data are broken ({})", zip_error_strerror(error)));
    }

    const PlainFile file;
    /// Two entries of one name whose sizes and checksums agree: their bytes must, too, or tools would read different files.
    void require_equal(const ArchiveEntry& entry, std::size_t first, std::size_t second) {
        std::string content;
        unpack(entry, first, [&](std::string_view piece) { content += piece; });
        std::size_t at = 0;
        bool equal = true;
        unpack(entry, second, [&](std::string_view piece) {
            equal = equal && std::string_view(content).substr(at).starts_with(piece);
            at += piece.size();
        });
        if (!equal)
            throw refused(file.path(), entry.name, "the name is there twice, with different content");
    }

    std::vector<ArchiveEntry> entries;
    std::vector<std::size_t> places; ///< of the entries, as libzip counts them
    FindingList deviations;
    std::unordered_map<std::string_view, std::size_t> index;
    std::mutex mutex; ///< libzip reads one entry at a time
    Zip zip{nullptr, zip_discard};
};

Archive::Archive(const std::filesystem::path& file, const ArchiveLimits& limits)
    : parts_(std::make_unique<Parts>(file)) {
    const ZipDirectory directory = find_directory(parts_->file);
    if (directory.entries > limits.entries)
        throw bad_input(
            file.string(), 0,
            fmt::format("the archive has {} entries (limit {})", directory.entries, limits.entries));
    std::vector<ZipHeader> headers = read_directory(parts_->file, directory);
    check_entries(file, headers, limits, parts_->deviations);
    check_layout(parts_->file, directory, headers);
    note_headers(headers, parts_->deviations);
    parts_->zip = open_zip(parts_->file);
    if (!has_entries(parts_->zip.get(), headers))
        throw bad_input(file.string(), 0, "the archive has two central directories");
    for (std::size_t i = 0; i < headers.size(); ++i) {
        ZipHeader& header = headers[i];
        header.entry.name = header.plain;
        if (header.repeats)
            parts_->require_equal(header.entry, *header.repeats, i);
        if (header.repeats || header.plain.empty())
            continue;
        parts_->entries.push_back(header.entry);
        parts_->places.push_back(i);
    }
    for (const ArchiveEntry& entry : parts_->entries)
        parts_->index.emplace(entry.name, parts_->index.size());
}

Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

const std::filesystem::path& Archive::file() const { return parts_->file.path(); }

const std::vector<ArchiveEntry>& Archive::entries() const { return parts_->entries; }

const FindingList& Archive::deviations() const { return parts_->deviations; }

bool Archive::has(std::string_view name) const { return parts_->index.contains(name); }

std::string Archive::read(std::string_view name) const {
    const auto found = parts_->index.find(name);
    if (found == parts_->index.end())
        throw bad_input(file().string(), 0,
                        "there is no entry '" + printable(name, 200) + "' in the archive");
    std::string content;
    // Grows with what is there: the size in the header may be a lie.
    parts_->unpack(found->second, [&](std::string_view piece) { content += piece; });
    return content;
}

void Archive::unpack(const std::filesystem::path& folder, std::string_view prefix) const {
    std::string below(prefix);
    if (!below.empty() && !below.ends_with('/'))
        below += '/';
    for (std::size_t i = 0; i < entries().size(); ++i) {
        const std::string& name = entries()[i].name;
        if (!name.starts_with(below))
            continue;
        const auto require = [&](bool done) {
            if (!done)
                throw OutputError((folder / name).string(), std::strerror(errno));
        };
        const Descriptor at =
            folder_of(name, Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)));
        require(at.valid());
        if (name.ends_with('/'))
            continue;
        Descriptor file(::openat(at.get(), name.substr(name.rfind('/') + 1).c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                 name.starts_with("binaries/") ? 0500 : 0600));
        require(file.valid());
        parts_->unpack(i, [&](std::string_view piece) { require(write_all(file.get(), piece)); });
        require(close_checked(file));
    }
}

} // namespace tenon
