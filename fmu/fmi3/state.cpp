// FMI 3.0: copies of the state, their bytes, derivatives and dependencies.

#include "fmu/fmi3/component.hpp"

#include "core/math/error.hpp"

#include <cstring>

using namespace tenon::fmu;
using tenon::Error;
using tenon::ErrorKind;

namespace {

constexpr std::initializer_list<Phase> with_derivatives = {Phase::initialization, Phase::step,
                                                           Phase::terminated, Phase::error};

/// What a variable follows at once, as value references and the number of their elements. Every element of it follows every
/// element of them.
struct Dependencies {
    std::size_t elements = 0; ///< of the variable itself
    std::vector<std::pair<fmi3ValueReference, std::size_t>> knowns;
    std::size_t count = 0; ///< of pairs of elements
};

Dependencies dependencies(const Component3& component, fmi3ValueReference reference) {
    const Interface& interface = component.instance->interface();
    const Slots slots(component, &reference, 1);
    Dependencies result{slots.count(), {}, 0};
    std::size_t elements = 0;
    const Variable* variable = nullptr;
    slots.each([&](const Variable& v, std::size_t) { variable = &v; });
    for (const std::size_t known : interface.dependencies(*variable)) {
        const Variable& v = interface.variables()[known];
        const std::size_t references = component.scalars ? v.elements() : 1;
        for (std::size_t r = 0; r < references; ++r)
            result.knowns.emplace_back(
                static_cast<fmi3ValueReference>(component.scalars ? v.slot + r : known) + first_reference3,
                v.elements() / references);
        elements += v.elements();
    }
    result.count = result.elements * elements;
    return result;
}

void require_sizes(std::size_t seed_there, size_t seed, std::size_t result_there, size_t result) {
    if (seed_there != seed || result_there != result)
        throw Error(ErrorKind::usage, "the variables have " + std::to_string(seed_there) + " and " +
                                          std::to_string(result_there) + " values, the call has " +
                                          std::to_string(seed) + " and " + std::to_string(result));
}

} // namespace

extern "C" {

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
    return call(c, "fmi3GetFMUState", any_phase, [&](Component3&, Instance& instance) {
        require_pointer(state, 1);
        auto copy = std::unique_ptr<Snapshot>(*state == nullptr ? new Snapshot : nullptr);
        instance.save(copy ? *copy : *static_cast<Snapshot*>(*state));
        if (copy)
            *state = copy.release();
    });
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    return call(c, "fmi3SetFMUState", any_phase, [&](Component3&, Instance& instance) {
        require_pointer(state, 1);
        instance.restore(*static_cast<const Snapshot*>(state));
    });
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
    return call(c, "fmi3FreeFMUState", any_phase, [&](Component3&, Instance&) {
        if (state == nullptr)
            return;
        delete static_cast<Snapshot*>(*state);
        *state = nullptr;
    });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t* size) {
    return call(c, "fmi3SerializedFMUStateSize", any_phase, [&](Component3&, Instance& instance) {
        require_pointer(state, 1);
        require_pointer(size, 1);
        *size = instance.to_bytes(*static_cast<const Snapshot*>(state)).size();
    });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    return call(c, "fmi3SerializeFMUState", any_phase, [&](Component3&, Instance& instance) {
        require_pointer(state, 1);
        require_pointer(bytes, 1);
        const std::vector<unsigned char> all = instance.to_bytes(*static_cast<const Snapshot*>(state));
        if (size < all.size())
            throw Error(ErrorKind::usage, "the state takes " + std::to_string(all.size()) +
                                              " bytes, there is room for " + std::to_string(size));
        std::memcpy(bytes, all.data(), all.size());
    });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
    return call(
        c, "fmi3DeserializeFMUState", any_phase,
        [&](Component3&, Instance& instance) {
            require_pointer(bytes, 1);
            require_pointer(state, 1);
            auto copy = std::make_unique<Snapshot>(instance.from_bytes({bytes, size}));
            if (*state != nullptr)
                *static_cast<Snapshot*>(*state) = std::move(*copy);
            else
                *state = copy.release();
        },
        OnFailure::harmless_error);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                        const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                        size_t n_sensitivity) {
    return call(c, "fmi3GetDirectionalDerivative", with_derivatives,
                [&](Component3& component, Instance& instance) {
                    Slots(component, unknowns, n_unknowns).list(component.unknowns);
                    Slots(component, knowns, n_knowns).list(component.knowns);
                    require_sizes(component.knowns.size(), n_seed, component.unknowns.size(), n_sensitivity);
                    require_pointer(seed, n_seed);
                    require_pointer(sensitivity, n_sensitivity);
                    instance.directional_derivative(component.unknowns, component.knowns, {seed, n_seed},
                                                    {sensitivity, n_sensitivity});
                });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n_unknowns,
                                    const fmi3ValueReference knowns[], size_t n_knowns,
                                    const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                    size_t n_sensitivity) {
    return call(c, "fmi3GetAdjointDerivative", with_derivatives,
                [&](Component3& component, Instance& instance) {
                    Slots(component, unknowns, n_unknowns).list(component.unknowns);
                    Slots(component, knowns, n_knowns).list(component.knowns);
                    require_sizes(component.unknowns.size(), n_seed, component.knowns.size(), n_sensitivity);
                    require_pointer(seed, n_seed);
                    require_pointer(sensitivity, n_sensitivity);
                    instance.adjoint_derivative(component.unknowns, component.knowns, {seed, n_seed},
                                                {sensitivity, n_sensitivity});
                });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t count) {
    return call(
        c, "fmi3GetOutputDerivatives", {Phase::step, Phase::terminated, Phase::error},
        [&](Component3& component, Instance& instance) {
            if (component.window.open && !component.window.get)
                throw Error(ErrorKind::usage, "values cannot be read at this intermediate update");
            const Slots all(component, vr, n);
            require_sizes(all.count(), count, all.count(), count);
            require_pointer(orders, n);
            require_pointer(values, count);
            fmi3Float64* value = values;
            for (size_t i = 0; i < n; ++i)
                Slots(component, vr + i, 1).each([&](const Variable&, std::size_t slot) {
                    *value++ = instance.output_derivative(slot, orders[i]);
                });
        },
        OnFailure::error, true);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference reference, size_t* n) {
    return call(c, "fmi3GetNumberOfVariableDependencies", any_phase, [&](Component3& component, Instance&) {
        require_pointer(n, 1);
        *n = dependencies(component, reference).count;
    });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference reference, size_t of_dependent[],
                                       fmi3ValueReference independents[], size_t of_independent[],
                                       fmi3DependencyKind kinds[], size_t n) {
    return call(c, "fmi3GetVariableDependencies", any_phase, [&](Component3& component, Instance&) {
        const Dependencies there = dependencies(component, reference);
        require_sizes(there.count, n, n, n);
        for (const void* array :
             {static_cast<const void*>(of_dependent), static_cast<const void*>(independents),
              static_cast<const void*>(of_independent), static_cast<const void*>(kinds)})
            require_pointer(array, n);
        size_t at = 0;
        for (std::size_t e = 1; e <= there.elements; ++e)
            for (const auto& [known, elements] : there.knowns)
                for (std::size_t k = 1; k <= elements; ++k, ++at) {
                    of_dependent[at] = e;
                    independents[at] = known;
                    of_independent[at] = k;
                    kinds[at] = fmi3Dependent;
                }
    });
}

} // extern "C"
