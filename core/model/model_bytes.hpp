#pragma once
// A model as bytes, for an FMU that carries no reader of text: versioned, checksummed, the same bytes from the same model.

#include "core/model/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tenon {

std::vector<unsigned char> model_to_bytes(const Model& model);
/// Throws Error(model) for what is truncated, altered, or written by a version with another format.
Model model_from_bytes(std::span<const unsigned char> bytes);

/// FNV-1a with 64 bits: finds damage, not malice.
std::uint64_t checksum(std::span<const unsigned char> bytes, std::uint64_t start = 14695981039346656037ULL);

/// Of everything in the model that decides its motion: names, numbers and structure, not what is drawn or said.
std::uint64_t fingerprint(const Model& model);

} // namespace tenon
