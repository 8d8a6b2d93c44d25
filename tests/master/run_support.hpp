#pragma once
// Systems of the foreign FMUs, made by a program, and what tests of the master need again and again.

#include "core/math/error.hpp"
#include "tools/master/master.hpp"
#include "tools/master/schemes/scheme_types.hpp"

#include "tests/import/slave_support.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tenon::master {

using namespace tenon::system;

/// The names of all stepping schemes: GENERATE(every_scheme()).
inline auto every_scheme() {
    std::vector<std::string> names;
    for (const SchemeType& type : scheme_types())
        names.emplace_back(type.name);
    return Catch::Generators::from_range(names);
}

/// A system in the making. Names are <fmu>.<variable>.
class SystemBuilder {
  public:
    explicit SystemBuilder(int version = 2) : version_(version) {}

    System system;

    SystemBuilder& fmu(const std::string& name, const std::filesystem::path& file,
                       std::vector<Setting> set = {}) {
        SystemFmu one;
        one.name = name;
        one.file = file;
        one.set = std::move(set);
        system.fmus.push_back(std::move(one));
        return *this;
    }
    /// One of tests/fmus in the builder's version.
    SystemBuilder& foreign(const std::string& name, const std::string& model, std::vector<Setting> set = {}) {
        return fmu(name, fmi::foreign_file(model, version_), std::move(set));
    }
    SystemBuilder& connect(const std::string& from, const std::string& to, double factor = 1,
                           double offset = 0) {
        Connection connection;
        connection.from = endpoint(from);
        connection.to = endpoint(to);
        connection.factor = factor;
        connection.offset = offset;
        connection.convert_units = false;
        system.connections.push_back(std::move(connection));
        return *this;
    }
    SystemBuilder& method(const std::string& name, double step, double stop) {
        system.master.method = name;
        system.master.step = step;
        system.master.stop = stop;
        return *this;
    }
    CheckedSystem check() const { return check_system(system); }

  private:
    Endpoint endpoint(const std::string& name) const {
        const std::size_t dot = name.find('.');
        for (std::size_t i = 0; i < system.fmus.size(); ++i)
            if (system.fmus[i].name == name.substr(0, dot))
                return {i, name.substr(dot + 1), {}};
        throw std::runtime_error("no fmu of " + name);
    }

    int version_;
};

inline Setting setting(const std::string& variable, SettingValue value) {
    Setting result;
    result.variable = variable;
    result.value = std::move(value);
    return result;
}

/// A run that keeps its rows.
struct Run {
    Master master;
    std::vector<double> times;
    std::vector<std::vector<double>> rows;
    std::string failure; ///< what was thrown
    bool ended = false;  ///< an FMU wanted so

    explicit Run(const CheckedSystem& system, const MasterOptions& options = {}) : master(system, options) {}

    void row() {
        std::vector<double> values(master.columns().size());
        master.read(values); // throws where a value is not a number: then there is no row
        times.push_back(master.time());
        rows.push_back(std::move(values));
    }
    /// From the start to the stop time on the grid start + i h.
    Run& go() {
        try {
            master.initialize();
            row();
            on();
        } catch (const Error& error) {
            failure = error.what();
        }
        return *this;
    }
    /// From where it is.
    void on() {
        const MasterSettings settings = master.system().system.master;
        for (long i = std::lround((master.time() - settings.start) / settings.step) + 1;; ++i) {
            const double grid = settings.start + static_cast<double>(i) * settings.step;
            const double end = grid > settings.stop - 1e-9 * settings.step ? settings.stop : grid;
            ended = !master.step(end);
            for (const Master::EventRow& event : master.event_rows()) {
                times.push_back(event.time);
                rows.push_back(event.values);
            }
            if (!ended || master.time() > times.back())
                row();
            if (ended || end == settings.stop)
                return;
        }
    }

    std::size_t column(const std::string& name) const {
        for (std::size_t i = 0; i < master.columns().size(); ++i)
            if (master.columns()[i].name == name)
                return i;
        throw std::runtime_error("no column " + name);
    }
    double last(const std::string& name) const { return rows.back()[column(name)]; }
    double at(std::size_t row, const std::string& name) const { return rows[row][column(name)]; }
    bool remarks(const std::string& part) const {
        for (const std::string& remark : master.report().remarks)
            if (remark.find(part) != remark.npos)
                return true;
        return false;
    }
};

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

/// What making a master throws.
inline std::string refusal(const CheckedSystem& system, const MasterOptions& options = {}) {
    return tests::refusal<std::exception>([&] { const Master master(system, options); });
}

} // namespace tenon::master
