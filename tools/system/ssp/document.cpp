#include "tools/system/ssp/document.hpp"
#include "tools/files/temporary_folder.hpp"

#include "tools/system/ssp/reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tenon::system {
namespace {

namespace fs = std::filesystem;

constexpr const char* fmu_type = "application/x-fmu-sharedlibrary";
constexpr const char* definition_type = "application/x-ssp-definition";
constexpr const char* package_type = "application/x-ssp-package";
constexpr const char* parameter_set_type = "application/x-ssp-parameter-set";
constexpr const char* mapping_type = "application/x-ssp-parameter-mapping";
constexpr const char* main_file = "SystemStructure.ssd";

/// The systems below that have an id.
void collect_ids(const Element& parent, std::map<std::string, Element>& ids) {
    parent.each([&](const Element& element) {
        if (local_name(element) == "System" && element.has("id"))
            ids.emplace(element.text("id"), element);
        collect_ids(element, ids);
    });
}

/// "1 2" as "[1,2]".
std::string read_indices(const Element& element, const char* key) {
    std::string_view list = element.view(key);
    std::string result;
    for (std::string_view word = fmi::next_word(list); !word.empty(); word = fmi::next_word(list)) {
        if (element.number<std::uint64_t>(key, word) < 1)
            element.refuse(fmt::format("{} begin at 1", key));
        result += (result.empty() ? "[" : ",") + std::to_string(element.number<std::uint64_t>(key, word));
    }
    return result.empty() ? result : result + "]";
}

/// Holds a name in the chain while its content is read.
class Including {
  public:
    Including(std::vector<std::string>& chain, const Element& element, std::string name) : chain_(chain) {
        if (std::find(chain.begin(), chain.end(), name) != chain.end()) {
            std::string way;
            for (const std::string& step : chain)
                way += step + " > ";
            element.refuse(fmt::format("the system includes itself: {}{}", way, name));
        }
        chain.push_back(std::move(name));
        if (chain.size() > static_cast<std::size_t>(ssp_depth_limit))
            element.refuse(fmt::format("systems are nested too deep (limit {})", ssp_depth_limit));
    }
    ~Including() { chain_.pop_back(); }
    Including(const Including&) = delete;
    Including& operator=(const Including&) = delete;

  private:
    std::vector<std::string>& chain_;
};

} // namespace

std::size_t SspTreeReader::add_source(const std::string& name) {
    const auto known = std::find(system_.sources.begin(), system_.sources.end(), name);
    if (known != system_.sources.end())
        return static_cast<std::size_t>(known - system_.sources.begin());
    system_.sources.push_back(name);
    return system_.sources.size() - 1;
}

bool SspTreeReader::is_coupler(const std::string& name) const {
    return chain_.size() == 1 && couplers.contains(name);
}

const SspPackage& SspTreeReader::unpacked(const fs::path& file, const std::string& name) {
    if (const auto known = packages_.find(file); known != packages_.end())
        return known->second;
    const Archive archive(file);
    const std::uint64_t limit = ArchiveLimits().total;
    for (const ArchiveEntry& entry : archive.entries())
        unpacked_bytes_ += entry.size;
    if (unpacked_bytes_ > limit)
        throw bad_input(name, 0,
                        fmt::format("the packages in the package are too large together ({} bytes, limit {})",
                                    unpacked_bytes_, limit));
    if (!system_.unpacked)
        system_.unpacked = std::make_shared<const TemporaryFolder>();
    const fs::path folder = system_.unpacked->path() / fmt::format("package{}", packages_.size());
    fs::create_directory(folder);
    archive.unpack(folder);
    return packages_.emplace(file, SspPackage(folder, name)).first->second;
}

SspFile SspTreeReader::opened(const SspPackage& package, const fs::path& inside,
                              const SspDocument& document) {
    const Element root = document.root();
    const std::string_view version = root.view("version");
    if (!version.starts_with("1.") && !version.starts_with("2."))
        root.refuse(fmt::format("version {} is not read; 1.0 and 2.0 are", fmi::quoted(version)));
    SspFile file{package, inside, add_source(document.name()), read_units(root), root, {}};
    collect_ids(root, file.systems);
    return file;
}

SspElement SspTreeReader::read_root(const SspFile& file) {
    const std::optional<Element> system = child(file.root, "System");
    if (!system)
        file.root.refuse("it has no System");
    const Including including(chain_, *system, file.package.shown(file.inside));
    return read_system(file, *system);
}

SspElement SspTreeReader::read_system(const SspFile& file, const Element& element) {
    SspElement system;
    system.kind = SspElement::Kind::system;
    read_common(file, element, system);
    if (const std::optional<Element> list = child(element, "SignalDictionaries"))
        each_child(*list, "SignalDictionary", [&](const Element& entry) {
            system.dictionaries.push_back(required_text(entry, "name"));
        });
    read_elements(file, element, system);
    read_connections(file, element, system);
    return system;
}

void SspTreeReader::read_common(const SspFile& file, const Element& element, SspElement& result) {
    if (++elements_ > ssp_element_limit)
        element.refuse(fmt::format("the package has too many elements (limit {})", ssp_element_limit));
    result.name = required_text(element, "name");
    result.line = element.line();
    result.source = file.source;
    const std::optional<Element> list = child(element, "Connectors");
    if (!list)
        return;
    each_child(*list, "Connector", [&](const Element& entry) {
        SspConnector connector{entry.text("kind"), {}, entry.line()};
        entry.each([&](const Element& type) {
            const std::string unit = type.text("unit");
            const auto known = file.units.find(unit);
            if (!unit.empty())
                connector.unit = fmi::Unit{
                    unit, known == file.units.end() ? std::nullopt : std::optional(known->second), {}};
        });
        if (!result.connectors.emplace(required_text(entry, "name"), connector).second)
            entry.refuse("the element has two connectors of this name");
    });
}

void SspTreeReader::read_elements(const SspFile& file, const Element& element, SspElement& system) {
    const std::optional<Element> list = child(element, "Elements");
    std::set<std::string> names;
    if (list)
        list->each([&](const Element& entry) {
            const std::string_view tag = local_name(entry);
            if (tag == "System") {
                // The level makes it unique: nested systems may have one name.
                const Including including(
                    chain_, entry, fmt::format("{} (level {})", required_text(entry, "name"), chain_.size()));
                system.elements.push_back(read_system(file, entry));
            } else if (tag == "Component") {
                if (is_coupler(entry.text("name")))
                    return;
                system.elements.push_back(read_component(file, entry));
            } else if (tag == "SignalDictionaryReference") {
                SspElement reference;
                reference.kind = SspElement::Kind::dictionary;
                read_common(file, entry, reference);
                reference.dictionary = required_text(entry, "dictionary");
                system.elements.push_back(std::move(reference));
            } else {
                return;
            }
            if (!names.insert(system.elements.back().name).second)
                entry.refuse("the system has two elements of this name");
        });
    read_bindings(file, element, {}, system.parameters);
}

SspEnd SspTreeReader::read_end(const Element& connection, const char* element, const char* connector,
                               const char* indices) const {
    return {connection.text(element), required_text(connection, connector),
            read_indices(connection, indices)};
}

void SspTreeReader::read_connections(const SspFile& file, const Element& element, SspElement& system) const {
    const std::optional<Element> list = child(element, "Connections");
    if (!list)
        return;
    each_child(*list, "Connection", [&](const Element& entry) {
        SspConnection connection;
        connection.start = read_end(entry, "startElement", "startConnector", "startIndices");
        connection.end = read_end(entry, "endElement", "endConnector", "endIndices");
        if (is_coupler(connection.start.element) || is_coupler(connection.end.element))
            return;
        connection.transformation = read_transformation(entry);
        connection.convert_units = !entry.flag("suppressUnitConversion");
        connection.line = entry.line();
        connection.source = file.source;
        system.connections.push_back(std::move(connection));
    });
}

SspElement SspTreeReader::read_component(const SspFile& file, const Element& element) {
    if (!element.has("source"))
        element.refuse("it has no source: there is nothing to run");
    const SspSource source = parse_source(element, element.text("source"));
    const std::string type = element.has("type") ? element.text("type") : fmu_type;
    const std::string ending = source.path.extension().string();
    if (source.path.empty() || type == definition_type || type == package_type || ending == ".ssd" ||
        ending == ".ssp")
        return read_included(file, element, source);
    if (type != fmu_type)
        element.refuse(fmt::format("components of type {} cannot be run; FMUs can", fmi::quoted(type)));
    const std::string_view kind = element.view("implementation");
    if (!kind.empty() && kind != "any" && kind != "CoSimulation")
        element.refuse(fmt::format("implementation {} is wanted, but this master runs Co-Simulation",
                                   fmi::quoted(kind)));
    SspElement component;
    read_common(file, element, component);
    component.fmu = file.package.find(element, file.inside, source.path);
    read_bindings(file, element, component.fmu, component.parameters);
    return component;
}

SspElement SspTreeReader::read_included(const SspFile& file, const Element& element,
                                        const SspSource& source) {
    SspElement included;
    SspElement outer; // what the component itself says
    read_common(file, element, outer);
    if (source.path.empty()) {
        const auto system = file.systems.find(source.fragment);
        if (system == file.systems.end())
            element.refuse(fmt::format("there is no system with the id {}", fmi::quoted(source.fragment)));
        const Including including(chain_, element, file.package.shown(file.inside) + "#" + source.fragment);
        included = read_system(file, system->second);
    } else {
        const fs::path found = file.package.find(element, file.inside, source.path);
        const bool is_package = source.path.extension() == ".ssp" || element.view("type") == package_type;
        const auto nothing = [](const SspFile&) {};
        if (is_package) {
            const SspPackage& package = unpacked(found, file.package.shown(file.package.inside(found)));
            const SspSource variant =
                parse_source(element, source.fragment.empty() ? main_file : source.fragment);
            included = read(package, package.inside(package.find(element, {}, variant.path)), nothing);
        } else {
            included = read(file.package, file.package.inside(found), nothing);
        }
    }
    included.name = outer.name;
    read_bindings(file, element, {}, included.parameters);
    return included;
}

void SspTreeReader::read_bindings(const SspFile& file, const Element& element, const fs::path& component,
                                  std::vector<Setting>& settings) {
    if (const std::optional<Element> list = child(element, "ParameterBindings"))
        each_child(*list, "ParameterBinding", [&](const Element& binding) {
            for (Setting& setting : read_binding(file, binding, component))
                settings.push_back(std::move(setting));
        });
}

std::pair<std::string, std::size_t> SspTreeReader::read_source(const SspFile& file, const Element& element,
                                                               const fs::path& component) {
    const SspSource source = parse_source(element, element.text("source"));
    if (element.view("sourceBase") == "component" && !component.empty()) {
        const std::string name =
            file.package.shown(file.package.inside(component)) + "/" + source.path.generic_string();
        return {Archive(component).read(source.path.generic_string()), add_source(name)};
    }
    const fs::path inside = file.package.inside(file.package.find(element, file.inside, source.path));
    return {file.package.read(inside), add_source(file.package.shown(inside))};
}

std::vector<Setting> SspTreeReader::read_binding(const SspFile& file, const Element& binding,
                                                 const fs::path& component) {
    const std::string type = binding.has("type") ? binding.text("type") : parameter_set_type;
    if (type != parameter_set_type) {
        system_.remarks.push_back(fmt::format("parameters of type {} are not read", fmi::quoted(type)));
        return {};
    }
    std::vector<Setting> settings;
    if (binding.has("source")) {
        const auto [text, source] = read_source(file, binding, component);
        const SspDocument document(text, "ParameterSet", system_.sources[source]);
        settings = in_document(document.name(),
                               [&, index = source] { return read_parameter_set(document.root(), index); });
    } else if (const std::optional<Element> values = child(binding, "ParameterValues")) {
        if (const std::optional<Element> set = child(*values, "ParameterSet"))
            settings = read_parameter_set(*set, file.source);
    }
    for (Setting& setting : settings)
        setting.variable.insert(0, binding.text("prefix"));
    const std::optional<Element> mapping = child(binding, "ParameterMapping");
    if (!mapping)
        return settings;
    if (mapping->has("type") && mapping->view("type") != mapping_type)
        mapping->refuse(fmt::format("mappings of type {} are not read", fmi::quoted(mapping->view("type"))));
    if (mapping->has("source")) {
        const auto [text, source] = read_source(file, *mapping, component);
        const SspDocument document(text, "ParameterMapping", system_.sources[source]);
        return in_document(document.name(), [&] { return map_parameters(document.root(), settings); });
    }
    const std::optional<Element> inner = child(*mapping, "ParameterMapping");
    return inner ? map_parameters(*inner, settings) : settings;
}

} // namespace tenon::system
