#include "core/model/model.hpp"

namespace tenon {

const std::string& Model::body_name(int index) const {
    static const std::string world_name = "world";
    return index == world ? world_name : bodies.at(static_cast<std::size_t>(index)).name;
}

} // namespace tenon
