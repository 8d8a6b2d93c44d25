#include "tools/results/checkpoint.hpp"

#include "core/math/bytes.hpp"
#include "core/model/model_bytes.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"

#include <concepts>

namespace tenon::results {
namespace {

// The file: magic, format, length of the payload, payload, checksum of all before it.
constexpr std::string_view magic = checkpoint_magic;
constexpr std::uint32_t format = 2;
constexpr std::size_t head_size = magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t checksum_size = sizeof(std::uint64_t);

std::span<const unsigned char> raw(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

template <class T> T number_at(std::string_view bytes, std::size_t at) {
    return ByteReader(raw(bytes.substr(at)), "the checkpoint").get<T>();
}

// Writer and Reader have the same members; a checkpoint is walked once, below, for both directions. All numbers take eight bytes.

class Writer : public ByteWriter {
  public:
    void operator()(double x) { put(x); }
    template <std::integral T> void operator()(T x) { put(static_cast<std::uint64_t>(x)); }
    void operator()(const std::string& x) { put(x); }
    void operator()(const std::filesystem::path& x) { put(x.string()); }
    void operator()(const std::vector<unsigned char>& x) { put(x); }
    void operator()(const std::optional<double>& x) {
        (*this)(x.has_value());
        put(x.value_or(0));
    }
    template <class Item, class Walk> void list(const std::vector<Item>& items, Walk walk) {
        size(items.size());
        for (const Item& item : items)
            walk(*this, item);
    }
};

class Reader : public ByteReader {
  public:
    using ByteReader::ByteReader;

    void operator()(double& x) { x = get<double>(); }
    void operator()(bool& x) { x = get<std::uint64_t>() != 0; }
    template <std::integral T> void operator()(T& x) { x = static_cast<T>(get<std::uint64_t>()); }
    void operator()(std::string& x) { x = get_text(); }
    void operator()(std::filesystem::path& x) { x = get_text(); }
    void operator()(std::vector<unsigned char>& x) { x = get_bytes(); }
    void operator()(std::optional<double>& x) {
        const bool given = get<std::uint64_t>() != 0;
        const auto value = get<double>();
        x = given ? std::optional(value) : std::nullopt;
    }
    template <class Item, class Walk> void list(std::vector<Item>& items, Walk walk) {
        items.resize(size());
        for (Item& item : items)
            walk(*this, item);
    }
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
    io(s.accept_divergence);
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
    json.member("every", s.every).member("threads", s.threads).member("isolate", s.isolate);
    json.member("accept_divergence", s.accept_divergence).end();
    return json.text();
}

std::string checkpoint_to_bytes(const Checkpoint& checkpoint) {
    Writer payload;
    walk_checkpoint(payload, checkpoint);
    ByteWriter file;
    file.raw(magic.data(), magic.size());
    file.put(format);
    file.put(payload.bytes);
    file.put(checksum(file.bytes));
    return {file.bytes.begin(), file.bytes.end()};
}

Checkpoint checkpoint_from_bytes(std::string_view bytes, const std::string& file) {
    const auto refuse = [&](const std::string& why) { throw bad_input(file, 0, why); };
    if (!bytes.starts_with(magic))
        refuse("this is not a checkpoint");
    if (bytes.size() < head_size + checksum_size)
        refuse("the checkpoint is cut off (" + std::to_string(bytes.size()) + " bytes)");
    if (const auto found = number_at<std::uint32_t>(bytes, magic.size()); found != format)
        refuse("the checkpoint has format " + std::to_string(found) + ", and this version reads format " +
               std::to_string(format));
    const auto length = number_at<std::uint64_t>(bytes, magic.size() + sizeof format);
    if (const std::uint64_t there = bytes.size() - head_size - checksum_size; length != there)
        refuse("the checkpoint is cut off or too long (" + std::to_string(there) + " bytes of " +
               std::to_string(length) + ")");
    const std::string_view content = bytes.substr(0, bytes.size() - checksum_size);
    if (checksum(raw(content)) != number_at<std::uint64_t>(bytes, content.size()))
        refuse("the checkpoint is damaged: its checksum is wrong");
    Checkpoint checkpoint;
    try {
        Reader payload(raw(content.substr(head_size)), "the checkpoint");
        walk_checkpoint(payload, checkpoint);
        if (!payload.is_empty())
            refuse("the checkpoint has more in it than it should");
    } catch (const Error&) {
        refuse("the checkpoint has less in it than it should");
    }
    if (const std::string what = nonsense(checkpoint); !what.empty())
        refuse("the checkpoint makes no sense: " + what);
    return checkpoint;
}

} // namespace tenon::results
