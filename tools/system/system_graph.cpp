#include "tools/system/system_graph.hpp"

#include <algorithm>
#include <map>

namespace tenon::system {
namespace {

constexpr double letter_width = 7.2, gap_x = 110, gap_y = 36, margin = 44, lane_height = 10;
constexpr std::size_t most_lanes = 40;   ///< below the boxes; further links share them
constexpr std::size_t longest_name = 40; ///< letters of a name that are drawn

std::string shortened(const std::string& name) {
    return name.size() <= longest_name ? name : "..." + name.substr(name.size() - longest_name + 3);
}

class GraphMaker {
  public:
    explicit GraphMaker(const System& system) : system_(system) {}

    SystemGraph make() {
        for (const SystemFmu& fmu : system_.fmus)
            graph_.boxes.push_back({fmu.name, fmu.file.filename().string(), {}, {}, 0, 0, 0, 0, 0, 0});
        for (const Connection& connection : system_.connections)
            add_link(connection.from.fmu, connection.from.variable, connection.to.fmu, connection.to.variable,
                     "", false);
        for (const GlueJoint& joint : system_.joints)
            add_link(box(joint.a), joint.a.terminal, box(joint.b), joint.b.terminal,
                     joint.name + " (" + joint.type + ")", true);
        for (GraphBox& one : graph_.boxes)
            measure(one);
        place();
        add_lanes();
        return std::move(graph_);
    }

  private:
    std::size_t box(const Side& side) {
        if (side.fmu)
            return *side.fmu;
        if (graph_.boxes.size() == system_.fmus.size())
            graph_.boxes.push_back({"world", "", {}, {}, 0, 0, 0, 0, 0, 0});
        return system_.fmus.size();
    }

    std::size_t port(std::size_t owner, const std::string& name, bool right, bool joint) {
        std::vector<GraphPort>& ports = right ? graph_.boxes[owner].right : graph_.boxes[owner].left;
        const auto [place, is_new] = ports_.emplace(std::tuple(owner, name, right, joint), ports.size());
        if (is_new)
            ports.push_back({shortened(name), joint});
        return place->second;
    }

    void add_link(std::size_t from, const std::string& output, std::size_t to, const std::string& input,
                  const std::string& label, bool joint) {
        const std::size_t from_port = port(from, output, true, joint),
                          to_port = port(to, input, false, joint);
        graph_.links.push_back({from, from_port, to, to_port, label, joint, 0});
    }

    static void measure(GraphBox& one) {
        std::size_t left = 0, right = 0;
        for (const GraphPort& p : one.left)
            left = std::max(left, p.name.size());
        for (const GraphPort& p : one.right)
            right = std::max(right, p.name.size());
        const std::size_t letters = std::max({left + right + 5, one.name.size() + 2, one.file.size() + 2});
        one.width = std::max(110.0, static_cast<double>(letters) * letter_width);
        one.height = graph_header_height +
                     graph_row_height * static_cast<double>(std::max(one.left.size(), one.right.size())) + 8;
    }

    /// Each box right of all that feed it; where boxes feed each other in a circle, the first of the file goes first.
    std::vector<std::size_t> layers(const std::vector<std::vector<std::size_t>>& before) const {
        const std::size_t count = graph_.boxes.size();
        std::vector<std::size_t> layer(count, 0), waiting(count, 0);
        std::vector<std::vector<std::size_t>> after(count);
        for (std::size_t i = 0; i < count; ++i) {
            waiting[i] = before[i].size();
            for (const std::size_t b : before[i])
                after[b].push_back(i);
        }
        std::vector<bool> placed(count, false);
        std::vector<std::size_t> ready;
        for (std::size_t i = count; i-- > 0;)
            if (waiting[i] == 0)
                ready.push_back(i);
        for (std::size_t next_forced = 0, done = 0; done < count; ++done) {
            while (!ready.empty() && placed[ready.back()])
                ready.pop_back();
            if (ready.empty()) {
                while (placed[next_forced])
                    ++next_forced;
                ready.push_back(next_forced);
            }
            const std::size_t one = ready.back();
            ready.pop_back();
            placed[one] = true;
            for (const std::size_t b : before[one])
                if (placed[b] && b != one)
                    layer[one] = std::max(layer[one], layer[b] + 1);
            for (const std::size_t a : after[one])
                if (--waiting[a] == 0 && !placed[a])
                    ready.push_back(a);
        }
        return layer;
    }

    void place() {
        std::vector<std::vector<std::size_t>> before(graph_.boxes.size());
        for (const GraphLink& link : graph_.links)
            if (link.from != link.to)
                before[link.to].push_back(link.from);
        for (std::vector<std::size_t>& list : before) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
        std::map<std::size_t, std::vector<std::size_t>> columns;
        const std::vector<std::size_t> layer = layers(before);
        for (std::size_t i = 0; i < layer.size(); ++i)
            columns[layer[i]].push_back(i);
        double x = margin;
        for (auto& [number, column] : columns) {
            sort_by_neighbours(column, before);
            double width = 0, y = margin;
            std::size_t row = 0;
            for (const std::size_t i : column) {
                GraphBox& one = graph_.boxes[i];
                one.column = number;
                one.row = row++;
                one.x = x;
                one.y = y;
                y += one.height + gap_y;
                width = std::max(width, one.width);
            }
            graph_.height = std::max(graph_.height, y - gap_y + margin);
            x += width + gap_x;
        }
        graph_.width = x - gap_x + margin;
    }

    void add_lanes() {
        std::size_t lanes = 0;
        const double first = graph_.height - margin + 2 * lane_height;
        for (GraphLink& link : graph_.links)
            if (graph_.boxes[link.to].column <= graph_.boxes[link.from].column)
                link.lane = first + lane_height * static_cast<double>(lanes++ % most_lanes);
        if (lanes > 0)
            graph_.height = first + lane_height * static_cast<double>(std::min(lanes, most_lanes)) + margin;
    }

    /// Boxes beside those that feed them cross fewer lines.
    void sort_by_neighbours(std::vector<std::size_t>& column,
                            const std::vector<std::vector<std::size_t>>& before) const {
        std::map<std::size_t, double> height;
        for (const std::size_t i : column) {
            double sum = 0;
            for (const std::size_t b : before[i])
                sum += static_cast<double>(graph_.boxes[b].row);
            height[i] = before[i].empty() ? 0 : sum / static_cast<double>(before[i].size());
        }
        std::stable_sort(column.begin(), column.end(),
                         [&](std::size_t a, std::size_t b) { return height[a] < height[b]; });
    }

    const System& system_;
    SystemGraph graph_;
    std::map<std::tuple<std::size_t, std::string, bool, bool>, std::size_t> ports_;
};

} // namespace

SystemGraph system_graph(const System& system) { return GraphMaker(system).make(); }

} // namespace tenon::system
