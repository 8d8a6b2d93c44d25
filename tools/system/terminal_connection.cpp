#include "tools/system/terminal_connection.hpp"

#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"
#include "modelDescription/words.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/system/terminals.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace tenon::system {
namespace {

using fmi::Causality;

/// Values of one FMU.
struct Values {
    std::size_t fmu = 0;
    std::vector<ScalarPlace> places;
};

/// The connections that come from one [[connection]] or [[joint]], which is refused where something does not fit.
class Origin {
  public:
    template <class Thing>
    Origin(const CheckContext& context, const Thing& thing, std::string what, std::vector<Connection>& result)
        : context_(context), result_(result), line_(thing.line), source_(thing.source),
          what_(std::move(what)) {}

    [[noreturn]] void fail(const std::string& problem) const {
        throw bad_input(source_name(context_.system, source_), line_, what_ + ": " + problem);
    }

    /// As many values on both sides: as one connection where both are whole variables, otherwise one by one.
    void connect(const Values& from, const Values& to, double factor, bool convert_units) {
        if (is_whole(from) && is_whole(to) && shape(from) == shape(to))
            return add(whole(from), whole(to), factor, convert_units);
        for (std::size_t i = 0; i < from.places.size(); ++i)
            add(element(from.fmu, from.places[i]), element(to.fmu, to.places[i]), factor, convert_units);
    }

    const CheckContext& context() const { return context_; }

  private:
    std::vector<std::uint64_t> shape(const Values& values) const {
        return context_.indices[values.fmu]->shape(values.places.front().variable,
                                                   context_.sizes[values.fmu]);
    }
    bool is_whole(const Values& values) const {
        for (std::size_t i = 0; i < values.places.size(); ++i)
            if (values.places[i].variable != values.places.front().variable || values.places[i].element != i)
                return false;
        return values.places.size() == element_count(shape(values));
    }
    Endpoint whole(const Values& values) const {
        return {values.fmu, context_.indices[values.fmu]->variable(values.places.front().variable).name, {}};
    }
    Endpoint element(std::size_t fmu, const ScalarPlace& place) const {
        const VariableIndex& index = *context_.indices[fmu];
        Endpoint end{fmu, index.variable(place.variable).name, {}};
        if (!index.shape(place.variable, context_.sizes[fmu]).empty())
            end.element = place.element;
        return end;
    }
    void add(Endpoint from, Endpoint to, double factor, bool convert_units) {
        Connection connection;
        connection.from = std::move(from);
        connection.to = std::move(to);
        connection.factor = factor;
        connection.convert_units = convert_units;
        connection.line = line_;
        connection.source = source_;
        result_.push_back(std::move(connection));
    }

    const CheckContext& context_;
    std::vector<Connection>& result_;
    int line_;
    std::size_t source_;
    std::string what_;
};

// ---- terminals of any kind ----

/// What is connected at once: a member, or one element of it where only the elements are members of the other side (FMI 2.0).
struct Piece {
    std::string name; ///< of the member: r_0, r_0[2]; its number where members are matched by order
    std::string kind; ///< variableKind
    Values values;
    Causality causality = Causality::local;
};

/// One side of a connection: a terminal at some depth, and how to speak of it.
struct Plug {
    std::size_t fmu = 0;
    const fmi::Terminal* terminal = nullptr;
    std::string text; ///< "engine/shaft"

    bool has_rule(std::string_view rule) const { return terminal->matching_rule == rule; }
    Plug inner(const fmi::Terminal& nested) const { return {fmu, &nested, text + "." + nested.name}; }
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

bool is_parameter(Causality causality) {
    return causality == Causality::parameter || causality == Causality::calculated_parameter;
}

class Matching {
  public:
    Matching(Origin& origin, bool convert_units) : origin_(origin), convert_units_(convert_units) {}

    Plug find(std::size_t fmu, const std::string& name) const {
        const System& system = origin_.context().system;
        const fmi::Description& description = origin_.context().indices[fmu]->description();
        const fmi::Terminal* terminal = find_terminal(description, name);
        if (!terminal)
            origin_.fail(fmt::format("fmu '{}' has no terminal '{}'; {}", printable(system.fmus[fmu].name),
                                     printable(name), suggestion(name, terminal_names(description))));
        return {fmu, terminal, system.fmus[fmu].name + "/" + name};
    }

    /// All members, and nested terminals that both have. Returns how many pieces are connected.
    std::size_t connect(const Plug& a, const Plug& b) {
        std::size_t count = connect_members(a, b);
        std::map<std::string_view, const fmi::Terminal*> others;
        for (const fmi::Terminal& other : b.terminal->terminals)
            others.emplace(other.name, &other);
        for (const fmi::Terminal& inner : a.terminal->terminals)
            if (const auto other = others.find(inner.name); other != others.end())
                count += connect(a.inner(inner), b.inner(*other->second));
        return count;
    }

  private:
    using Shapes = std::map<std::string_view, std::vector<std::uint64_t>>; ///< of members
    using Named = std::map<std::string_view, const Piece*>;

    void check_rule(const Plug& plug) const {
        if (!plug.has_rule("plug") && !plug.has_rule("bus") && !plug.has_rule("sequence"))
            origin_.fail(
                fmt::format("'{}' has the matching rule '{}', which is not known here; connect its variables "
                            "one by one",
                            printable(plug.text), printable(plug.terminal->matching_rule)));
    }

    void check_names(const Plug& plug) const {
        std::set<std::string_view> names;
        for (const fmi::TerminalMember& member : plug.terminal->members)
            if (member.member.empty() || !names.insert(member.member).second)
                origin_.fail(member.member.empty()
                                 ? fmt::format("'{}' has a member without a name", printable(plug.text))
                                 : fmt::format("'{}' has two members '{}'", printable(plug.text),
                                               printable(member.member)));
    }

    /// `total` counts the values of a terminal: few enough to be listed.
    Selection selected(const Plug& plug, const fmi::TerminalMember& member, std::size_t& total) const {
        const CheckContext& context = origin_.context();
        Selection found = context.indices[plug.fmu]->find(member.variable, context.sizes[plug.fmu]);
        if (!found.problem.empty() || found.places.empty())
            origin_.fail(fmt::format("'{}', member '{}': {}", printable(plug.text), printable(member.member),
                                     found.problem.empty() ? "it has no values" : found.problem));
        total += found.places.size();
        if (total > element_limit)
            origin_.fail(
                fmt::format("'{}' has too many values (limit {})", printable(plug.text), element_limit));
        return found;
    }

    Shapes shapes(const Plug& plug) const {
        Shapes result;
        std::size_t total = 0;
        for (const fmi::TerminalMember& member : plug.terminal->members)
            result.emplace(member.member, selected(plug, member, total).shape);
        return result;
    }

    /// `others`: shapes of the members of the other side.
    std::vector<Piece> pieces(const Plug& plug, const Shapes& others) const {
        const VariableIndex& index = *origin_.context().indices[plug.fmu];
        const bool ordered = plug.has_rule("sequence");
        std::vector<Piece> result;
        std::size_t total = 0;
        for (const fmi::TerminalMember& member : plug.terminal->members) {
            const Selection found = selected(plug, member, total);
            const Causality causality = index.variable(found.places.front().variable).causality;
            const auto alike = others.find(member.member);
            if (!ordered && alike != others.end()) {
                if (alike->second != found.shape)
                    origin_.fail(fmt::format("member '{}' is {} on one side and {} on the other",
                                             printable(member.member), shape_words(found.shape),
                                             shape_words(alike->second)));
                result.push_back({member.member, member.kind, {plug.fmu, found.places}, causality});
                continue;
            }
            for (std::size_t i = 0; i < found.places.size(); ++i)
                result.push_back({ordered ? std::to_string(result.size() + 1)
                                          : member.member + element_text(i, found.shape),
                                  member.kind,
                                  {plug.fmu, {found.places[i]}},
                                  causality});
        }
        return result;
    }

    static std::string shape_words(const std::vector<std::uint64_t>& shape) {
        return shape.empty() ? "a scalar" : shape_text(shape);
    }

    std::size_t connect_members(const Plug& a, const Plug& b) {
        check_rule(a);
        check_rule(b);
        const auto way = [](const Plug& plug) { return plug.has_rule("sequence") ? "order" : "name"; };
        if (a.has_rule("sequence") != b.has_rule("sequence"))
            origin_.fail(fmt::format("members of '{}' are matched by {}, those of '{}' by {}",
                                     printable(a.text), way(a), printable(b.text), way(b)));
        if (!a.has_rule("sequence")) {
            check_names(a);
            check_names(b);
        }
        const std::vector<Piece> left = pieces(a, shapes(b)), right = pieces(b, shapes(a));
        const Named named_left = named(left), named_right = named(right);
        require_all(a, left, b, named_right);
        require_all(b, right, a, named_left);
        std::size_t count = 0;
        for (const Piece& piece : left)
            if (const auto match = named_right.find(piece.name); match != named_right.end())
                count += connect_pieces(a, piece, b, *match->second) ? 1 : 0;
        return count;
    }

    static Named named(const std::vector<Piece>& pieces) {
        Named result;
        for (const Piece& piece : pieces)
            result.emplace(piece.name, &piece);
        return result;
    }

    /// A plug wants all its members on the other side, a sequence as many.
    void require_all(const Plug& plug, const std::vector<Piece>& own, const Plug& other,
                     const Named& others) const {
        if (plug.has_rule("bus"))
            return;
        for (const Piece& piece : own)
            if (!others.contains(piece.name))
                origin_.fail(plug.has_rule("sequence")
                                 ? fmt::format("'{}' has {} values, but '{}' has {}", printable(plug.text),
                                               own.size(), printable(other.text), others.size())
                                 : fmt::format("'{}' has the member '{}', but '{}' has not",
                                               printable(plug.text), printable(piece.name),
                                               printable(other.text)));
    }

    /// False where there is nothing to pass on: parameters, and in a bus two outputs or two inputs.
    bool connect_pieces(const Plug& a, const Piece& left, const Plug& b, const Piece& right) {
        if (is_parameter(left.causality) || is_parameter(right.causality))
            return false;
        const bool forth = left.causality == Causality::output && right.causality == Causality::input;
        const bool back = left.causality == Causality::input && right.causality == Causality::output;
        if (!forth && !back) {
            if (a.has_rule("bus") && b.has_rule("bus"))
                return false;
            origin_.fail(
                fmt::format("member '{}' is {} in '{}' and {} in '{}', so that nothing can be passed on{}",
                            printable(left.name), fmi::word(left.causality), printable(a.text),
                            fmi::word(right.causality), printable(b.text),
                            port_kind(*a.terminal) && left.causality == Causality::output
                                ? "; a [[joint]] glues such ports"
                                : ""));
        }
        origin_.connect(forth ? left.values : right.values, forth ? right.values : left.values,
                        sign(a, left, b, right), convert_units_);
        return true;
    }

    /// Flows sum to zero, so that what flows into one side flows out of the other.
    double sign(const Plug& a, const Piece& left, const Plug& b, const Piece& right) const {
        if (is_flow(left.kind) && is_flow(right.kind))
            return (left.kind == "outflow") != (right.kind == "outflow") ? 1 : -1;
        if (left.kind != "signal" || right.kind != "signal")
            origin_.fail(
                fmt::format("member '{}' is of kind '{}' in '{}' and '{}' in '{}'; signals meet signals, and "
                            "inflow, outflow and {} one another",
                            printable(left.name), printable(left.kind), printable(a.text),
                            printable(right.kind), printable(b.text), effort_kind));
        return 1;
    }

    Origin& origin_;
    bool convert_units_;
};

void connect_whole(const CheckContext& context, const Connection& connection,
                   std::vector<Connection>& result) {
    const System& system = context.system;
    const Endpoint &from = connection.from, &to = connection.to;
    Origin origin(context, connection,
                  fmt::format("connection from '{}/{}' to '{}/{}'", printable(system.fmus[from.fmu].name),
                              printable(from.variable), printable(system.fmus[to.fmu].name),
                              printable(to.variable)),
                  result);
    Matching matching(origin, connection.convert_units);
    if (matching.connect(matching.find(from.fmu, from.variable), matching.find(to.fmu, to.variable)) == 0)
        origin.fail("they have no member in common that one gives and the other takes");
}

// ---- joints that need no glue ----

/// A side of a joint as a port; nothing where it is the world, or what the check of the joints refuses.
std::optional<PortCheck> port_of(const CheckContext& context, const Side& side) {
    if (!side.fmu)
        return {};
    const VariableIndex& index = *context.indices[*side.fmu];
    const fmi::Terminal* terminal = find_terminal(index.description(), side.terminal);
    if (!terminal)
        return {};
    PortCheck port = check_port(index, context.sizes[*side.fmu], *terminal);
    return port.problem.empty() ? std::optional(std::move(port)) : std::nullopt;
}

bool is_spring(const std::optional<PortCheck>& port) { return port && port->profile == PortProfile::spring; }

/// Motion to the spring, what it gives back with the other sign. True where the joint was such a one.
bool connect_joint(const CheckContext& context, const GlueJoint& joint, std::vector<Connection>& result,
                   std::vector<std::string>& remarks) {
    const std::optional<PortCheck> a = port_of(context, joint.a), b = port_of(context, joint.b);
    if (!is_spring(a) && !is_spring(b))
        return false;
    const bool complete = a && b && a->kind == b->kind;
    if (joint.a.fmu && joint.b.fmu && !complete)
        return false; // refused with the reason by the check of the joints
    Origin origin(context, joint, "joint '" + printable(joint.name) + "'", result);
    const Side &spring_side = is_spring(a) ? joint.a : joint.b, &mass_side = is_spring(a) ? joint.b : joint.a;
    const std::string text =
        "'" + printable(side_text(context.system, spring_side)) + "' takes motion and gives efforts";
    if (!complete)
        origin.fail(text + ": set its inputs where it is held, instead of a joint to the world");
    if (is_spring(a) && is_spring(b))
        origin.fail("both sides take motion and give efforts; something with mass must be between them");
    if (!is_rigid_type(joint.type) || !joint.numbers.empty() ||
        (!joint.method.empty() && joint.method != "auto"))
        origin.fail(text + ": it is connected as it is, by a joint of type 'fixed' without more");
    if (a->own_axes != b->own_axes)
        origin.fail(
            "one side has its efforts in its own axes (a frame of Modelica), the other in those of the "
            "world; nothing turns them on the way");
    const PortCheck &spring = is_spring(a) ? *a : *b, &mass = is_spring(a) ? *b : *a;
    for (std::size_t i = 0; i < mass.motion.size(); ++i)
        if (!spring.motion[i].empty())
            origin.connect({*mass_side.fmu, mass.motion[i]}, {*spring_side.fmu, spring.motion[i]}, 1, true);
    origin.connect({*spring_side.fmu, spring.efforts}, {*mass_side.fmu, mass.efforts}, -1, true);
    remarks.push_back(fmt::format("joint '{}': {}, so that signals connect it and nothing is glued",
                                  printable(joint.name), text));
    return true;
}

} // namespace

void connect_terminals(const CheckContext& context, System& system, std::vector<std::string>& remarks) {
    std::vector<Connection> connections;
    for (const Connection& connection : system.connections)
        if (connection.of_terminals)
            connect_whole(context, connection, connections);
        else
            connections.push_back(connection);
    std::vector<GlueJoint> joints;
    for (const GlueJoint& joint : system.joints)
        if (!connect_joint(context, joint, connections, remarks))
            joints.push_back(joint);
    system.connections = std::move(connections);
    system.joints = std::move(joints);
}

} // namespace tenon::system
