#include "tools/system/ssp/connections.hpp"

#include "core/model/suggest.hpp"
#include "tools/system/check_context.hpp"
#include "tools/system/ssp/reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tenon::system {
namespace {

/// Up to the root, through a dictionary, and down again: a longer way goes in a circle.
constexpr int longest_way = 4 * ssp_depth_limit;

std::vector<std::string> element_names(const SspElement& system) {
    std::vector<std::string> names;
    for (const SspElement& element : system.elements)
        names.push_back(element.name);
    return names;
}

std::vector<std::string> connector_names(const SspElement& element) {
    std::vector<std::string> names;
    for (const auto& [name, connector] : element.connectors)
        names.push_back(name);
    return names;
}

std::string end_text(const SspEnd& end) {
    return "'" + printable(end.element.empty() ? end.connector : end.element + "." + end.connector) + "'";
}

} // namespace

SspConnections::SspConnections(const SspElement& root, const System& system) : system_(system) {
    add_system(root, nullptr);
    add_incoming();
}

void SspConnections::add_incoming() {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const SspEdge& edge = edges_[i];
        std::map<std::string, std::size_t>& others = incoming_[edge.to];
        auto other = others.find(edge.to_indices);
        if (other == others.end())
            other = edge.to_indices.empty() ? others.begin() : others.find("");
        if (other != others.end())
            refuse_connection(*edge.connection,
                              fmt::format("'{}' has two sources (the first in line {})",
                                          printable(edge.to.name), edges_[other->second].connection->line));
        others.emplace(edge.to_indices, i);
    }
}

void SspConnections::refuse_connection(const SspConnection& connection, const std::string& what) const {
    refuse(system_, connection,
           fmt::format("connection of {} and {}: {}", end_text(connection.start), end_text(connection.end),
                       what));
}

void SspConnections::add_system(const SspElement& system, const Scope* outer) {
    Scope scope{&system, outer, {}};
    for (const SspElement& element : system.elements)
        scope.elements.emplace(element.name, &element);
    for (const SspConnection& connection : system.connections)
        add_edge(scope, connection);
    for (const SspElement& element : system.elements)
        if (element.kind == SspElement::Kind::system)
            add_system(element, &scope);
}

const SspConnector* SspConnections::connector(const SspNode& node) {
    if (node.dictionary)
        return nullptr;
    const auto place = node.owner->connectors.find(node.name);
    return place == node.owner->connectors.end() ? nullptr : &place->second;
}

SspConnections::Found SspConnections::find(const Scope& scope, const SspConnection& connection,
                                           const SspEnd& end) const {
    const bool own = end.element.empty();
    const auto place = scope.elements.find(end.element);
    if (!own && place == scope.elements.end())
        refuse_connection(connection, fmt::format("there is no element '{}'; {}", printable(end.element),
                                                  suggestion(end.element, element_names(*scope.system))));
    const SspElement* element = own ? scope.system : place->second;
    Found found{{element, end.connector, false}, Found::Role::either};
    const auto declared = element->connectors.find(end.connector);
    if (declared == element->connectors.end() && element->kind == SspElement::Kind::system)
        refuse_connection(connection, fmt::format("'{}' has no connector '{}'; {}", printable(element->name),
                                                  printable(end.connector),
                                                  suggestion(end.connector, connector_names(*element))));
    const std::string kind = declared == element->connectors.end() ? "" : declared->second.kind;
    const bool is_parameter = kind == "parameter" || kind == "structuralParameter";
    const bool takes = kind == "input" || is_parameter;
    const bool gives =
        kind == "output" || kind == "calculatedParameter" || kind == "constant" || kind == "local";
    // Seen from inside, what a system takes is a source. A component's parameter may be passed on to that of another.
    if ((takes || gives) && (own || !is_parameter))
        found.role = takes != own ? Found::Role::target : Found::Role::source;
    if (element->kind != SspElement::Kind::dictionary)
        return found;
    for (const Scope* outer = &scope; outer; outer = outer->outer) {
        const std::vector<std::string>& names = outer->system->dictionaries;
        if (std::find(names.begin(), names.end(), element->dictionary) != names.end()) {
            found.node = {outer->system, element->dictionary + "/" + end.connector, true};
            return found;
        }
    }
    refuse_connection(connection,
                      fmt::format("there is no signal dictionary '{}'", printable(element->dictionary)));
}

void SspConnections::add_edge(const Scope& scope, const SspConnection& connection) {
    using Role = Found::Role;
    Found start = find(scope, connection, connection.start), end = find(scope, connection, connection.end);
    if (start.role == end.role && start.role != Role::either)
        refuse_connection(connection,
                          start.role == Role::source ? "both ends are sources" : "both ends are targets");
    const bool forward = start.role == Role::source || end.role == Role::target ||
                         (start.role == Role::either && end.role == Role::either);
    SspEdge edge{start.node, end.node, connection.start.indices, connection.end.indices, &connection};
    if (!forward) {
        std::swap(edge.from, edge.to);
        std::swap(edge.from_indices, edge.to_indices);
    }
    edges_.push_back(std::move(edge));
}

std::vector<SspWay> SspConnections::ways_to(const SspNode& node) const {
    std::vector<SspWay> ways;
    follow(node, "", 0, ways);
    return ways;
}

/// Backwards from a connector: along the connection that feeds it (or this element of it), or along those of its elements.
void SspConnections::follow(const SspNode& node, const std::string& indices, int depth,
                            std::vector<SspWay>& ways) const {
    const auto feeding = incoming_.find(node);
    const bool is_end = !node.dictionary && node.owner->kind == SspElement::Kind::component && depth > 0;
    if (is_end || feeding == incoming_.end()) {
        ways.push_back({node, indices, "", {}});
        return;
    }
    for (const auto& [fed, number] : feeding->second) {
        const SspEdge& edge = edges_[number];
        const bool same = fed == indices, whole = fed.empty(), parts = indices.empty();
        if (!same && !whole && !parts)
            continue;
        if (depth > longest_way)
            refuse_connection(*edge.connection, "the connections go in a circle");
        if (whole && !same && !edge.from_indices.empty())
            refuse_connection(*edge.connection, "an element of an element is wanted here");
        std::vector<SspWay> before;
        follow(edge.from, whole && !same ? indices : edge.from_indices, depth + 1, before);
        for (SspWay& way : before) {
            // Elements of an array that comes in parts are those of its connector further on.
            if (!way.to_indices.empty() && !fed.empty())
                refuse_connection(*edge.connection, "an element of an element is wanted here");
            if (parts && !fed.empty())
                way.to_indices = fed;
            way.edges.push_back(&edge);
            ways.push_back(std::move(way));
        }
    }
}

} // namespace tenon::system
