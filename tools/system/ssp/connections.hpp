#pragma once
// Connections of an SSP from one component to another, however many system connectors and signal dictionaries are between.

#include "tools/system/ssp/tree.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::system {

/// A connector of an element, or an entry of a signal dictionary of a system.
struct SspNode {
    const SspElement* owner = nullptr;
    std::string name;
    bool dictionary = false;
    auto operator<=>(const SspNode&) const = default;
};

/// One connection with its direction found.
struct SspEdge {
    SspNode from, to;
    std::string from_indices, to_indices;
    const SspConnection* connection = nullptr;
};

/// The way to (an element of) a component's connector, from where it begins: another component, or a system connector that
/// nothing feeds.
struct SspWay {
    SspNode from;
    std::string from_indices, to_indices;
    std::vector<const SspEdge*> edges; ///< first the one that leaves `from`
};

class SspConnections {
  public:
    /// Refuses connections to nothing, between two outputs or two inputs, and two sources of one connector.
    SspConnections(const SspElement& root, const System& system);

    /// In the order of the file.
    const std::vector<SspEdge>& edges() const { return edges_; }
    /// All ways to a connector. Refuses a circle.
    std::vector<SspWay> ways_to(const SspNode& node) const;
    /// The connector where an edge passes.
    static const SspConnector* connector(const SspNode& node);

  private:
    struct Scope {
        const SspElement* system;
        const Scope* outer;
        std::map<std::string_view, const SspElement*> elements;
    };
    struct Found {
        SspNode node;
        enum class Role { source, target, either } role = Role::either;
    };

    void add_system(const SspElement& system, const Scope* outer);
    void add_incoming();
    Found find(const Scope& scope, const SspConnection& connection, const SspEnd& end) const;
    void add_edge(const Scope& scope, const SspConnection& connection);
    void follow(const SspNode& node, const std::string& indices, int depth, std::vector<SspWay>& ways) const;
    [[noreturn]] void refuse_connection(const SspConnection& connection, const std::string& what) const;

    const System& system_;
    std::vector<SspEdge> edges_;
    /// Numbers of the edges that feed a connector, by the element of it that they feed ("": all).
    std::map<SspNode, std::map<std::string, std::size_t>> incoming_;
};

} // namespace tenon::system
