#pragma once
// A state as bytes: versioned, bound to the model and the build, checksummed.

#include "core/equations/state.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tenon {

/// `fingerprint`: of the model (core/model/model_bytes.hpp).
std::vector<unsigned char> state_to_bytes(const State& state, std::uint64_t fingerprint);
/// `like` has the sizes the state must have. Throws Error(model) for what is truncated, altered or foreign.
State state_from_bytes(std::span<const unsigned char> bytes, std::uint64_t fingerprint, const State& like);

} // namespace tenon
