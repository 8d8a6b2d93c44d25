#include "tools/archive/zip_data.hpp"

#include "tools/archive/zip_format.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include <fmt/format.h>

namespace tenon::zip {
namespace {

constexpr std::size_t block = 1 << 16;

/// Counts what is unpacked, and its checksum.
class Tally {
  public:
    Tally(const PlainFile& file, const Header& header, const std::function<void(std::string_view)>& sink)
        : file_(file), header_(header), sink_(sink) {}

    void add(std::string_view piece) {
        count_ += piece.size();
        if (count_ > header_.entry.size)
            throw refused(
                file_.path(), header_.entry.name,
                fmt::format("it unpacks to more than the {} bytes of its header", header_.entry.size));
        checksum_ =
            ::crc32(checksum_, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
        sink_(piece);
    }

    void finish() const {
        if (count_ != header_.entry.size)
            throw refused(
                file_.path(), header_.entry.name,
                fmt::format("it unpacks to {} bytes, its header says {}", count_, header_.entry.size));
        if (checksum_ != header_.checksum)
            throw refused(file_.path(), header_.entry.name,
                          fmt::format("its content has the checksum {:08x}, its header says {:08x}",
                                      checksum_, header_.checksum));
    }

  private:
    const PlainFile& file_;
    const Header& header_;
    const std::function<void(std::string_view)>& sink_;
    std::uint64_t count_ = 0;
    uLong checksum_ = 0;
};

/// zlib's inflate of data without a frame.
class Inflater {
  public:
    Inflater() {
        if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK)
            throw std::bad_alloc();
    }
    ~Inflater() { ::inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// What `packed` unpacks to. Returns zlib's answer: Z_OK where more is to come, Z_STREAM_END with the number of
    /// bytes left over in `rest`, or an error.
    int add(std::string& packed, Tally& tally, std::size_t& rest) {
        stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
        stream_.avail_in = static_cast<uInt>(packed.size());
        int answer = Z_OK;
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
            stream_.avail_out = static_cast<uInt>(output_.size());
            answer = ::inflate(&stream_, Z_NO_FLUSH);
            tally.add({output_.data(), output_.size() - stream_.avail_out});
        } while (answer == Z_OK && stream_.avail_out == 0);
        rest = stream_.avail_in;
        return answer == Z_BUF_ERROR ? Z_OK : answer; // it only means that it needs more
    }

  private:
    z_stream stream_{};
    std::array<char, block> output_;
};

} // namespace

void unpack_data(const PlainFile& file, const Header& header,
                 const std::function<void(std::string_view)>& sink) {
    const ArchiveEntry& entry = header.entry;
    const auto broken = [&](const std::string& why) {
        return refused(file.path(), entry.name, "its packed data are broken (" + why + ")");
    };
    Tally tally(file, header, sink);
    Inflater inflater;
    bool ended = false;
    for (std::uint64_t done = 0; done < entry.packed;) {
        std::string piece =
            file.read(header.data + done,
                      static_cast<std::size_t>(std::min<std::uint64_t>(block, entry.packed - done)));
        done += piece.size();
        if (entry.method == stored) {
            tally.add(piece);
            continue;
        }
        std::size_t rest = 0;
        const int answer = inflater.add(piece, tally, rest);
        if (answer == Z_MEM_ERROR)
            throw std::bad_alloc();
        if (answer != Z_OK && answer != Z_STREAM_END)
            throw broken("not deflated");
        ended = answer == Z_STREAM_END;
        if (ended && (rest != 0 || done != entry.packed))
            throw broken(fmt::format("{} bytes follow their end", rest + (entry.packed - done)));
    }
    if (entry.method == deflated && !ended && entry.packed != 0) // some writers pack nothing into nothing
        throw broken("their end is missing");
    tally.finish();
}

} // namespace tenon::zip
