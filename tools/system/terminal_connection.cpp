#include "tools/system/terminal_connection.hpp"

#include "core/model/suggest.hpp"
#include "modelDescription/words.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/system/terminals.hpp"

#include <fmt/format.h>
#include <map>
#include <utility>

namespace tenon::master {
namespace {

using fmi::Causality;

/// What is connected at once: a member, or one element of it where only the elements are members of the other side (FMI 2.0).
struct Piece {
    std::string name;     ///< of the member: r_0, r_0[2]; its number where members are matched by order
    std::string kind;     ///< variableKind
    std::string variable; ///< of the FMU, with the index of an element
    Causality causality = Causality::local;
};

/// One side of a connection: a terminal at some depth, and how to speak of it.
struct Plug {
    std::size_t fmu = 0;
    const fmi::Terminal* terminal = nullptr;
    std::string text; ///< "engine/shaft"
};

/// The indices of element `number` of an array, from 1: "[2,3]"; empty for a scalar.
std::string element_text(std::size_t number, const std::vector<std::uint64_t>& shape) {
    std::vector<std::uint64_t> indices(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        indices[d] = number % shape[d] + 1;
        number /= shape[d];
    }
    return shape_text(indices);
}

bool is_flow(const std::string& kind) { return kind == "inflow" || kind == "outflow" || kind == effort_kind; }

class TerminalConnection {
  public:
    /// `thing`: the connection or joint that is refused where something does not fit.
    template <class Thing>
    TerminalConnection(const CheckContext& context, const Thing& thing, std::string what,
                       std::vector<Connection>& result)
        : context_(context), result_(result), line_(thing.line), source_(thing.source),
          what_(std::move(what)) {}

    Plug find(std::size_t fmu, const std::string& name) const {
        const fmi::Description& description = context_.indices[fmu]->description();
        const fmi::Terminal* terminal = find_terminal(description, name);
        if (!terminal)
            fail(fmt::format("fmu '{}' has no terminal '{}'; {}", printable(context_.system.fmus[fmu].name),
                             printable(name), suggestion(name, terminal_names(description))));
        return {fmu, terminal, context_.system.fmus[fmu].name + "/" + name};
    }

    /// All members, and nested terminals that both have. Returns how many values are connected.
    std::size_t connect(const Plug& a, const Plug& b, bool convert_units) {
        std::size_t count = connect_members(a, b, convert_units);
        std::map<std::string_view, const fmi::Terminal*> others;
        for (const fmi::Terminal& other : b.terminal->terminals)
            others.emplace(other.name, &other);
        for (const fmi::Terminal& inner : a.terminal->terminals)
            if (const auto other = others.find(inner.name); other != others.end())
                count += connect({a.fmu, &inner, a.text + "." + inner.name},
                                 {b.fmu, other->second, b.text + "." + inner.name}, convert_units);
        return count;
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw bad_input(source_name(context_.system, source_), line_, what_ + ": " + problem);
    }

  private:
    static bool by_order(const Plug& plug) { return plug.terminal->matching_rule == "sequence"; }

    void check_rule(const Plug& plug) const {
        const std::string& rule = plug.terminal->matching_rule;
        if (rule != "plug" && rule != "bus" && rule != "sequence")
            fail(
                fmt::format("'{}' has the matching rule '{}', which is not known here; connect its variables "
                            "one by one",
                            printable(plug.text), printable(rule)));
    }

    Selection selected(const Plug& plug, const fmi::TerminalMember& member) const {
        Selection found = context_.indices[plug.fmu]->find(member.variable, context_.sizes[plug.fmu]);
        if (!found.problem.empty() || found.places.empty())
            fail(fmt::format("'{}', member '{}': {}", printable(plug.text), printable(member.member),
                             found.places.empty() ? "it has no values" : found.problem));
        return found;
    }

    using Shapes = std::map<std::string_view, std::vector<std::uint64_t>>;
    Shapes shapes(const Plug& plug) const {
        Shapes result;
        for (const fmi::TerminalMember& member : plug.terminal->members)
            result.emplace(member.member, selected(plug, member).shape);
        return result;
    }

    /// `others`: shapes of the members of the other side.
    std::vector<Piece> pieces(const Plug& plug, const Shapes& others) const {
        const VariableIndex& index = *context_.indices[plug.fmu];
        const bool ordered = by_order(plug);
        std::vector<Piece> result;
        for (const fmi::TerminalMember& member : plug.terminal->members) {
            const Selection found = selected(plug, member);
            const Causality causality = index.variable(found.places.front().variable).causality;
            const auto alike = others.find(member.member);
            if (!ordered && alike != others.end() && alike->second == found.shape) {
                result.push_back({member.member, member.kind, member.variable, causality});
                continue;
            }
            if (result.size() + found.places.size() > element_limit)
                fail(fmt::format("'{}' has too many values (limit {})", printable(plug.text), element_limit));
            for (std::size_t i = 0; i < found.places.size(); ++i)
                result.push_back({ordered ? std::to_string(result.size() + 1)
                                          : member.member + element_text(i, found.shape),
                                  member.kind, index.name(found.places[i], context_.sizes[plug.fmu]),
                                  causality});
        }
        return result;
    }

    std::size_t connect_members(const Plug& a, const Plug& b, bool convert_units) {
        check_rule(a);
        check_rule(b);
        if (by_order(a) != by_order(b))
            fail(fmt::format("members of '{}' are matched by {}, those of '{}' by {}", printable(a.text),
                             by_order(a) ? "order" : "name", printable(b.text),
                             by_order(b) ? "order" : "name"));
        const std::vector<Piece> left = pieces(a, shapes(b)), right = pieces(b, shapes(a));
        const Named named_left = named(left), named_right = named(right);
        require_all(a, left, b, named_right);
        require_all(b, right, a, named_left);
        std::size_t count = 0;
        for (const Piece& piece : left)
            if (const auto match = named_right.find(piece.name); match != named_right.end())
                count += connect_pieces(a, piece, b, *match->second, convert_units) ? 1 : 0;
        return count;
    }

    using Named = std::map<std::string_view, const Piece*>;
    static Named named(const std::vector<Piece>& pieces) {
        Named result;
        for (const Piece& piece : pieces)
            result.emplace(piece.name, &piece);
        return result;
    }

    /// A plug wants all its members on the other side, a sequence as many.
    void require_all(const Plug& plug, const std::vector<Piece>& own, const Plug& other,
                     const Named& others) const {
        if (plug.terminal->matching_rule == "bus")
            return;
        for (const Piece& piece : own)
            if (!others.contains(piece.name))
                fail(by_order(plug)
                         ? fmt::format("'{}' has {} values, but '{}' has {}", printable(plug.text),
                                       own.size(), printable(other.text), others.size())
                         : fmt::format("'{}' has the member '{}', but '{}' has not", printable(plug.text),
                                       printable(piece.name), printable(other.text)));
    }

    /// False where a bus has nothing to pass on: two outputs, or two inputs.
    bool connect_pieces(const Plug& a, const Piece& left, const Plug& b, const Piece& right,
                        bool convert_units) {
        const bool forth = left.causality == Causality::output && right.causality == Causality::input;
        const bool back = left.causality == Causality::input && right.causality == Causality::output;
        if (!forth && !back) {
            if (a.terminal->matching_rule == "bus" && b.terminal->matching_rule == "bus")
                return false;
            fail(fmt::format("member '{}' is {} in '{}' and {} in '{}', so that nothing can be passed on{}",
                             printable(left.name), fmi::word(left.causality), printable(a.text),
                             fmi::word(right.causality), printable(b.text),
                             port_kind(*a.terminal) && left.causality == Causality::output
                                 ? "; a [[joint]] glues such ports"
                                 : ""));
        }
        Connection connection;
        const Endpoint ends[] = {{a.fmu, left.variable, {}}, {b.fmu, right.variable, {}}};
        connection.from = ends[forth ? 0 : 1];
        connection.to = ends[forth ? 1 : 0];
        connection.factor = sign(a, left, b, right);
        connection.convert_units = convert_units;
        connection.line = line_;
        connection.source = source_;
        result_.push_back(std::move(connection));
        return true;
    }

    /// Flows sum to zero, so that what flows into one side flows out of the other.
    double sign(const Plug& a, const Piece& left, const Plug& b, const Piece& right) const {
        if (is_flow(left.kind) && is_flow(right.kind))
            return (left.kind == "outflow") != (right.kind == "outflow") ? 1 : -1;
        if (left.kind != "signal" || right.kind != "signal")
            fail(
                fmt::format("member '{}' is of kind '{}' in '{}' and '{}' in '{}'; signals meet signals, and "
                            "inflow, outflow and {} one another",
                            printable(left.name), printable(left.kind), printable(a.text),
                            printable(right.kind), printable(b.text), effort_kind));
        return 1;
    }

    const CheckContext& context_;
    std::vector<Connection>& result_;
    int line_;
    std::size_t source_;
    std::string what_;
};

/// Where one side is a spring side, the joint is nothing but signals. True where it was such a one.
bool connect_joint(const CheckContext& context, const GlueJoint& joint, std::vector<Connection>& result,
                   std::vector<std::string>& remarks) {
    TerminalConnection connection(context, joint, "joint '" + printable(joint.name) + "'", result);
    const Side* spring = nullptr;
    int springs = 0;
    for (const Side* side : {&joint.a, &joint.b}) {
        if (!side->fmu)
            continue;
        const VariableIndex& index = *context.indices[*side->fmu];
        const fmi::Terminal* terminal = find_terminal(index.description(), side->terminal);
        if (!terminal)
            return false; // the check of the joints says so
        const PortCheck port = check_port(index, context.sizes[*side->fmu], *terminal);
        if (port.problem.empty() && port.profile == PortProfile::spring) {
            spring = side;
            ++springs;
        }
    }
    if (!spring)
        return false;
    const std::string text =
        "'" + printable(side_text(context.system, *spring)) + "' takes motion and gives efforts";
    if (springs == 2)
        connection.fail("both sides take motion and give efforts; something with mass must be between them");
    if (!joint.a.fmu || !joint.b.fmu)
        connection.fail(text + ": set its inputs where it is held, instead of a joint to the world");
    if (joint.type != "fixed" || !joint.numbers.empty() || !joint.method.empty())
        connection.fail(text + ": it is connected as it is, by a joint of type 'fixed' without more");
    connection.connect(connection.find(*joint.a.fmu, joint.a.terminal),
                       connection.find(*joint.b.fmu, joint.b.terminal), true);
    remarks.push_back(fmt::format("joint '{}': {}, so that signals connect it and nothing is glued",
                                  printable(joint.name), text));
    return true;
}

} // namespace

void connect_terminals(const CheckContext& context, System& system, std::vector<std::string>& remarks) {
    std::vector<Connection> connections;
    for (const Connection& connection : system.connections) {
        if (!connection.of_terminals) {
            connections.push_back(connection);
            continue;
        }
        const Endpoint &from = connection.from, &to = connection.to;
        TerminalConnection terminals(context, connection,
                                     fmt::format("connection from '{}/{}' to '{}/{}'",
                                                 printable(system.fmus[from.fmu].name),
                                                 printable(from.variable),
                                                 printable(system.fmus[to.fmu].name), printable(to.variable)),
                                     connections);
        if (terminals.connect(terminals.find(from.fmu, from.variable), terminals.find(to.fmu, to.variable),
                              connection.convert_units) == 0)
            terminals.fail("they have no member in common that one gives and the other takes");
    }
    std::vector<GlueJoint> joints;
    for (const GlueJoint& joint : system.joints)
        if (!connect_joint(context, joint, connections, remarks))
            joints.push_back(joint);
    system.connections = std::move(connections);
    system.joints = std::move(joints);
}

} // namespace tenon::master
