#pragma once
// What all instances of an FMU have in common: read from its resources, never changed afterwards.

#include "core/model/model.hpp"
#include "fmu/interface.hpp"
#include "fmu/parameters.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tenon::fmu {

/// Name of the compiled model in resources/.
inline constexpr const char* model_file = "model.bin";

/// The lowest value reference of FMI 3.0; some importers refuse 0.
inline constexpr std::uint32_t first_reference3 = 1;

/// Behind the token where an FMU of version 3.0 has a variable for each element of an array, as FMI 2.0 does.
inline constexpr const char* scalars_mark = "-scalars";

struct Blueprint {
    explicit Blueprint(const Model& model);

    Model model;
    Parameters parameters;
    Interface interface;
    /// guid or instantiationToken: follows from the model's content and from what the FMU shows of it.
    std::string token;
};

/// Throws Error(model) where the file cannot be read (named) or is not what it should be.
Blueprint read_blueprint(const std::string& resource_folder);

} // namespace tenon::fmu
