#pragma once
// Values as bytes, for the pipe between a child and its parent.

#include "core/math/bytes.hpp"
#include "modelDescription/checker.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon::check {

class Packer {
  public:
    template <class Number>
    requires std::is_arithmetic_v<Number> Packer& put(Number number) {
        writer_.put(number);
        return *this;
    }
    Packer& put(std::string_view text) {
        writer_.put(text);
        return *this;
    }
    template <class Element> Packer& put(const std::vector<Element>& elements) {
        writer_.size(elements.size());
        for (const Element& element : elements)
            put(element);
        return *this;
    }
    Packer& put(const fmi::Finding& f) {
        return put(static_cast<int>(f.severity)).put(f.rule).put(f.place).put(f.message).put(f.hint);
    }
    std::string bytes() const { return {writer_.bytes.begin(), writer_.bytes.end()}; }

  private:
    ByteWriter writer_;
};

/// Throws Error where the bytes end early: the child that wrote them may have been out of its mind.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes)
        : reader_({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()},
                  "a message of a child process") {}

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void get(Number& number) { reader_(number); }
    void get(std::string& text) { reader_(text); }
    template <class Element> void get(std::vector<Element>& elements) {
        elements.resize(reader_.size());
        for (Element& element : elements)
            get(element);
    }
    void get(fmi::Finding& f) {
        const int severity = get<int>();
        if (severity < static_cast<int>(fmi::Severity::note) ||
            severity > static_cast<int>(fmi::Severity::error))
            throw Error(ErrorKind::model, "a message of a child process is broken");
        f.severity = static_cast<fmi::Severity>(severity);
        for (std::string* text : {&f.rule, &f.place, &f.message, &f.hint})
            get(*text);
    }
    template <class Value> Value get() {
        Value value{};
        get(value);
        return value;
    }

  private:
    ByteReader reader_;
};

} // namespace tenon::check
