#pragma once
// A system as a picture: boxes in layers from left to right, connections and joints between their ports.

#include "tools/system/system.hpp"

#include <string>
#include <vector>

namespace tenon::system {

/// Pixels of a box above its ports, and of a port.
inline constexpr double graph_header_height = 44, graph_row_height = 18;

struct GraphPort {
    std::string name;
    bool joint = false; ///< a terminal
};

/// Places are in pixels from the upper left corner.
struct GraphBox {
    std::string name, file;
    std::vector<GraphPort> left, right;
    std::size_t column = 0, row = 0; ///< depend only on which boxes are connected, not on how many times
    double x = 0, y = 0, width = 0, height = 0;
};

/// From a port on the right of a box to one on the left of another.
struct GraphLink {
    std::size_t from = 0, from_port = 0, to = 0, to_port = 0;
    std::string label;
    bool joint = false;
    double lane =
        0; ///< height below all boxes where a link runs that goes back to the left; 0: it goes to the right
};

struct SystemGraph {
    std::vector<GraphBox> boxes; ///< one per FMU, then the world where a joint has it
    std::vector<GraphLink> links;
    double width = 0, height = 0;
};

/// The same system gives the same picture.
SystemGraph system_graph(const System& system);

/// The picture as an SVG document.
std::string svg(const SystemGraph& graph, const std::string& title);

} // namespace tenon::system
