#include "fmu/blueprint.hpp"

#include "core/math/error.hpp"
#include "core/model/model_bytes.hpp"
#include "fmu/system.hpp"

#include <cstdio>
#include <vector>

namespace tenon::fmu {
namespace {

void hash(std::uint64_t& sum, const void* data, std::size_t size) {
    sum = checksum({static_cast<const unsigned char*>(data), size}, sum);
}

void hash(std::uint64_t& sum, const std::string& text) { hash(sum, text.c_str(), text.size() + 1); }

/// 128 bits in two different walks over the model's bytes and the interface.
std::string make_token(const Model& model, const Interface& interface) {
    const std::vector<unsigned char> bytes = model_to_bytes(model);
    std::uint64_t first = checksum(bytes), second = checksum(bytes, 0x9e3779b97f4a7c15ULL);
    hash(first, TENON_VERSION);
    hash(second, TENON_VERSION);
    for (const Variable& v : interface.variables()) {
        for (std::uint64_t* sum : {&first, &second}) {
            hash(*sum, v.name);
            hash(*sum, v.unit);
            hash(*sum, v.dimensions.data(), v.dimensions.size() * sizeof(int));
            hash(*sum, v.start.data(), v.start.size() * sizeof(double));
        }
    }
    char text[64];
    std::snprintf(text, sizeof text, "tenon-%016llx%016llx", static_cast<unsigned long long>(first),
                  static_cast<unsigned long long>(second));
    return text;
}

} // namespace

Blueprint::Blueprint(const Model& given)
    : model(given), parameters(model), interface(Simulation(model), parameters),
      token(make_token(model, interface)) {}

Blueprint read_blueprint(const std::string& resource_folder) {
    return Blueprint(model_from_bytes(read_file(resource_folder + "/" + model_file)));
}

} // namespace tenon::fmu
