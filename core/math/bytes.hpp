#pragma once
// Numbers and texts as bytes, little-endian, and back. Writer and reader have the same call operators, size() and flag(), so that one
// walk over the members of a value serves both directions.

#include "core/math/error.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

class ByteWriter {
  public:
    std::vector<unsigned char> bytes;

    void raw(const void* data, std::size_t count) {
        const auto* first = static_cast<const unsigned char*>(data);
        bytes.insert(bytes.end(), first, first + count);
    }
    template <class T>
    requires std::is_arithmetic_v<T>
    void put(T value) { raw(&value, sizeof value); }
    /// Without their number, which both sides know.
    void put(std::span<const double> values) { raw(values.data(), values.size_bytes()); }
    void put(std::span<const unsigned char> values) {
        size(values.size());
        raw(values.data(), values.size());
    }
    void put(std::string_view text) {
        size(text.size());
        raw(text.data(), text.size());
    }

    template <class T>
    requires std::is_arithmetic_v<T>
    void operator()(T value) { put(value); }
    void operator()(const std::string& text) { put(text); }
    std::size_t size(std::size_t n) {
        put(static_cast<std::uint64_t>(n));
        return n;
    }
    bool flag(bool x) {
        put(x);
        return x;
    }
};

/// Throws Error(model) where the bytes end too early; they may come from anybody.
class ByteReader {
  public:
    /// `name`: what the message says has ended early.
    explicit ByteReader(std::span<const unsigned char> bytes, std::string_view name)
        : rest_(bytes), name_(name) {}

    std::span<const unsigned char> take(std::uint64_t count) {
        if (count > rest_.size())
            throw Error(ErrorKind::model, std::string(name_) + " ends early (" +
                                              std::to_string(rest_.size()) + " bytes left, " +
                                              std::to_string(count) + " needed)");
        const std::span taken = rest_.first(static_cast<std::size_t>(count));
        rest_ = rest_.subspan(taken.size());
        return taken;
    }
    template <class T>
    requires std::is_arithmetic_v<T> T get() {
        if constexpr (std::is_same_v<T, bool>)
            return get<unsigned char>() != 0; // any other byte is not a bool
        T value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    void get(std::span<double> values) {
        const std::span bytes = take(values.size_bytes());
        if (!bytes.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
    }
    std::vector<unsigned char> get_bytes() {
        const std::span bytes = take(get<std::uint64_t>());
        return {bytes.begin(), bytes.end()};
    }
    std::string get_text() {
        const std::span bytes = take(get<std::uint64_t>());
        return {bytes.begin(), bytes.end()};
    }

    template <class T>
    requires std::is_arithmetic_v<T>
    void operator()(T& value) { value = get<T>(); }
    void operator()(std::string& text) { text = get_text(); }
    /// The number of elements of a list, each of which takes at least one byte: nothing is allocated for more than can be there.
    std::size_t size(std::size_t = 0) {
        const auto n = get<std::uint64_t>();
        if (n > rest_.size())
            take(n);
        return static_cast<std::size_t>(n);
    }
    bool flag(bool = false) { return get<bool>(); }
    bool is_empty() const { return rest_.empty(); }

  private:
    std::span<const unsigned char> rest_;
    std::string_view name_;
};

} // namespace tenon
