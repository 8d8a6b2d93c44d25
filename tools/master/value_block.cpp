#include "tools/master/value_block.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace tenon::master {
namespace {

/// False where `value` does not fit into T.
template <class T> bool store(const Scalar& value, T& to) {
    return std::visit(
        [&]<class V>(const V& from) {
            if constexpr (std::is_same_v<T, std::string> || std::is_same_v<V, std::string>) {
                if constexpr (std::is_same_v<T, V>)
                    to = from;
                return std::is_same_v<T, V>;
            } else if constexpr (std::is_floating_point_v<T>) {
                const T result = static_cast<T>(from);
                if (std::isinf(result) && !std::isinf(static_cast<double>(from)))
                    return false;
                to = result;
                return true;
            } else if constexpr (std::is_floating_point_v<V>) {
                return false; // a fraction is never rounded in silence
            } else if constexpr (std::is_same_v<T, bool>) {
                if (from != 0 && from != 1)
                    return false;
                to = from == 1;
                return true;
            } else {
                if (!std::in_range<T>(from))
                    return false;
                to = static_cast<T>(from);
                return true;
            }
        },
        value);
}

template <class T> Scalar load(const T& from) {
    if constexpr (std::is_same_v<T, std::string>)
        return from;
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<double>(from);
    else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        return static_cast<std::uint64_t>(from);
    else
        return static_cast<std::int64_t>(from);
}

} // namespace

std::size_t ValueBlock::width() const {
    return with_type(type_, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

void* ValueBlock::at(std::size_t index) {
    return is_text() ? static_cast<void*>(texts_.data() + index) : numbers_.data() + index * width();
}
const void* ValueBlock::at(std::size_t index) const {
    return is_text() ? static_cast<const void*>(texts_.data() + index) : numbers_.data() + index * width();
}

std::size_t ValueBlock::add(fmi::Reference reference, std::size_t count) {
    const std::size_t first = size_;
    references_.push_back(reference);
    size_ += count;
    if (is_text())
        texts_.resize(size_);
    else
        numbers_.resize(size_ * width());
    return first;
}

void ValueBlock::assign(std::size_t first, const fmi::Start& values) {
    std::visit(
        [&]<class V>(const V& list) {
            if constexpr (!std::is_same_v<V, std::monostate>)
                for (std::size_t i = 0; i < list.size() && first + i < size_; ++i)
                    assign(first + i, Scalar(list[i]));
        },
        values);
}

fmi::Status ValueBlock::get(fmi::Slave& slave) { return slave.get(type_, references_, at(0), size_); }
fmi::Status ValueBlock::set(fmi::Slave& slave) const { return slave.set(type_, references_, at(0), size_); }

fmi::Status ValueBlock::get(fmi::Slave& slave, fmi::Reference reference, std::size_t first,
                            std::size_t count) {
    return slave.get(type_, {&reference, 1}, at(first), count);
}
fmi::Status ValueBlock::set(fmi::Slave& slave, fmi::Reference reference, std::size_t first,
                            std::size_t count) const {
    return slave.set(type_, {&reference, 1}, at(first), count);
}

Scalar ValueBlock::scalar(std::size_t index) const {
    return with_type(type_,
                     [&]<class T>(std::type_identity<T>) { return load(*static_cast<const T*>(at(index))); });
}

bool ValueBlock::assign(std::size_t index, const Scalar& value) {
    return with_type(
        type_, [&]<class T>(std::type_identity<T>) { return store(value, *static_cast<T*>(at(index))); });
}

double ValueBlock::number(std::size_t index) const {
    return with_type(type_, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, std::string>)
            return std::numeric_limits<double>::quiet_NaN();
        else
            return static_cast<double>(*static_cast<const T*>(at(index)));
    });
}

bool ValueBlock::assign(const std::vector<unsigned char>& bytes, const std::vector<std::string>& texts) {
    if (bytes.size() != numbers_.size() || texts.size() != texts_.size())
        return false;
    numbers_ = bytes;
    texts_ = texts;
    return true;
}

} // namespace tenon::master
