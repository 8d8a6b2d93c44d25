// FMI 2.0: copies of the state, their bytes, and directional derivatives.

#include "fmu/fmi2/component.hpp"

#include "core/math/error.hpp"

#include <cstring>

using namespace tenon::fmu;
using tenon::Error;
using tenon::ErrorKind;

namespace {

constexpr std::initializer_list<Phase> always = {Phase::instantiated, Phase::initialization, Phase::step,
                                                 Phase::terminated, Phase::error};

void require(const void* pointer, const char* what) {
    if (pointer == nullptr)
        throw Error(ErrorKind::usage, std::string(what) + " is a null pointer");
}

} // namespace

extern "C" {

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
    return call(c, "fmi2GetFMUstate", always, [&](Component&, Instance& instance) {
        require(state, "the place for the state");
        auto copy = std::unique_ptr<Snapshot>(*state == nullptr ? new Snapshot : nullptr);
        instance.save(copy ? *copy : *static_cast<Snapshot*>(*state));
        if (copy)
            *state = copy.release();
    });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    return call(c, "fmi2SetFMUstate", always, [&](Component&, Instance& instance) {
        require(state, "the state");
        instance.restore(*static_cast<const Snapshot*>(state));
    });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
    return call(c, "fmi2FreeFMUstate", always, [&](Component&, Instance&) {
        if (state == nullptr)
            return;
        delete static_cast<Snapshot*>(*state);
        *state = nullptr;
    });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
    return call(c, "fmi2SerializedFMUstateSize", always, [&](Component&, Instance& instance) {
        require(state, "the state");
        require(size, "the place for the size");
        *size = instance.to_bytes(*static_cast<const Snapshot*>(state)).size();
    });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    return call(c, "fmi2SerializeFMUstate", always, [&](Component&, Instance& instance) {
        require(state, "the state");
        require(bytes, "the place for the bytes");
        const std::vector<unsigned char> all = instance.to_bytes(*static_cast<const Snapshot*>(state));
        if (size < all.size())
            throw Error(ErrorKind::usage, "the state takes " + std::to_string(all.size()) +
                                              " bytes, there is room for " + std::to_string(size));
        std::memcpy(bytes, all.data(), all.size());
    });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
    return call(
        c, "fmi2DeSerializeFMUstate", always,
        [&](Component&, Instance& instance) {
            require(bytes, "the bytes");
            require(state, "the place for the state");
            auto copy = std::make_unique<Snapshot>(
                instance.from_bytes({reinterpret_cast<const unsigned char*>(bytes), size}));
            if (*state != nullptr)
                *static_cast<Snapshot*>(*state) = std::move(*copy);
            else
                *state = copy.release();
        },
        true);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                        const fmi2ValueReference known[], size_t knowns,
                                        const fmi2Real seed[], fmi2Real sensitivity[]) {
    return call(c, "fmi2GetDirectionalDerivative",
                {Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [&](Component& component, Instance& instance) {
                    if (unknowns > 0) {
                        require(unknown, "the list of unknowns");
                        require(sensitivity, "the place for the derivatives");
                    }
                    if (knowns > 0) {
                        require(known, "the list of knowns");
                        require(seed, "the seed");
                    }
                    component.unknowns.assign(unknown, unknown + unknowns);
                    component.knowns.assign(known, known + knowns);
                    instance.directional_derivative(component.unknowns, component.knowns, {seed, knowns},
                                                    {sensitivity, unknowns});
                });
}

} // extern "C"
