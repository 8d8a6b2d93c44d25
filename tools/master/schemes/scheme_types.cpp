#include "tools/master/schemes/scheme_types.hpp"

#include <algorithm>

namespace tenon::master {

const std::vector<SchemeType>& scheme_types() {
    static const std::vector<SchemeType> types = {schemes::jacobi(), schemes::gauss_seidel(),
                                                  schemes::iterate()};
    return types;
}

const SchemeType* find_scheme_type(std::string_view name) {
    const auto found = std::ranges::find(scheme_types(), name, &SchemeType::name);
    return found == scheme_types().end() ? nullptr : &*found;
}

const SchemeType& scheme_for_loops() {
    return *std::ranges::find(scheme_types(), true, &SchemeType::iterates);
}
const SchemeType& usual_scheme() { return scheme_types().front(); }

} // namespace tenon::master
