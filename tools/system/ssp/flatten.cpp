#include "tools/system/ssp/flatten.hpp"

#include "tools/system/check_context.hpp"
#include "tools/system/ssp/connections.hpp"
#include "tools/system/ssp/settings.hpp"

#include <fmt/format.h>
#include <set>

namespace tenon::system {
namespace {

/// As many as there may be wires; a file of a few megabytes could ask for billions.
constexpr std::size_t connection_limit = element_limit;

class Flattener {
  public:
    Flattener(const SspElement& root, System& system) : root_(root), system_(system) {}

    void run() {
        add_components(root_, "");
        const SspConnections connections(root_, system_);
        std::set<SspNode> seen;
        for (const SspEdge& edge : connections.edges()) {
            const bool is_output = !edge.to.dictionary && edge.to.owner == &root_;
            if ((is_component(edge.to) || is_output) && seen.insert(edge.to).second)
                for (const SspWay& way : connections.ways_to(edge.to))
                    is_output ? expose_output(edge.to, way) : add_way(edge.to, way);
        }
        apply_parameters(root_, fmus_, aliases_, system_);
    }

  private:
    /// Components in the order of the file.
    void add_components(const SspElement& system, const std::string& prefix) {
        for (const SspElement& element : system.elements) {
            if (element.kind == SspElement::Kind::system)
                add_components(element, prefix + element.name + ".");
            if (element.kind != SspElement::Kind::component)
                continue;
            fmus_.emplace(&element, system_.fmus.size());
            SystemFmu fmu;
            fmu.name = prefix + element.name;
            fmu.file = element.fmu;
            fmu.line = element.line;
            fmu.source = element.source;
            system_.fmus.push_back(std::move(fmu));
        }
    }

    Endpoint endpoint(const SspNode& node, const std::string& indices) const {
        return {fmus_.at(node.owner), node.name + indices, {}};
    }

    static bool is_component(const SspNode& node) {
        return !node.dictionary && node.owner->kind == SspElement::Kind::component;
    }

    void add_way(const SspNode& to, const SspWay& way) {
        const Endpoint target = endpoint(to, way.to_indices);
        note_aliases(target, way);
        if (is_component(way.from))
            add_connection(target, to, way);
        else if (way.from.owner == &root_ && !way.from.dictionary)
            system_.exposed.push_back({way.from.name + way.from_indices, target});
    }

    void add_connection(const Endpoint& target, const SspNode& to, const SspWay& way) {
        Connection connection;
        connection.from = endpoint(way.from, way.from_indices);
        connection.to = target;
        for (const SspEdge* edge : way.edges) {
            const SspConnection& written = *edge->connection;
            const SspTransformation& transformation = written.transformation;
            if (!transformation.map.empty() && !connection.map.empty())
                refuse(system_, written, "two mappings follow each other; one table can say the same");
            if (!transformation.map.empty())
                connection.map = transformation.map;
            const SspConnector* passed = SspConnections::connector(edge->to);
            const std::optional<fmi::Unit> unit = passed ? passed->unit : std::nullopt;
            if (edge == way.edges.back()) {
                connection.factor = transformation.factor;
                connection.offset = transformation.offset;
                connection.convert_units = written.convert_units;
                connection.line = written.line;
                connection.source = written.source;
            } else if (unit || transformation.factor != 1 || transformation.offset != 0) {
                connection.passages.push_back(
                    {transformation.factor, transformation.offset, written.convert_units, unit});
            }
        }
        if (const SspConnector* begin = SspConnections::connector(way.from))
            connection.from_unit = begin->unit;
        if (const SspConnector* end = SspConnections::connector(to))
            connection.to_unit = end->unit;
        if (system_.connections.size() >= connection_limit)
            refuse(system_, connection,
                   fmt::format("there are too many connections (limit {})", connection_limit));
        system_.connections.push_back(std::move(connection));
    }

    void expose_output(const SspNode& connector, const SspWay& way) {
        if (is_component(way.from))
            system_.exposed.push_back(
                {connector.name + way.to_indices, endpoint(way.from, way.from_indices)});
    }

    /// What is set at a system connector reaches the component behind it.
    void note_aliases(const Endpoint& target, const SspWay& way) {
        Linear after;
        for (std::size_t i = way.edges.size(); i-- > 0;) {
            const SspTransformation& t = way.edges[i]->connection->transformation;
            after = Linear{t.factor, t.offset}.then(after);
            const SspNode& node = way.edges[i]->from;
            if (is_component(node) || node.dictionary)
                return;
            const SspConnector* connector = SspConnections::connector(node);
            aliases_[node.owner][node.name + way.edges[i]->from_indices].push_back(
                {target, after, connector ? connector->unit : std::nullopt});
        }
    }

    const SspElement& root_;
    System& system_;
    SspFmus fmus_;
    SspAliases aliases_;
};

} // namespace

void flatten_ssp(const SspElement& root, System& system) { Flattener(root, system).run(); }

} // namespace tenon::system
