#include "tools/system/ssp/writer.hpp"

#include "modelDescription/identifier.hpp"
#include "modelDescription/words.hpp"
#include "tools/archive/archive.hpp"
#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/system/ssp/coupler.hpp"
#include "tools/system/ssp/glue.hpp"
#include "tools/system/system_graph.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <tuple>

namespace tenon::system {
namespace {

/// An entry of a zip archive has at most 4 GiB.
constexpr std::size_t largest_fmu = 0xffffffffu;
/// Boxes on the canvas of editors, in millimetres.
constexpr double box_width = 40, box_height = 20, column_width = 70, row_height = 30;

/// `stem` as a name in resources/ that needs no percent codes, is legal everywhere and not taken yet.
std::string resource_name(const std::string& stem, const std::string& ending, std::set<std::string>& taken) {
    std::string plain;
    for (const char c : stem.substr(0, 100))
        plain +=
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.'
                ? c
                : '_';
    if (plain.empty() || plain[0] == '.' || !name_fault(plain + ending).empty())
        plain.insert(0, "_");
    std::string name = "resources/" + plain + ending;
    for (int number = 2; !taken.insert(folded_name(name)).second; ++number)
        name = fmt::format("resources/{}_{}{}", plain, number, ending);
    return name;
}

/// The name of the system: OMSimulator takes letters, digits and underscores, and ends with a crash at others.
std::string identifier(const std::string& name) {
    std::string result;
    for (const char c : name)
        result += fmi::is_letter(c) || fmi::is_digit(c) ? c : '_';
    return result.empty() || fmi::is_digit(result.front()) ? "_" + result : result;
}

/// A connector of a component, in the order of its first use.
struct Connector {
    std::string name;
    ScalarPlace place;
};

class SspWriter {
  public:
    SspWriter(const CheckedSystem& checked, const std::vector<SspCoupler>& couplers)
        : checked_(checked), system_(checked.system), couplers_(couplers) {
        std::map<const fmi::Fmu*, std::shared_ptr<const VariableIndex>> known;
        for (std::size_t i = 0; i < checked.fmus.size(); ++i) {
            std::shared_ptr<const VariableIndex>& index = known[checked.fmus[i].get()];
            if (!index)
                index = std::make_shared<const VariableIndex>(checked.fmus[i]->description());
            indices_.push_back(index);
            sizes_.push_back(set_sizes(index->description(), checked.assignments[i]));
        }
        connectors_.resize(checked.fmus.size());
        for (const CheckedSystem::Wire& wire : checked.wires) {
            use(wire.from_fmu, {wire.from_variable, wire.from_element});
            use(wire.to_fmu, {wire.to_variable, wire.to_element});
        }
        for (const Exposed& exposed : system_.exposed)
            for (const ScalarPlace& place : places(exposed.endpoint))
                use(exposed.endpoint.fmu, place);
        for (const SspCoupler& coupler : couplers_)
            for (const SspCoupler::Wire& wire : coupler.wires)
                use(wire.fmu, wire.place);
        name_couplers();
    }

    std::vector<ArchiveContent> write() {
        std::vector<ArchiveContent> resources;
        add_resources(resources);
        std::vector<ArchiveContent> entries = {{"SystemStructure.ssd", structure()}};
        entries.insert(entries.end(), std::make_move_iterator(resources.begin()),
                       std::make_move_iterator(resources.end()));
        return entries;
    }

  private:
    std::vector<ScalarPlace> places(const Endpoint& end) const {
        return indices_[end.fmu]->find(end.variable, sizes_[end.fmu], end.element).places;
    }

    std::string name(std::size_t fmu, const ScalarPlace& place) const {
        return indices_[fmu]->name(place, sizes_[fmu]);
    }

    void use(std::size_t fmu, const ScalarPlace& place) {
        if (used_.emplace(fmu, place.variable, place.element).second)
            connectors_[fmu].push_back({name(fmu, place), place});
    }

    void name_couplers() {
        std::set<std::string> taken;
        for (const SystemFmu& fmu : system_.fmus)
            taken.insert(fmu.name);
        coupler_names_.resize(system_.joints.size());
        for (std::size_t i = 0; i < couplers_.size(); ++i) {
            if (couplers_[i].fmu.empty())
                continue;
            std::string& name = coupler_names_[i] = system_.joints[i].name + "_coupler";
            while (!taken.insert(name).second)
                name += "_";
        }
    }

    /// Each FMU's file once, and a parameter set for each that has settings.
    void add_resources(std::vector<ArchiveContent>& resources) {
        std::set<std::string> taken;
        std::map<const fmi::Fmu*, std::string> files;
        for (std::size_t i = 0; i < checked_.fmus.size(); ++i) {
            const fmi::Fmu* fmu = checked_.fmus[i].get();
            std::string& file = files[fmu];
            if (file.empty()) {
                file = resource_name(fmu->file().stem().string(), ".fmu", taken);
                resources.push_back({file, read_text_file(fmu->file(), largest_fmu)});
            }
            fmu_sources_.push_back(file);
        }
        for (std::size_t i = 0; i < checked_.fmus.size(); ++i) {
            parameter_sources_.emplace_back();
            if (checked_.assignments[i].empty())
                continue;
            parameter_sources_.back() = resource_name(system_.fmus[i].name, ".ssv", taken);
            resources.push_back(
                {parameter_sources_.back(),
                 parameter_set(system_.fmus[i].name, *indices_[i], sizes_[i], checked_.assignments[i])});
        }
        coupler_sources_.resize(couplers_.size());
        for (std::size_t i = 0; i < couplers_.size(); ++i)
            if (!couplers_[i].fmu.empty()) {
                coupler_sources_[i] = resource_name(coupler_names_[i], ".fmu", taken);
                resources.push_back({coupler_sources_[i], couplers_[i].fmu});
            }
    }

    std::string structure() {
        xml_.open("ssd:SystemStructureDescription");
        for (const char* part :
             {"ssc:Common", "ssd:Description", "ssv:ParameterValues", "ssm:ParameterMapping"})
            xml_.attribute(fmt::format("xmlns:{:.3}", part),
                           fmt::format("http://ssp-standard.org/SSP1/SystemStructure{}", part + 4));
        declare_namespaces(xml_);
        xml_.attribute("version", "1.0");
        xml_.attribute("name", identifier(system_.name));
        xml_.attribute("generationTool", "tenon " TENON_VERSION);
        write_system();
        definitions_.write(xml_, "ssd:Enumerations", "ssd:Units");
        write_experiment();
        xml_.close();
        return xml_.take();
    }

    void write_system() {
        xml_.open("ssd:System");
        xml_.attribute("name", identifier(system_.name));
        write_system_connectors();
        xml_.open("ssd:Elements");
        const SystemGraph graph = system_graph(system_);
        for (std::size_t i = 0; i < checked_.fmus.size(); ++i)
            write_component(i, graph.boxes[i]);
        for (std::size_t i = 0; i < couplers_.size(); ++i)
            if (!couplers_[i].fmu.empty())
                write_coupler(xml_, couplers_[i], coupler_names_[i], coupler_sources_[i],
                              checked_.fmus.size() + i);
        xml_.close();
        write_connections();
        xml_.open("ssd:Annotations");
        write_glue(xml_, system_, coupler_names_, couplers_);
        write_step_for_omsimulator(xml_, system_.master);
        xml_.close();
        xml_.close();
    }

    /// Elements of arrays are connectors of their own: x[1], x[2], ...
    static std::string exposed_name(const Exposed& exposed, std::size_t number, std::size_t count) {
        return count == 1 ? exposed.name : fmt::format("{}[{}]", exposed.name, number + 1);
    }

    void write_system_connectors() {
        std::set<std::string> written;
        for (const Exposed& exposed : system_.exposed) {
            const std::vector<ScalarPlace> all = places(exposed.endpoint);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const std::string connector = exposed_name(exposed, i, all.size());
                if (written.empty())
                    xml_.open("ssd:Connectors");
                if (written.insert(connector).second)
                    write_connector(connector, exposed.endpoint.fmu, all[i]);
            }
        }
        if (!written.empty())
            xml_.close();
    }

    /// Kinds that SSP 1.0 has; a local variable that is read is an output.
    static std::string_view kind(fmi::Causality causality) {
        using enum fmi::Causality;
        if (causality == local || causality == independent)
            return "output";
        return fmi::word(causality == structural_parameter ? parameter : causality);
    }

    void write_connector(const std::string& connector, std::size_t fmu, const ScalarPlace& place) {
        const fmi::Variable& variable = indices_[fmu]->variable(place.variable);
        xml_.open("ssd:Connector");
        xml_.attribute("name", connector);
        xml_.attribute("kind", kind(variable.causality));
        write_type(fmu, place.variable, variable.type);
        xml_.close();
    }

    void write_type(std::size_t fmu, std::size_t variable, fmi::Type type) {
        std::string enumeration;
        if (type == fmi::Type::enumeration) {
            if (const fmi::TypeDefinition* items = indices_[fmu]->enumeration(variable))
                enumeration = definitions_.enumeration(*items);
            if (enumeration.empty())
                return;
        }
        xml_.open(fmi::is_float(type)              ? "ssc:Real"
                  : type == fmi::Type::enumeration ? "ssc:Enumeration"
                  : type == fmi::Type::boolean     ? "ssc:Boolean"
                  : type == fmi::Type::string      ? "ssc:String"
                  : type == fmi::Type::binary      ? "ssc:Binary"
                                                   : "ssc:Integer");
        xml_.optional("name", enumeration);
        if (fmi::is_float(type))
            xml_.optional("unit", definitions_.unit(indices_[fmu]->unit(variable)));
        xml_.close();
    }

    void write_component(std::size_t fmu, const GraphBox& box) {
        xml_.open("ssd:Component");
        xml_.attribute("name", system_.fmus[fmu].name);
        xml_.attribute("type", "application/x-fmu-sharedlibrary");
        xml_.attribute("source", fmu_sources_[fmu]);
        xml_.attribute("implementation", "CoSimulation");
        if (!connectors_[fmu].empty()) {
            xml_.open("ssd:Connectors");
            for (const Connector& connector : connectors_[fmu])
                write_connector(connector.name, fmu, connector.place);
            xml_.close();
        }
        const double left = column_width * static_cast<double>(box.column);
        const double bottom = -row_height * static_cast<double>(box.row + 1); // the y axis points up
        xml_.open("ssd:ElementGeometry");
        xml_.number("x1", left);
        xml_.number("y1", bottom);
        xml_.number("x2", left + box_width);
        xml_.number("y2", bottom + box_height);
        xml_.close();
        if (!parameter_sources_[fmu].empty()) {
            xml_.open("ssd:ParameterBindings");
            xml_.open("ssd:ParameterBinding");
            xml_.attribute("source", parameter_sources_[fmu]);
            xml_.close();
            xml_.close();
        }
        xml_.close();
    }

    void write_connections() {
        const bool has_coupler =
            std::ranges::any_of(couplers_, [](const SspCoupler& c) { return !c.wires.empty(); });
        if (checked_.wires.empty() && system_.exposed.empty() && !has_coupler)
            return;
        xml_.open("ssd:Connections");
        for (const CheckedSystem::Wire& wire : checked_.wires)
            write_wire(wire);
        for (const Exposed& exposed : system_.exposed) {
            const std::vector<ScalarPlace> all = places(exposed.endpoint);
            for (std::size_t i = 0; i < all.size(); ++i)
                write_exposed(exposed_name(exposed, i, all.size()), exposed.endpoint.fmu, all[i]);
        }
        for (std::size_t i = 0; i < couplers_.size(); ++i)
            for (const SspCoupler::Wire& wire : couplers_[i].wires)
                write_coupler_wire(xml_, wire, coupler_names_[i], system_.fmus[wire.fmu].name,
                                   name(wire.fmu, wire.place));
        xml_.close();
    }

    void write_wire(const CheckedSystem::Wire& wire) {
        const Connection& connection = system_.connections[wire.connection];
        // Units that only SSP connectors gave, and those on the way, are not written: their effect is.
        const bool resolved =
            !connection.passages.empty() ||
            (connection.from_unit && indices_[wire.from_fmu]->unit(wire.from_variable).name.empty()) ||
            (connection.to_unit && indices_[wire.to_fmu]->unit(wire.to_variable).name.empty());
        xml_.open("ssd:Connection");
        xml_.attribute("startElement", system_.fmus[wire.from_fmu].name);
        xml_.attribute("startConnector", name(wire.from_fmu, {wire.from_variable, wire.from_element}));
        xml_.attribute("endElement", system_.fmus[wire.to_fmu].name);
        xml_.attribute("endConnector", name(wire.to_fmu, {wire.to_variable, wire.to_element}));
        xml_.flag("suppressUnitConversion", resolved || !connection.convert_units);
        const double factor = resolved ? wire.factor : connection.factor;
        const double offset = resolved ? wire.offset : connection.offset;
        if (factor != 1 || offset != 0) {
            xml_.open("ssc:LinearTransformation");
            xml_.number("factor", factor);
            xml_.number("offset", offset);
            xml_.close();
        }
        write_map(connection, indices_[wire.to_fmu]->variable(wire.to_variable).type);
        xml_.close();
    }

    void write_map(const Connection& connection, fmi::Type type) {
        if (connection.map.empty())
            return;
        xml_.open(type == fmi::Type::boolean       ? "ssc:BooleanMappingTransformation"
                  : type == fmi::Type::enumeration ? "ssc:EnumerationMappingTransformation"
                                                   : "ssc:IntegerMappingTransformation");
        for (const MapEntry& entry : connection.map) {
            xml_.open("ssc:MapEntry");
            xml_.attribute("source", entry.source);
            xml_.attribute("target", entry.target);
            xml_.close();
        }
        xml_.close();
    }

    void write_exposed(const std::string& connector, std::size_t fmu, const ScalarPlace& place) {
        const bool is_input = indices_[fmu]->variable(place.variable).causality == fmi::Causality::input;
        xml_.open("ssd:Connection");
        if (!is_input)
            xml_.attribute("startElement", system_.fmus[fmu].name);
        xml_.attribute("startConnector", is_input ? connector : name(fmu, place));
        if (is_input)
            xml_.attribute("endElement", system_.fmus[fmu].name);
        xml_.attribute("endConnector", is_input ? name(fmu, place) : connector);
        xml_.close();
    }

    void write_experiment() {
        xml_.open("ssd:DefaultExperiment");
        xml_.number("startTime", system_.master.start);
        xml_.number("stopTime", system_.master.stop);
        xml_.open("ssd:Annotations");
        write_step_for_libcosim(xml_, system_.master);
        xml_.close();
        xml_.close();
    }

    const CheckedSystem& checked_;
    const System& system_;
    const std::vector<SspCoupler>& couplers_;                   ///< none, or one per joint
    std::vector<std::string> coupler_names_, coupler_sources_;  ///< empty where there is none
    std::vector<std::shared_ptr<const VariableIndex>> indices_; ///< one per FMU, as the next four
    std::vector<Sizes> sizes_;
    std::vector<std::vector<Connector>> connectors_;
    std::vector<std::string> fmu_sources_, parameter_sources_;
    std::set<std::tuple<std::size_t, std::size_t, std::size_t>> used_;
    SspDefinitions definitions_;
    fmi::XmlWriter xml_;
};

} // namespace

void save_ssp(const CheckedSystem& system, const std::filesystem::path& file,
              const std::vector<SspCoupler>& couplers) {
    std::vector<ArchiveContent> entries;
    try {
        entries = SspWriter(system, couplers).write();
    } catch (const std::invalid_argument& error) {
        throw OutputError(file.string(), error.what());
    }
    write_archive(file, entries);
}

void save_ssp(const CheckedSystem& system, const std::filesystem::path& file) { save_ssp(system, file, {}); }

} // namespace tenon::system
