#pragma once
// Zip archives byte by byte, with every field free to be wrong. Written from the format's description, without the code
// that is tested.

#include "tests/files/scratch.hpp"

#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::tests {

inline std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> 8 * i & 0xFF);
    return text;
}

inline std::uint32_t checksum(const std::string& data) {
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
}

inline std::string deflated(const std::string& data) {
    z_stream stream{};
    if (::deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflateInit2");
    std::string packed(::deflateBound(&stream, data.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return packed;
}

/// The fields that are in both headers.
struct ZipFields {
    std::string name;
    std::uint64_t version = 20, flags = 0, method = 8, checksum = 0, packed = 0, size = 0;
    std::string extra;

    std::string bytes() const {
        return number(version, 2) + number(flags, 2) + number(method, 2) + number(0x21, 4) +
               number(checksum, 4) + number(packed, 4) + number(size, 4) + number(name.size(), 2) +
               number(extra.size(), 2);
    }
};

struct ZipEntry {
    ZipFields local, central;
    std::string before, data, after; ///< bytes before the local header, packed data, descriptor
    std::uint64_t attributes = 0100644u << 16, disk = 0;
    std::optional<std::uint64_t> offset;

    /// Changes a field of both headers.
    ZipEntry with(std::uint64_t ZipFields::*field, std::uint64_t value) const {
        ZipEntry changed = *this;
        changed.local.*field = changed.central.*field = value;
        return changed;
    }
    ZipEntry with_attributes(std::uint64_t value) const {
        ZipEntry changed = *this;
        changed.attributes = value;
        return changed;
    }
    /// Checksum and sizes behind the data instead of in the local header.
    ZipEntry streamed(int size_bytes = 4, bool marked = true) const {
        ZipEntry changed = with(&ZipFields::flags, central.flags | 8);
        changed.local.checksum = changed.local.packed = changed.local.size = 0;
        changed.after = (marked ? number(0x08074b50, 4) : "") + number(central.checksum, 4) +
                        number(central.packed, size_bytes) + number(central.size, size_bytes);
        return changed;
    }
};

/// A sound entry, deflated; stored where `method` is 0.
inline ZipEntry entry(const std::string& name, const std::string& content = "content",
                      std::uint64_t method = 8) {
    ZipEntry result;
    result.data = method == 8 ? deflated(content) : content;
    result.central = {name, 20, 0, method, checksum(content), result.data.size(), content.size(), ""};
    result.local = result.central;
    return result;
}

inline ZipEntry folder(const std::string& name) {
    return entry(name, "", 0).with_attributes(040755u << 16 | 0x10);
}

struct ZipFile {
    std::vector<ZipEntry> entries;
    std::string before_directory = {}, in_directory = {}, after_directory = {}, comment = {}, after = {};
    std::uint64_t disk = 0, directory_disk = 0;
    std::optional<std::uint64_t> count = {}, total = {}, directory_size = {}, directory_offset = {};

    std::string bytes() const {
        std::string all, directory;
        for (const ZipEntry& e : entries) {
            all += e.before;
            directory += number(0x02014b50, 4) + number(0x0314, 2) + e.central.bytes() + number(0, 2) +
                         number(e.disk, 2) + number(0, 2) + number(e.attributes, 4) +
                         number(e.offset.value_or(all.size()), 4) + e.central.name + e.central.extra;
            all += number(0x04034b50, 4) + e.local.bytes() + e.local.name + e.local.extra + e.data + e.after;
        }
        all += before_directory;
        directory += in_directory;
        const std::uint64_t offset = all.size();
        all += directory + after_directory;
        return all + number(0x06054b50, 4) + number(disk, 2) + number(directory_disk, 2) +
               number(count.value_or(entries.size()), 2) +
               number(total.value_or(count.value_or(entries.size())), 2) +
               number(directory_size.value_or(directory.size()), 4) +
               number(directory_offset.value_or(offset), 4) + number(comment.size(), 2) + comment + after;
    }
};

/// A zip64 end record and its locator, for `after_directory` of an archive of `entries` whose directory is given.
inline std::string zip64_end(std::uint64_t entries, std::uint64_t size, std::uint64_t offset) {
    return number(0x06064b50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
           number(entries, 8) + number(entries, 8) + number(size, 8) + number(offset, 8) +
           number(0x07064b50, 4) + number(0, 4) + number(offset + size, 8) + number(1, 4);
}

inline std::filesystem::path written(const Scratch& scratch, const std::string& bytes,
                                     const std::string& name = "bad.fmu") {
    std::filesystem::remove(scratch / name); // ext4 waits for the disk where a file is cut and written anew
    std::ofstream(scratch / name, std::ios::binary) << bytes;
    return scratch / name;
}

} // namespace tenon::tests
