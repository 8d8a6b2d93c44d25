#pragma once
// The content of a message: numbers in slots of eight bytes, arrays that begin at such a slot, in the byte order of the
// machine. Both ends know what comes next; neither writes nor reads beyond the end of the message.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace tenon::host {

constexpr std::size_t slot_size = 8;
constexpr std::size_t in_slots(std::size_t bytes) { return (bytes + slot_size - 1) / slot_size * slot_size; }

/// Fills the space of a message. What does not fit is left out, and `overflown` says so.
class MessageWriter {
  public:
    /// `space` begins at a slot.
    explicit MessageWriter(std::span<unsigned char> space) : space_(space) {}

    template <class T> void value(T number) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= slot_size);
        if (unsigned char* place = take(slot_size)) {
            std::memset(place, 0, slot_size);
            std::memcpy(place, &number, sizeof number);
        }
    }
    template <class T> void array(std::span<const T> values) {
        T* place = room<T>(values.size());
        if (place && !values.empty())
            std::memcpy(place, values.data(), values.size_bytes());
    }
    /// Place for an array that the caller fills; null where it does not fit.
    template <class T> T* room(std::size_t count) {
        if (count > space_.size() / sizeof(T)) {
            overflown_ = true;
            return nullptr;
        }
        return reinterpret_cast<T*>(take(in_slots(count * sizeof(T))));
    }
    void text(std::string_view characters) {
        value(std::uint64_t(characters.size()));
        array(std::span(characters));
    }
    /// All sizes first, then one text after the other.
    void texts(std::span<const std::string> values) {
        for (const std::string& text : values)
            value(std::uint64_t(text.size()));
        for (const std::string& text : values)
            array(std::span(text.data(), text.size()));
    }

    bool overflown() const { return overflown_; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return space_.size(); }

  private:
    unsigned char* take(std::size_t bytes) {
        if (overflown_ || bytes > space_.size() - size_) {
            overflown_ = true;
            return nullptr;
        }
        unsigned char* place = space_.data() + size_;
        size_ += bytes;
        return place;
    }

    std::span<unsigned char> space_;
    std::size_t size_ = 0;
    bool overflown_ = false;
};

/// Takes a message apart. The bytes may be in memory that somebody else changes meanwhile: every number is fetched once,
/// and is the caller's from then on. Beyond the end everything is zero, and `broken` says so.
class MessageReader {
  public:
    /// `bytes` begin at a slot.
    explicit MessageReader(std::span<const unsigned char> bytes) : bytes_(bytes) {}

    template <class T> T value() {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= slot_size);
        const unsigned char* place = take(slot_size);
        const std::uint64_t slot = place ? *reinterpret_cast<const volatile std::uint64_t*>(place) : 0;
        T number;
        std::memcpy(&number, &slot, sizeof number);
        return number;
    }
    /// A bool of any other value than 0 and 1 is not a bool.
    bool flag() { return value<std::uint64_t>() != 0; }
    /// A view, for who trusts the other end; empty where it is not there.
    template <class T> std::span<const T> array(std::size_t count) {
        if (count > bytes_.size() / sizeof(T)) {
            broken_ = true;
            return {};
        }
        const unsigned char* place = take(in_slots(count * sizeof(T)));
        return place ? std::span(reinterpret_cast<const T*>(place), count) : std::span<const T>();
    }
    template <class T> void copy(std::span<T> values) {
        const std::span<const T> there = array<T>(values.size());
        if (!there.empty())
            std::memcpy(values.data(), there.data(), there.size_bytes());
    }
    void text(std::string& characters) { text_of(value<std::uint64_t>(), characters); }
    /// Keeps the memory that the strings have. No size is believed before so many bytes have been found there.
    void texts(std::span<std::string> values) {
        MessageReader sizes(array<unsigned char>(values.size() * slot_size));
        for (std::string& text : values)
            text_of(sizes.value<std::uint64_t>(), text);
    }

    bool broken() const { return broken_; }
    /// Everything was there, and nothing more.
    bool complete() const { return !broken_ && size_ == bytes_.size(); }

  private:
    const unsigned char* take(std::size_t bytes) {
        if (broken_ || bytes > bytes_.size() - size_) {
            broken_ = true;
            return nullptr;
        }
        const unsigned char* place = bytes_.data() + size_;
        size_ += bytes;
        return place;
    }
    void text_of(std::uint64_t size, std::string& characters) {
        const std::span<const char> there = array<char>(size);
        characters.assign(there.data(), there.size());
    }

    std::span<const unsigned char> bytes_;
    std::size_t size_ = 0;
    bool broken_ = false;
};

} // namespace tenon::host
