#include "tools/glue/coupler_fmu.hpp"

#include "modelDescription/writer.hpp"
#include "tools/platforms/platforms.hpp"

#include <fmt/format.h>

namespace tenon::glue {
namespace {

constexpr const char* identifier = "tenon_coupler";

std::vector<fmi::Unit> units() {
    return {
        {"N", fmi::BaseUnit{{1, 1, -2}, 1, 0}, {}},
        {"N.m", fmi::BaseUnit{{1, 2, -2}, 1, 0}, {}},
        {"m", fmi::BaseUnit{{0, 1}, 1, 0}, {}},
        {"m/s", fmi::BaseUnit{{0, 1, -1}, 1, 0}, {}},
        {"rad", fmi::BaseUnit{{0, 0, 0, 0, 0, 0, 0, 1}, 1, 0}, {}},
        {"rad/s", fmi::BaseUnit{{0, 0, -1, 0, 0, 0, 0, 1}, 1, 0}, {}},
    };
}

fmi::Variable described(const CouplerVariable& variable, std::size_t reference) {
    fmi::Variable v;
    v.name = variable.name;
    v.reference = static_cast<std::uint32_t>(reference);
    v.unit = variable.unit;
    v.description = variable.description;
    switch (variable.role) {
    case CouplerVariable::Role::parameter:
        v.causality = fmi::Causality::parameter;
        v.variability = fmi::Variability::tunable;
        v.initial = fmi::Initial::exact;
        break;
    case CouplerVariable::Role::motion:
        v.causality = fmi::Causality::input;
        break;
    case CouplerVariable::Role::effort:
        v.causality = fmi::Causality::output;
        v.initial = fmi::Initial::calculated;
        return v;
    }
    v.start = std::vector<double>{variable.start};
    return v;
}

fmi::Terminal terminal(const CouplerData& data, const std::vector<CouplerVariable>& variables, int side) {
    constexpr const char* kinds[] = {"frame3d", "flangeRot", "flangeTrans"};
    const bool is_frame = data.kind == PortKind::frame;
    fmi::Terminal result;
    result.name = side == 0 ? "a" : "b";
    result.matching_rule = "plug";
    result.kind = std::string("dev.tenon.joint.") + kinds[static_cast<std::size_t>(data.kind)];
    result.description = "takes the motion of a port and gives its force";
    for (const CouplerVariable& variable : variables)
        if (variable.role != CouplerVariable::Role::parameter && variable.side == side)
            result.members.push_back({variable.name, std::string(variable.member),
                                      variable.role == CouplerVariable::Role::motion ? "signal"
                                      : is_frame ? "dev.tenon.joint.effort"
                                                 : "inflow"});
    return result;
}

fmi::Description describe(const CouplerData& data) {
    fmi::Description d;
    d.version = fmi::Version::fmi2;
    d.model_name = data.joint.name + "_coupler";
    d.token = data.token;
    d.description = fmt::format("Springs and dampers in the place of the {} joint '{}'", data.joint.type,
                                data.joint.name);
    d.generation_tool = "tenon " TENON_VERSION;
    d.has_co_simulation = true;
    d.capabilities.model_identifier = identifier;
    d.capabilities.variable_step = true;
    d.capabilities.get_and_set_state = true;
    d.capabilities.serialize_state = true;
    d.units = units();
    const std::vector<CouplerVariable> variables = coupler_variables(data);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        d.variables.push_back(described(variables[i], i));
        if (variables[i].role == CouplerVariable::Role::effort) {
            d.outputs.push_back({i, {}, {}});
            d.initial_unknowns.push_back({i, {}, {}});
        }
    }
    if (!data.joint.world_a)
        d.terminals.push_back(terminal(data, variables, 0));
    if (!data.joint.world_b)
        d.terminals.push_back(terminal(data, variables, 1));
    return d;
}

} // namespace

// FNV-1a over the text: the same joint has the same token.
std::string coupler_token(const CouplerData& data) {
    CouplerData plain = data;
    plain.token.clear();
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : data.joint.name + "\n" + to_text(plain))
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return fmt::format("{{tenon-coupler-{:016x}}}", hash);
}

std::vector<ArchiveContent> coupler_content(const CouplerData& data) {
    const fmi::Description description = describe(data);
    std::vector<ArchiveContent> content{{"modelDescription.xml", fmi::write_description(description)}};
    for (const Platform platform : built_platforms())
        content.push_back(library_content(FmuLibrary::coupler, platform, identifier));
    content.push_back({"resources/" + std::string(coupler_file), to_text(data)});
    content.push_back({"terminalsAndIcons/terminalsAndIcons.xml", fmi::write_terminals(description)});
    return content;
}

} // namespace tenon::glue
