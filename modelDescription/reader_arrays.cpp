// Dimensions and start values of FMI 3.0. The sizes are a stranger's: products are checked before anything is made.

#include "modelDescription/reader_parts.hpp"

#include <algorithm>

namespace tenon::fmi {
namespace {

/// All arrays of a model together.
constexpr std::uint64_t elements_limit = 100'000'000;
/// One start value fills an array: a line of XML may ask for as much memory as it likes, and gets this much.
constexpr std::uint64_t fill_limit = 100'000'000;

/// The start value of the variable that gives a size.
std::uint64_t size_given_by(const Element& element, const Variable& variable) {
    if (variable.causality != Causality::structural_parameter &&
        variable.variability != Variability::constant)
        element.refuse(
            fmt::format("its size is given by {}, which is neither a structural parameter nor a constant",
                        quoted(variable.name)));
    if (const auto* values = std::get_if<std::vector<std::uint64_t>>(&variable.start))
        if (values->size() == 1)
            return values->front();
    if (const auto* values = std::get_if<std::vector<std::int64_t>>(&variable.start))
        if (values->size() == 1 && values->front() >= 0)
            return static_cast<std::uint64_t>(values->front());
    element.refuse(
        fmt::format("its size is given by {}, which has no whole number, 0 or larger, as start value",
                    quoted(variable.name)));
}

class Arrays {
  public:
    Arrays(const std::vector<Element>& elements, const Index<std::uint32_t>& references,
           std::vector<Variable>& variables)
        : elements_(elements), references_(references), variables_(variables) {}

    void read() {
        // Texts first: the sizes are start values.
        for (std::size_t i = 0; i < variables_.size(); ++i)
            variables_[i].start = read_values(elements_[i], variables_[i].type);
        for (std::size_t i = 0; i < variables_.size(); ++i)
            read_dimensions(i);
        for (std::size_t i = 0; i < variables_.size(); ++i)
            fit_start(elements_[i], variables_[i]);
    }

  private:
    static Start read_values(const Element& element, Type type) {
        if (type != Type::string && type != Type::binary)
            return read_start(element, Version::fmi3, type);
        std::vector<std::string> values;
        element.each("Start", [&](const Element& start) {
            values.push_back(type == Type::string ? start.text("value") : decode(start));
        });
        return values.empty() ? Start{} : Start{std::move(values)};
    }

    /// Pairs of hexadecimal digits.
    static std::string decode(const Element& start) {
        const std::string_view text = trimmed(start.view("value"));
        std::string bytes;
        for (std::size_t i = 0; i < text.size(); i += 2) {
            unsigned byte = 0;
            const auto [end, error] =
                std::from_chars(text.data() + i, text.data() + std::min(i + 2, text.size()), byte, 16);
            if (error != std::errc{} || end != text.data() + i + 2)
                start.refuse(fmt::format("value has {} at byte {}, which is not a pair of hexadecimal digits",
                                         quoted(text.substr(i, 2)), i));
            bytes += static_cast<char>(byte);
        }
        return bytes;
    }

    void read_dimensions(std::size_t index) {
        Variable& variable = variables_[index];
        std::uint64_t product = 1;
        elements_[index].each("Dimension", [&](const Element& element) {
            const Dimension dimension = read_dimension(element, index);
            variable.dimensions.push_back(dimension);
            if (dimension.size == 0)
                return; // it empties the array, but must not hide how large the others are
            if (dimension.size > elements_limit / product)
                element.refuse(fmt::format("the array is too large (this size is {}, limit {} elements)",
                                           dimension.size, elements_limit));
            product *= dimension.size;
        });
        total_ += product;
        if (total_ > elements_limit)
            elements_[index].refuse(fmt::format(
                "the arrays of the model are too large (limit {} elements together)", elements_limit));
    }

    Dimension read_dimension(const Element& element, std::size_t index) const {
        Dimension dimension;
        const auto constant = element.number<std::uint64_t>("start");
        const auto reference = element.number<std::uint32_t>("valueReference");
        if (!constant && !reference)
            element.refuse("it has neither start nor valueReference");
        if (!reference) {
            dimension.size = *constant;
            return dimension;
        }
        dimension.variable = references_.find(*reference);
        if (!dimension.variable)
            element.refuse(fmt::format("there is no variable with value reference {}", *reference));
        if (*dimension.variable == index)
            element.refuse("the array gives its own size");
        if (elements_[*dimension.variable].child("Dimension"))
            element.refuse(fmt::format("its size is given by {}, which is an array itself",
                                       quoted(variables_[*dimension.variable].name)));
        dimension.size = size_given_by(element, variables_[*dimension.variable]);
        if (constant && *constant != dimension.size)
            element.refuse(fmt::format("start is {}, but the variable that gives the size is {}", *constant,
                                       dimension.size));
        return dimension;
    }

    /// As many values as elements: one value is meant for all.
    void fit_start(const Element& element, Variable& variable) {
        const std::uint64_t size = variable.elements();
        std::visit(
            [&]<typename Values>(Values& values) {
                if constexpr (!std::is_same_v<Values, std::monostate>) {
                    if (values.size() == size)
                        return;
                    if (values.size() != 1)
                        element.refuse(fmt::format("start has {} values for {} elements; give one or all",
                                                   values.size(), size));
                    fill(element, values, size);
                }
            },
            variable.start);
    }

    template <typename Value>
    void fill(const Element& element, std::vector<Value>& values, std::uint64_t size) {
        std::uint64_t bytes = sizeof(Value);
        if constexpr (std::is_same_v<Value, std::string>)
            bytes += values.front().size();
        if (size > (fill_limit - filled_) / bytes)
            element.refuse(
                fmt::format("one start value for {} elements takes too much memory (limit {} bytes in a "
                            "model)",
                            size, fill_limit));
        filled_ += size * bytes;
        const Value value = values.front();
        values.assign(size, value);
    }

    const std::vector<Element>& elements_;
    const Index<std::uint32_t>& references_;
    std::vector<Variable>& variables_;
    std::uint64_t total_ = 0, filled_ = 0;
};

} // namespace

void read_arrays(const std::vector<Element>& elements, const Index<std::uint32_t>& references,
                 std::vector<Variable>& variables) {
    Arrays(elements, references, variables).read();
}

} // namespace tenon::fmi
