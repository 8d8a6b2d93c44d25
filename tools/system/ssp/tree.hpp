#pragma once
// An SSP as it is written: systems in systems, their connectors, connections and parameters. Plain data.

#include "tools/system/system.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tenon::system {

struct SspConnector {
    std::string kind; ///< input, output, parameter, ...
    std::optional<fmi::Unit> unit;
    int line = 0;
};

struct SspTransformation {
    double factor = 1, offset = 0;
    std::vector<MapEntry> map;
};

/// One end of a connection: a connector of an element of the system, or of the system itself (`element` empty).
struct SspEnd {
    std::string element, connector;
    std::string indices; ///< "[1,2]"; empty: the whole connector
};

struct SspConnection {
    SspEnd start, end;
    SspTransformation transformation;
    bool convert_units = true;
    int line = 0;
    std::size_t source = 0;
};

struct SspElement {
    enum class Kind { component, system, dictionary };

    Kind kind = Kind::component;
    std::string name;
    int line = 0;
    std::size_t source = 0;
    std::map<std::string, SspConnector> connectors;
    std::vector<Setting> parameters; ///< of all bindings, mapped, in their order: later ones win

    std::filesystem::path fmu; ///< of a component

    std::vector<SspElement> elements; ///< of a system, as the next two
    std::vector<SspConnection> connections;
    std::vector<std::string> dictionaries; ///< names that are defined here

    std::string dictionary; ///< of a reference to one
};

} // namespace tenon::system
