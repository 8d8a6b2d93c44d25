#pragma once
// Values of some variables of one FMU, all of one type, laid out as Slave::get and set take them.

#include "tools/import/slave.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace tenon::master {

/// Calls f(std::type_identity<T>) with the C++ type that Slave::get and set have for `type`.
template <class F> decltype(auto) with_type(fmi::Type type, F&& f) {
    using enum fmi::Type;
    switch (type) {
    case float32:
        return f(std::type_identity<float>());
    case int8:
        return f(std::type_identity<std::int8_t>());
    case uint8:
        return f(std::type_identity<std::uint8_t>());
    case int16:
        return f(std::type_identity<std::int16_t>());
    case uint16:
        return f(std::type_identity<std::uint16_t>());
    case int32:
        return f(std::type_identity<std::int32_t>());
    case uint32:
        return f(std::type_identity<std::uint32_t>());
    case int64:
    case enumeration:
        return f(std::type_identity<std::int64_t>());
    case uint64:
        return f(std::type_identity<std::uint64_t>());
    case boolean:
    case clock:
        return f(std::type_identity<bool>());
    case string:
    case binary:
        return f(std::type_identity<std::string>());
    default:
        return f(std::type_identity<double>());
    }
}

/// A value of any type; booleans are whole numbers.
using Scalar = std::variant<double, std::int64_t, std::uint64_t, std::string>;

class ValueBlock {
  public:
    explicit ValueBlock(fmi::Type type) : type_(type) {}

    fmi::Type type() const { return type_; }
    /// Room for the `count` elements of a variable, at zero or empty; the index of the first.
    std::size_t add(fmi::Reference reference, std::size_t count);
    std::size_t size() const { return size_; }
    /// One value from `first` on for each element; nothing is done without values.
    void assign(std::size_t first, const fmi::Start& values);

    fmi::Status get(fmi::Slave& slave);
    fmi::Status set(fmi::Slave& slave) const;
    /// The `count` elements of one of the variables alone.
    fmi::Status get(fmi::Slave& slave, fmi::Reference reference, std::size_t first, std::size_t count);
    fmi::Status set(fmi::Slave& slave, fmi::Reference reference, std::size_t first, std::size_t count) const;

    Scalar scalar(std::size_t index) const;
    /// False where the number is none that the type can hold; nothing is changed then.
    bool assign(std::size_t index, const Scalar& value);
    /// As recorded: booleans are 0 and 1. Not for strings.
    double number(std::size_t index) const;

    /// All values as they are, for checkpoints.
    const std::vector<unsigned char>& bytes() const { return numbers_; }
    const std::vector<std::string>& texts() const { return texts_; }
    /// As bytes() and texts() gave them. False where the sizes are not those of this block.
    bool assign(const std::vector<unsigned char>& bytes, const std::vector<std::string>& texts);

  private:
    bool is_text() const { return type_ == fmi::Type::string || type_ == fmi::Type::binary; }
    std::size_t width() const;
    void* at(std::size_t index);
    const void* at(std::size_t index) const;

    fmi::Type type_;
    std::size_t size_ = 0;
    std::vector<fmi::Reference> references_;
    std::vector<unsigned char> numbers_; ///< empty for texts
    std::vector<std::string> texts_;     ///< empty for numbers
};

} // namespace tenon::master
