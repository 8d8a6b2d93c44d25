#pragma once
// FMUs without a binary, for tests of what is read before one is loaded.

#include "modelDescription/writer.hpp"
#include "tools/archive/archive.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tenon::system {

class TestFmu {
  public:
    explicit TestFmu(fmi::Version version, const std::string& name = "part") {
        d_.version = version;
        d_.model_name = name;
        d_.token = "{" + name + "}";
        d_.has_co_simulation = true;
        d_.capabilities.model_identifier = name;
    }

    /// Exponents of kg m s A K mol cd rad.
    TestFmu& unit(const std::string& name, std::array<int, 8> exponents, double factor = 1,
                  double offset = 0) {
        d_.units.push_back({name, fmi::BaseUnit{exponents, factor, offset}, {}});
        return *this;
    }

    TestFmu& enumeration(const std::string& name, std::vector<fmi::EnumerationItem> items) {
        fmi::TypeDefinition type;
        type.name = name;
        type.type = fmi::Type::enumeration;
        type.items = std::move(items);
        d_.types.push_back(std::move(type));
        return *this;
    }

    TestFmu& output(const std::string& name, const std::string& unit = "",
                    fmi::Type type = fmi::Type::float64, std::vector<std::uint64_t> shape = {}) {
        fmi::Variable v = variable(name, unit, type, std::move(shape));
        v.causality = fmi::Causality::output;
        v.initial = fmi::Initial::calculated;
        d_.outputs.push_back({d_.variables.size(), {}, {}});
        d_.initial_unknowns.push_back({d_.variables.size(), {}, {}});
        return add(std::move(v));
    }

    TestFmu& input(const std::string& name, const std::string& unit = "", fmi::Type type = fmi::Type::float64,
                   std::vector<std::uint64_t> shape = {}) {
        fmi::Variable v = variable(name, unit, type, std::move(shape));
        v.causality = fmi::Causality::input;
        v.start = start(v);
        return add(std::move(v));
    }

    TestFmu& parameter(const std::string& name, const std::string& unit = "",
                       fmi::Type type = fmi::Type::float64, std::vector<std::uint64_t> shape = {}) {
        fmi::Variable v = variable(name, unit, type, std::move(shape));
        v.causality = fmi::Causality::parameter;
        v.variability = fmi::Variability::fixed;
        v.initial = fmi::Initial::exact;
        v.start = start(v);
        return add(std::move(v));
    }

    /// The last variable, to say more about it.
    fmi::Variable& last() { return d_.variables.back(); }
    fmi::Description& description() { return d_; }

    /// A frame that can be glued (docs/contract.md section 5), motion out and effort in.
    TestFmu& frame(const std::string& name) {
        fmi::Terminal terminal{name, "plug", "dev.tenon.joint.frame3d", "", {}, {}, "", {}};
        const auto member = [&](const std::string& m, const std::string& unit,
                                std::vector<std::uint64_t> shape, bool effort) {
            const std::string kind = effort ? "dev.tenon.joint.effort" : "signal";
            const auto one = [&](const std::string& index, std::vector<std::uint64_t> size) {
                const std::string full = name + "." + m + index;
                effort ? input(full, unit, fmi::Type::float64, size)
                       : output(full, unit, fmi::Type::float64, size);
                terminal.members.push_back({full, m + index, kind});
            };
            if (d_.version == fmi::Version::fmi3)
                return one("", shape);
            for (std::uint64_t i = 1; i <= shape[0]; ++i)
                for (std::uint64_t j = 1; j <= (shape.size() > 1 ? shape[1] : 1); ++j)
                    one("[" + std::to_string(i) + (shape.size() > 1 ? "," + std::to_string(j) : "") + "]",
                        {});
        };
        member("r_0", "m", {3}, false);
        member("R", "", {3, 3}, false);
        member("v_0", "m/s", {3}, false);
        member("w_0", "rad/s", {3}, false);
        member("f_0", "N", {3}, true);
        member("t_0", "N.m", {3}, true);
        d_.terminals.push_back(std::move(terminal));
        return *this;
    }

    TestFmu& mechanical_units() {
        return unit("m", {0, 1})
            .unit("m/s", {0, 1, -1})
            .unit("rad/s", {0, 0, -1, 0, 0, 0, 0, 1})
            .unit("N", {1, 1, -2})
            .unit("N.m", {1, 2, -2});
    }

    std::vector<ArchiveContent> content() const {
        std::vector<ArchiveContent> entries = {{"modelDescription.xml", fmi::write_description(d_)}};
        if (!d_.terminals.empty())
            entries.push_back({"terminalsAndIcons/terminalsAndIcons.xml", fmi::write_terminals(d_)});
        return entries;
    }

    void save(const std::filesystem::path& file) const { write_archive(file, content()); }

  private:
    fmi::Variable variable(const std::string& name, const std::string& unit, fmi::Type type,
                           std::vector<std::uint64_t> shape) const {
        fmi::Variable v;
        v.name = name;
        v.reference = static_cast<std::uint32_t>(d_.variables.size() + 1);
        v.type = type;
        v.unit = unit;
        const bool real = type == fmi::Type::float64 || type == fmi::Type::float32;
        v.variability = real ? fmi::Variability::continuous : fmi::Variability::discrete;
        if (type == fmi::Type::enumeration)
            v.declared_type = d_.types.back().name;
        for (const std::uint64_t size : shape)
            v.dimensions.push_back({size, {}});
        return v;
    }

    static fmi::Start start(const fmi::Variable& v) {
        switch (v.type) {
        case fmi::Type::float32:
        case fmi::Type::float64:
            return std::vector<double>(v.elements(), 0);
        case fmi::Type::uint8:
        case fmi::Type::uint16:
        case fmi::Type::uint32:
        case fmi::Type::uint64:
            return std::vector<std::uint64_t>(v.elements(), 1);
        case fmi::Type::string:
        case fmi::Type::binary:
            return std::vector<std::string>(v.elements());
        default:
            return std::vector<std::int64_t>(v.elements(), 1);
        }
    }

    TestFmu& add(fmi::Variable v) {
        d_.variables.push_back(std::move(v));
        return *this;
    }

    fmi::Description d_;
};

} // namespace tenon::system
