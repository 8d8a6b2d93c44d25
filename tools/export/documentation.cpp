#include "tools/export/documentation.hpp"

#include <fmt/format.h>

namespace tenon {
namespace {

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
    return out;
}

std::string table(const fmi::Description& description, fmi::Causality causality) {
    std::string rows;
    std::size_t shown = 0;
    for (const fmi::Variable& v : description.variables) {
        if (v.causality != causality)
            continue;
        if (++shown > 2000) { // a page that a browser opens at once; modelDescription.xml has them all
            rows += "<tr><td colspan=\"3\">and more: see modelDescription.xml</td></tr>\n";
            break;
        }
        std::string shape;
        for (const fmi::Dimension& d : v.dimensions)
            shape += fmt::format("{}{}", shape.empty() ? "" : ", ", d.size);
        rows += fmt::format("<tr><td><code>{}</code>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(v.name),
                            shape.empty() ? "" : " [" + shape + "]", escaped(v.unit), escaped(v.description));
    }
    return rows.empty()
               ? "<p>None.</p>\n"
               : "<table>\n<tr><th>name</th><th>unit</th><th>meaning</th></tr>\n" + rows + "</table>\n";
}

} // namespace

std::string documentation_page(const Model& model, const fmi::Description& description) {
    std::string page = fmt::format(
        R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8"><title>{0}</title>
<style>body{{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}td,th{{text-align:left;padding:.1em 1em .1em 0}}</style>
</head><body>
<h1>{0}</h1>
<p>{1}</p>
<p>A machine of {2} bodies and {3} joints, exported by {4} for FMI {5} Co-Simulation. Units are SI; vectors are in the axes of
the world, which <code>world_r</code> and <code>world_R</code> place in the importer's world. The model's own time, to which
drivers and tables refer, is zero at the start of the experiment.</p>
<h2>Integrator</h2>
<p><code>solver.integrator</code> chooses the method, <code>solver.step</code> the longest internal step; a communication step may
be anything. Options of the methods are parameters <code>solver.*</code>; those that the chosen method does not have are of no
effect.</p>
<table>
)",
        escaped(model.name), escaped(model.description), model.bodies.size(), model.joints.size(),
        description.generation_tool, description.version == fmi::Version::fmi2 ? "2.0" : "3.0");
    for (const fmi::TypeDefinition& type : description.types)
        if (type.name == "Integrator")
            for (const fmi::EnumerationItem& item : type.items)
                page += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td>{}</td></tr>\n", item.value,
                                    escaped(item.name), escaped(item.description));
    page += "</table>\n<h2>Inputs</h2>\n" + table(description, fmi::Causality::input);
    page += "<h2>Outputs</h2>\n" + table(description, fmi::Causality::output);
    page += "<h2>Parameters</h2>\n" + table(description, fmi::Causality::parameter);
    page += "<h2>Failures</h2>\n<p>A step that cannot be made returns ";
    page += description.version == fmi::Version::fmi2 ? "fmi2Error" : "fmi3Discard with the state unchanged";
    page += "; the log says which quantity failed, its value and its limit. A smaller "
            "<code>solver.step</code> or another "
            "integrator is the usual cure.</p>\n</body></html>\n";
    return page;
}

std::string license_text() {
    return R"(This FMU contains, statically linked:

Tenon. MIT licence: permission is granted, free of charge, to use, copy, modify, merge, publish, distribute, sublicense
and sell copies, provided that the copyright notice and this permission notice are kept. It is provided "as is", without
warranty of any kind.

Eigen, a C++ template library for linear algebra. Mozilla Public License 2.0; its source is available from the Eigen
project, unmodified.

The GNU C++ runtime library (libstdc++). GNU General Public License 3 with the GCC Runtime Library Exception, which
permits this use.

The model itself (resources/) belongs to whoever made it.
)";
}

} // namespace tenon
