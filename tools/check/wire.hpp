#pragma once
// Values as bytes, for the pipe between a child and its parent. Both are the same program: no versions, no byte orders.

#include "modelDescription/checker.hpp"

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon::check {

class Packer {
  public:
    template <class Number>
    requires std::is_arithmetic_v<Number> Packer& put(Number number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
        return *this;
    }
    Packer& put(std::string_view text) {
        put(text.size());
        bytes_ += text;
        return *this;
    }
    template <class Element> Packer& put(const std::vector<Element>& elements) {
        put(elements.size());
        for (const Element& element : elements)
            put(element);
        return *this;
    }
    Packer& put(const fmi::Finding& finding);
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// Throws std::runtime_error where the bytes end early: the child that wrote them may have been out of its mind.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void get(Number& number) { std::memcpy(&number, take(sizeof number).data(), sizeof number); }
    void get(std::string& text) { text = take(size()); }
    template <class Element> void get(std::vector<Element>& elements) {
        elements.clear();
        for (std::size_t n = size(); n > 0; --n)
            get(elements.emplace_back());
    }
    void get(fmi::Finding& finding);
    template <class Value> Value get() {
        Value value{};
        get(value);
        return value;
    }

  private:
    std::size_t size() {
        std::size_t n = 0;
        get(n);
        return n;
    }
    std::string_view take(std::size_t n) {
        if (n > rest_.size())
            throw std::runtime_error("a message of a child process ends early");
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return taken;
    }
    std::string_view rest_;
};

inline Packer& Packer::put(const fmi::Finding& f) {
    return put(static_cast<int>(f.severity)).put(f.rule).put(f.place).put(f.message).put(f.hint);
}

inline void Unpacker::get(fmi::Finding& f) {
    const int severity = get<int>();
    if (severity < static_cast<int>(fmi::Severity::note) || severity > static_cast<int>(fmi::Severity::error))
        throw std::runtime_error("a message of a child process is broken");
    f.severity = static_cast<fmi::Severity>(severity);
    get(f.rule);
    get(f.place);
    get(f.message);
    get(f.hint);
}

} // namespace tenon::check
