#pragma once
// A checkpoint's numbers and texts as bytes, little-endian.

#include "core/math/error.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::master {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

class ByteWriter {
  public:
    template <class T>
    requires std::is_arithmetic_v<T>
    void put(T value) { append(&value, sizeof value); }
    /// Without their number, which both sides know.
    void put(std::span<const double> values) { append(values.data(), values.size_bytes()); }
    void put(const std::vector<unsigned char>& values) {
        put<std::uint64_t>(values.size());
        append(values.data(), values.size());
    }
    void put(const std::string& text) {
        put<std::uint64_t>(text.size());
        append(text.data(), text.size());
    }

    std::vector<unsigned char> bytes;

  private:
    void append(const void* data, std::size_t size) {
        const auto* first = static_cast<const unsigned char*>(data);
        bytes.insert(bytes.end(), first, first + size);
    }
};

/// Throws Error(model) where the bytes end too early.
class ByteReader {
  public:
    explicit ByteReader(std::span<const unsigned char> bytes) : rest_(bytes) {}

    template <class T>
    requires std::is_arithmetic_v<T> T get() {
        if constexpr (std::is_same_v<T, bool>)
            return get<unsigned char>() != 0; // any other byte is no bool
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
    bool is_empty() const { return rest_.empty(); }

  private:
    std::span<const unsigned char> take(std::uint64_t size) {
        if (size > rest_.size())
            throw Error(ErrorKind::model, "the checkpoint ends early (" + std::to_string(rest_.size()) +
                                              " bytes left, " + std::to_string(size) + " needed)");
        const std::span taken = rest_.first(static_cast<std::size_t>(size));
        rest_ = rest_.subspan(static_cast<std::size_t>(size));
        return taken;
    }

    std::span<const unsigned char> rest_;
};

} // namespace tenon::master
