#include "tools/results/checkpoint.hpp"

#include "core/model/model_bytes.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/little_endian.hpp"

#include <bit>

namespace tenon::results {
namespace {

// The file: magic, format, length of the payload, payload, checksum of all before it.
constexpr std::string_view magic = checkpoint_magic;
constexpr std::uint32_t format = 1;
constexpr std::size_t head_size = magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t checksum_size = sizeof(std::uint64_t);

std::uint64_t checksum_of(std::string_view bytes) {
    return checksum({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

// Writer and Reader have the same members; a checkpoint is walked once, below, for both directions.

class Writer {
  public:
    std::string bytes;

    void operator()(std::uint64_t x) { append_little_endian(bytes, x); }
    void operator()(double x) { (*this)(std::bit_cast<std::uint64_t>(x)); }
    void operator()(long x) { (*this)(static_cast<std::uint64_t>(x)); }
    void operator()(int x) { (*this)(static_cast<std::uint64_t>(x)); }
    void operator()(bool x) { (*this)(std::uint64_t(x ? 1 : 0)); }
    void operator()(const std::string& x) {
        (*this)(std::uint64_t(x.size()));
        bytes += x;
    }
    void operator()(const std::filesystem::path& x) { (*this)(x.string()); }
    void operator()(const std::vector<unsigned char>& x) { (*this)(std::string(x.begin(), x.end())); }
    void operator()(const std::optional<double>& x) {
        (*this)(x.has_value());
        (*this)(x.value_or(0));
    }
    template <class Item, class Walk> void list(const std::vector<Item>& items, Walk walk) {
        (*this)(std::uint64_t(items.size()));
        for (const Item& item : items)
            walk(*this, item);
    }
};

/// Throws std::out_of_range where the bytes end too early.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    void operator()(std::uint64_t& x) {
        x = little_endian<std::uint64_t>(rest_, 0);
        rest_.remove_prefix(sizeof x);
    }
    void operator()(double& x) { x = std::bit_cast<double>(number()); }
    void operator()(long& x) { x = static_cast<long>(number()); }
    void operator()(int& x) { x = static_cast<int>(number()); }
    void operator()(bool& x) { x = number() != 0; }
    void operator()(std::string& x) { x = text(); }
    void operator()(std::filesystem::path& x) { x = text(); }
    void operator()(std::vector<unsigned char>& x) {
        const std::string_view bytes = text();
        x.assign(bytes.begin(), bytes.end());
    }
    void operator()(std::optional<double>& x) {
        const bool given = number() != 0;
        const auto value = std::bit_cast<double>(number());
        x = given ? std::optional(value) : std::nullopt;
    }
    template <class Item, class Walk> void list(std::vector<Item>& items, Walk walk) {
        // Every item takes at least a byte: a length beyond the rest is found here and not by the allocation.
        const std::uint64_t size = number();
        if (size > rest_.size())
            throw std::out_of_range("a list");
        items.resize(static_cast<std::size_t>(size));
        for (Item& item : items)
            walk(*this, item);
    }
    bool at_end() const { return rest_.empty(); }

  private:
    std::uint64_t number() {
        std::uint64_t x = 0;
        (*this)(x);
        return x;
    }
    std::string_view text() {
        const std::uint64_t size = number();
        if (size > rest_.size())
            throw std::out_of_range("a text");
        const std::string_view result = rest_.substr(0, static_cast<std::size_t>(size));
        rest_.remove_prefix(result.size());
        return result;
    }

    std::string_view rest_;
};

template <class Io, class Settings> void walk_settings(Io& io, Settings& s) {
    const auto item = [](auto& inner, auto& text) { inner(text); };
    io(s.system);
    io(s.method);
    io(s.step);
    io(s.stop);
    io.list(s.set, item);
    io.list(s.vars, item);
    io(s.out);
    io(s.every);
    io(s.threads);
    io(s.isolate);
}

template <class Io, class Content> void walk_checkpoint(Io& io, Content& c) {
    io(c.program);
    walk_settings(io, c.settings);
    io.list(c.content, [](auto& inner, auto& mark) {
        inner(mark.name);
        inner(mark.checksum);
    });
    io(c.step);
    io(c.time);
    io(c.finished);
    io(c.wall_seconds);
    io(c.results.rows);
    io(c.results.bytes);
    io(c.results.checksum);
    io(c.results.last_time);
    io(c.master);
}

/// Bytes with the right checksum may still come from anybody: numbers that the run divides by or counts with.
std::string nonsense(const Checkpoint& checkpoint) {
    if (const long every = checkpoint.settings.every; every < 1)
        return "every " + std::to_string(every) + " steps a row (at least 1)";
    if (const int threads = checkpoint.settings.threads; threads < 1)
        return std::to_string(threads) + " threads (at least 1)";
    if (checkpoint.step < 0)
        return std::to_string(checkpoint.step) + " steps done (at least 0)";
    return {};
}

} // namespace

std::string to_json(const RunSettings& s) {
    const auto texts = [](JsonWriter& json, const std::vector<std::string>& list) {
        json.array();
        for (const std::string& text : list)
            json.value(text);
        json.end();
    };
    const auto number = [](JsonWriter& json, const std::optional<double>& value) {
        value ? json.value(*value) : json.null();
    };
    JsonWriter json;
    json.object().member("system", s.system.string()).member("method", s.method);
    number(json.key("step"), s.step);
    number(json.key("stop"), s.stop);
    texts(json.key("set"), s.set);
    texts(json.key("vars"), s.vars);
    json.member("every", s.every).member("threads", s.threads).member("isolate", s.isolate).end();
    return json.text();
}

std::string checkpoint_to_bytes(const Checkpoint& checkpoint) {
    Writer payload;
    walk_checkpoint(payload, checkpoint);
    std::string bytes(magic);
    append_little_endian(bytes, format);
    append_little_endian(bytes, std::uint64_t(payload.bytes.size()));
    bytes += payload.bytes;
    append_little_endian(bytes, checksum_of(bytes));
    return bytes;
}

Checkpoint checkpoint_from_bytes(std::string_view bytes, const std::string& file) {
    const auto refuse = [&](const std::string& why) { throw bad_input(file, 0, why); };
    if (!bytes.starts_with(magic))
        refuse("this is no checkpoint");
    if (bytes.size() < head_size + checksum_size)
        refuse("the checkpoint is cut off (" + std::to_string(bytes.size()) + " bytes)");
    if (const auto found = little_endian<std::uint32_t>(bytes, magic.size()); found != format)
        refuse("the checkpoint has format " + std::to_string(found) + ", and this version reads format " +
               std::to_string(format));
    const auto length = little_endian<std::uint64_t>(bytes, magic.size() + sizeof format);
    if (const std::uint64_t there = bytes.size() - head_size - checksum_size; length != there)
        refuse("the checkpoint is cut off or too long (" + std::to_string(there) + " bytes of " +
               std::to_string(length) + ")");
    const std::string_view content = bytes.substr(0, bytes.size() - checksum_size);
    if (checksum_of(content) != little_endian<std::uint64_t>(bytes, content.size()))
        refuse("the checkpoint is damaged: its checksum is wrong");
    Checkpoint checkpoint;
    try {
        Reader payload(content.substr(head_size));
        walk_checkpoint(payload, checkpoint);
        if (!payload.at_end())
            refuse("the checkpoint has more in it than it should");
    } catch (const std::out_of_range&) {
        refuse("the checkpoint has less in it than it should");
    }
    if (const std::string what = nonsense(checkpoint); !what.empty())
        refuse("the checkpoint makes no sense: " + what);
    return checkpoint;
}

} // namespace tenon::results
