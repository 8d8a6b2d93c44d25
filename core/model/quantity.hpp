#pragma once
// A number, a vector or a matrix with a name: what parameters, inputs and results have in common.

#include <cstddef>
#include <string>
#include <vector>

namespace tenon {

struct Quantity {
    std::string name;
    std::vector<int> dimensions; ///< empty: a number; {3}: a vector; {3, 3}: a matrix, row by row
    std::string unit;            ///< SI, as FMI spells it: "m", "m/s", "rad", "N.m", "J"; "1": a pure number
    std::string description;

    std::size_t elements() const {
        std::size_t product = 1;
        for (const int n : dimensions)
            product *= static_cast<std::size_t>(n);
        return product;
    }

    /// "x" of a number, "r_0[2]" of a vector's element, "R[1,3]" of a matrix's.
    std::string element_name(std::size_t element) const {
        if (dimensions.empty())
            return name;
        if (dimensions.size() == 1)
            return name + '[' + std::to_string(element + 1) + ']';
        const auto columns = static_cast<std::size_t>(dimensions[1]);
        return name + '[' + std::to_string(element / columns + 1) + ',' +
               std::to_string(element % columns + 1) + ']';
    }
};

} // namespace tenon
