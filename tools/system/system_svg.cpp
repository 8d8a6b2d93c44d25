#include "core/math/digits.hpp"
#include "tools/files/errors.hpp"
#include "tools/system/system_graph.hpp"

#include <pugixml.hpp>

#include <cmath>
#include <sstream>

namespace tenon::system {
namespace {

constexpr double port_radius = 4;
constexpr std::size_t longest_text = 200;

/// Colours work on white and in print.
constexpr const char* style = R"(
text { font: 12px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #222; }
.name { font-weight: bold; font-size: 13px; }
.file { fill: #667; font-size: 11px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.box { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.2; }
.world { fill: #eee6d8; }
.wire { fill: none; stroke: #0550ae; stroke-width: 1.4; }
.joint { fill: none; stroke: #bc4c00; stroke-width: 3; }
.port { fill: #0550ae; }
.terminal { fill: #fff; stroke: #bc4c00; stroke-width: 2; }
)";

struct Point {
    double x = 0, y = 0;
};

Point port_place(const GraphBox& box, std::size_t port, bool right) {
    return {right ? box.x + box.width : box.x,
            box.y + graph_header_height + graph_row_height * (static_cast<double>(port) + 0.5)};
}

/// Pixels need no more digits than this.
std::string pixels(double value) { return digits(std::round(value * 10) / 10); }

pugi::xml_node add(pugi::xml_node parent, const char* tag, const char* kind) {
    pugi::xml_node node = parent.append_child(tag);
    node.append_attribute("class") = kind;
    return node;
}

void set(pugi::xml_node node, const char* key, double value) {
    node.append_attribute(key) = pixels(value).c_str();
}

/// Names come from strangers: whatever is in them is drawn as text.
void add_text(pugi::xml_node parent, const char* kind, Point at, const std::string& content) {
    pugi::xml_node node = add(parent, "text", kind);
    set(node, "x", at.x);
    set(node, "y", at.y);
    node.text() = printable(content, longest_text).c_str();
}

void add_ports(pugi::xml_node parent, const GraphBox& box, bool right) {
    const std::vector<GraphPort>& ports = right ? box.right : box.left;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const Point at = port_place(box, i, right);
        pugi::xml_node circle = add(parent, "circle", ports[i].joint ? "terminal" : "port");
        set(circle, "cx", at.x);
        set(circle, "cy", at.y);
        set(circle, "r", ports[i].joint ? port_radius + 1 : port_radius);
        add_text(parent, right ? "end" : "begin", {at.x + (right ? -9 : 9), at.y + 4}, ports[i].name);
    }
}

void add_box(pugi::xml_node parent, const GraphBox& box) {
    pugi::xml_node rectangle = add(parent, "rect", box.file.empty() ? "box world" : "box");
    set(rectangle, "x", box.x);
    set(rectangle, "y", box.y);
    set(rectangle, "width", box.width);
    set(rectangle, "height", box.height);
    set(rectangle, "rx", 5);
    const double middle = box.x + box.width / 2;
    add_text(parent, "name middle", {middle, box.y + 18}, box.name);
    add_text(parent, "file middle", {middle, box.y + 34}, box.file);
    add_ports(parent, box, false);
    add_ports(parent, box, true);
}

std::string point_text(Point p) { return pixels(p.x) + "," + pixels(p.y); }

/// A curve that leaves to the right and arrives from the left; back to the left, below all boxes.
std::string way(Point a, Point b, double lane) {
    constexpr double turn = 36;
    if (lane == 0) {
        const double reach = std::max(50.0, std::abs(b.x - a.x) / 2);
        return "M" + point_text(a) + " C" + point_text({a.x + reach, a.y}) + " " +
               point_text({b.x - reach, b.y}) + " " + point_text(b);
    }
    return "M" + point_text(a) + " C" + point_text({a.x + turn, a.y}) + " " + point_text({a.x + turn, lane}) +
           " " + point_text({a.x, lane}) + " L" + point_text({b.x, lane}) + " C" +
           point_text({b.x - turn, lane}) + " " + point_text({b.x - turn, b.y}) + " " + point_text(b);
}

void add_link(pugi::xml_node parent, const SystemGraph& graph, const GraphLink& link) {
    const Point a = port_place(graph.boxes[link.from], link.from_port, true);
    const Point b = port_place(graph.boxes[link.to], link.to_port, false);
    pugi::xml_node path = add(parent, "path", link.joint ? "joint" : "wire");
    path.append_attribute("d") = way(a, b, link.lane).c_str();
    if (!link.joint)
        path.append_attribute("marker-end") = "url(#arrow)";
    if (!link.label.empty())
        add_text(parent, "middle", {(a.x + b.x) / 2, (link.lane > 0 ? link.lane : (a.y + b.y) / 2) - 6},
                 link.label);
}

} // namespace

std::string svg(const SystemGraph& graph, const std::string& title) {
    pugi::xml_document document;
    pugi::xml_node root = document.append_child("svg");
    root.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
    root.append_attribute("viewBox") = ("0 0 " + pixels(graph.width) + " " + pixels(graph.height)).c_str();
    set(root, "width", graph.width);
    set(root, "height", graph.height);
    root.append_child("title").text() = printable(title, longest_text).c_str();
    root.append_child("style").text() = style;
    pugi::xml_node arrow = root.append_child("defs").append_child("marker");
    for (const auto& [key, value] : {std::pair{"id", "arrow"},
                                     {"viewBox", "0 0 8 8"},
                                     {"refX", "11"},
                                     {"refY", "4"},
                                     {"markerWidth", "7"},
                                     {"markerHeight", "7"},
                                     {"orient", "auto"}})
        arrow.append_attribute(key) = value;
    add(arrow, "path", "port").append_attribute("d") = "M0,0 L8,4 L0,8 z";
    for (const GraphLink& link : graph.links)
        add_link(root, graph, link);
    for (const GraphBox& box : graph.boxes)
        add_box(root, box);
    std::ostringstream stream;
    document.save(stream, " ", pugi::format_default, pugi::encoding_utf8);
    return stream.str();
}

} // namespace tenon::system
