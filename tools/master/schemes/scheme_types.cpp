#include "tools/master/schemes/scheme_types.hpp"

#include "tools/master/schemes/gauss_seidel.hpp"
#include "tools/master/schemes/iterate.hpp"
#include "tools/master/schemes/jacobi.hpp"

#include <algorithm>

namespace tenon::master {
namespace {

template <class S> std::unique_ptr<Scheme> make(Ensemble& ensemble) { return std::make_unique<S>(ensemble); }

} // namespace

const std::vector<SchemeType>& scheme_types() {
    static const std::vector<SchemeType> types = {
        {.name = "jacobi", .make = make<Jacobi>, .beside_joints = true},
        {.name = "gauss-seidel", .make = make<GaussSeidel>, .parallel = false},
        {.name = "iterate",
         .make = make<Iterate>,
         .need = "has to take steps back",
         .capability = "canGetAndSetFMUState",
         .unfit = Iterate::stuck},
    };
    return types;
}

const SchemeType* find_scheme_type(std::string_view name) {
    const auto found = std::ranges::find(scheme_types(), name, &SchemeType::name);
    return found == scheme_types().end() ? nullptr : &*found;
}

} // namespace tenon::master
