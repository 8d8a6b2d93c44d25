#include "tools/results/road_mesh.hpp"

#include "core/model/roads/road_surface.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::results {
namespace {

constexpr double margin = 2;      ///< m around what is there
constexpr double least_width = 3; ///< m
constexpr double spacing = 0.05;  ///< m along, where it does not make too many
constexpr double most_rows = 600;
constexpr double most_reach = 1e4; ///< m: what runs farther than that is not drawn to its end
constexpr double driven_reach = 500, driven_spacing = 5; ///< m beyond, where flanges may drive the machine on
constexpr std::size_t columns_of_uneven = 9;

struct Span {
    double from = 0, to = 0;
    void add(double x) {
        from = std::min(from, x);
        to = std::max(to, x);
    }
};

/// Where along the road its features are: their keys start and end, or the points they are given at.
void add_features(const Road& road, Span& along, bool& uneven) {
    for (const Choice& feature : road.features) {
        const double start = feature.number("start");
        if (feature.has("start"))
            along.add(start);
        if (feature.has("end"))
            along.add(feature.number("end"));
        if (feature.has("length"))
            along.add(start + feature.number("length") * feature.number("count", 1));
        if (feature.has("tread"))
            along.add(start + feature.number("tread") * feature.number("count", 1));
        for (const double x : feature.list("x"))
            along.add(x);
        for (const std::vector<double>& point : feature.rows("table"))
            along.add(point.front());
        uneven = uneven || feature.has("y");
    }
}

} // namespace

RoadMesh road_mesh(const Model& model, const Road& road) {
    const RoadSurface surface(road);
    const Mat3& axes = surface.place().D;
    Span along, across;
    for (const Body& body : model.bodies) {
        const Vec3 p = axes.transpose() * (body.position - surface.place().r);
        const double run = body.velocity ? axes.col(0).dot(*body.velocity) * model.solver.stop : 0.0;
        along.add(p.x());
        along.add(p.x() + std::clamp(run, -most_reach, most_reach));
        across.add(p.y());
    }
    bool uneven = false;
    add_features(road, along, uneven);
    along = {road.start.value_or(along.from - margin), road.end.value_or(along.to + margin)};
    if (road.length > 0)
        along.to = along.from + road.length;
    const double middle = 0.5 * (across.from + across.to);
    const double width =
        road.width > 0 ? road.width : std::max(across.to - across.from + margin, least_width);
    RoadMesh mesh;
    const std::size_t fine =
        static_cast<std::size_t>(std::clamp((along.to - along.from) / spacing, 1.0, most_rows));
    std::vector<double> places;
    for (std::size_t i = 0; i <= fine; ++i)
        places.push_back(along.from +
                         (along.to - along.from) * static_cast<double>(i) / static_cast<double>(fine));
    if (!model.flanges.empty() && !road.end && road.length <= 0)
        for (double beyond = driven_spacing; beyond <= driven_reach; beyond += driven_spacing)
            places.push_back(along.to + beyond);
    mesh.rows = places.size();
    mesh.columns = uneven ? columns_of_uneven : 2;
    for (const double x : places)
        for (std::size_t j = 0; j < mesh.columns; ++j) {
            const double y =
                middle + width * (static_cast<double>(j) / static_cast<double>(mesh.columns - 1) - 0.5);
            const Vec3 p = surface.place().r + axes * Vec3(x, y, surface.at(x, y).z);
            for (const double c : p) // to a tenth of a millimetre: it is a drawing
                mesh.points.push_back(std::round(c * 1e4) / 1e4);
        }
    return mesh;
}

} // namespace tenon::results
