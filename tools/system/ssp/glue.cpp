#include "tools/system/ssp/glue.hpp"

#include "tools/model_file/sections.hpp"
#include "tools/system/check_context.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/system/system_format.hpp"

#include <fmt/format.h>

namespace tenon::system {
namespace {

constexpr const char* glue_type = "dev.tenon.glue";

/// Names of all numbers that a joint may have: axis, length, motion.rate, ...
const std::set<std::string>& number_names() {
    static const std::set<std::string> all = [] {
        std::set<std::string> names;
        for (const Variant& variant : find_section(system_sections(), "joint")->variants)
            for (const Key& key : variant.keys)
                if (key.type != ValueType::motion)
                    names.emplace(key.name);
        for (const std::vector<Key>* keys : {&motion_keys(), &table_keys()})
            for (const Key& key : *keys)
                names.insert("motion." + std::string(key.name));
        return names;
    }();
    return all;
}

std::vector<double> read_numbers(const Element& element, const char* key) {
    std::string_view list = element.view(key);
    std::vector<double> numbers;
    for (std::string_view word = fmi::next_word(list); !word.empty(); word = fmi::next_word(list))
        numbers.push_back(element.number<double>(key, word));
    return numbers;
}

GlueAnnotation::Joint read_joint(const Element& element, std::size_t source,
                                 std::set<std::string>& couplers) {
    GlueAnnotation::Joint result;
    GlueJoint& joint = result.joint;
    joint.name = required_text(element, "name");
    joint.type = required_text(element, "type");
    joint.method = element.text("method");
    joint.line = element.line();
    joint.source = source;
    result.a = required_text(element, "a");
    result.b = required_text(element, "b");
    for (const std::string& name : number_names())
        if (element.has(name.c_str()))
            joint.numbers[name] = read_numbers(element, name.c_str());
    if (element.has("coupler"))
        couplers.insert(element.text("coupler"));
    return result;
}

void read_master(const Element& element, GlueAnnotation& glue) {
    MasterSettings& master = glue.master;
    const auto text = [&](const char* key, std::string& value) {
        if (element.has(key))
            value = element.text(key);
    };
    const auto number = [&]<class Number>(const char* key, Number& value) {
        value = element.number<Number>(key).value_or(value);
    };
    text("method", master.method);
    text("iteration", master.iteration);
    text("corrections", master.corrections);
    text("polynomial", master.polynomial);
    number("step", master.step);
    number("tolerance", master.tolerance);
    number("extrapolation", master.extrapolation);
    number("maxIterations", master.max_iterations);
    master.adaptive = element.flag("adaptive");
    glue.has_step = element.has("step");
}

/// Annotations of this type; their content may be wrapped once more, as OMSimulator does.
template <class Visit> void each_annotation(const Element& owner, std::string_view type, Visit visit) {
    if (const std::optional<Element> list = child(owner, "Annotations"))
        each_child(*list, "Annotation", [&](const Element& annotation) {
            if (annotation.view("type") != type)
                return;
            annotation.each([&](const Element& content) {
                if (local_name(content) == "Annotations")
                    content.each(visit);
                else
                    visit(content);
            });
        });
}

/// `key` of the element `inner` in an annotation's content `outer`.
void read_step(const Element& content, std::string_view outer, std::string_view inner, const char* key,
               GlueAnnotation& glue) {
    if (local_name(content) != outer || glue.has_step)
        return;
    if (const std::optional<Element> step = child(content, inner); step && step->has(key)) {
        glue.master.step = step->required<double>(key);
        glue.has_step = true;
    }
}

void write_numbers(fmi::XmlWriter& xml, const std::string& key, const std::vector<double>& numbers) {
    xml.numbers(key, numbers, [](double number) { return number; });
}

void open_annotation(fmi::XmlWriter& xml, std::string_view type) {
    xml.open("ssc:Annotation");
    xml.attribute("type", type);
}

void write_joint(fmi::XmlWriter& xml, const System& system, const GlueJoint& joint,
                 const std::string& coupler, const std::string& remark) {
    xml.open("g:Joint");
    xml.attribute("name", joint.name);
    xml.attribute("type", joint.type);
    xml.attribute("a", side_text(system, joint.a));
    xml.attribute("b", side_text(system, joint.b));
    for (const auto& [name, numbers] : joint.numbers)
        write_numbers(xml, name, numbers);
    xml.optional("method", joint.method);
    // The component that does this joint's work in other tools; the reader leaves it and its connections out.
    xml.optional("coupler", coupler);
    xml.optional("remark", remark);
    xml.close();
}

void write_master(fmi::XmlWriter& xml, const MasterSettings& master) {
    xml.open("g:Master");
    xml.attribute("method", master.method);
    xml.number("step", master.step);
    xml.number("tolerance", master.tolerance);
    xml.number("extrapolation", master.extrapolation);
    xml.flag("adaptive", master.adaptive);
    xml.attribute("iteration", master.iteration);
    xml.attribute("corrections", master.corrections);
    xml.attribute("polynomial", master.polynomial);
    xml.number("maxIterations", master.max_iterations);
    xml.close();
}

} // namespace

GlueAnnotation read_glue(const Element& root, std::size_t source) {
    GlueAnnotation glue;
    const std::optional<Element> system = child(root, "System"),
                                 experiment = child(root, "DefaultExperiment");
    if (system) {
        each_annotation(*system, glue_type, [&](const Element& content) {
            if (local_name(content) != "Glue")
                return;
            each_child(content, "Joint", [&](const Element& joint) {
                glue.joints.push_back(read_joint(joint, source, glue.couplers));
            });
            each_child(content, "Fmu", [&](const Element& fmu) {
                if (fmu.flag("isolate"))
                    glue.isolated.insert(required_text(fmu, "name"));
            });
            each_child(content, "Master", [&](const Element& master) { read_master(master, glue); });
        });
        each_annotation(*system, "org.openmodelica", [&](const Element& content) {
            read_step(content, "SimulationInformation", "FixedStepMaster", "stepSize", glue);
        });
    }
    if (experiment) {
        glue.master.start = experiment->number<double>("startTime").value_or(glue.master.start);
        glue.master.stop = experiment->number<double>("stopTime").value_or(glue.master.stop);
        each_annotation(*experiment, "com.opensimulationplatform", [&](const Element& content) {
            read_step(content, "Algorithm", "FixedStepAlgorithm", "baseStepSize", glue);
        });
    }
    return glue;
}

void apply_glue(GlueAnnotation glue, System& system) {
    const FmuNames names(system);
    const auto side = [&](const GlueJoint& joint, const std::string& text) -> Side {
        if (text == "world")
            return {};
        const std::optional<SplitName> split = names.split(text, '/');
        if (!split)
            refuse(system, joint,
                   fmt::format("joint '{}': '{}' is not <fmu>/<terminal> or \"world\"; {}",
                               printable(joint.name), printable(text), names.suggest(text, '/')));
        return {split->fmu, split->rest};
    };
    for (GlueAnnotation::Joint& entry : glue.joints) {
        entry.joint.a = side(entry.joint, entry.a);
        entry.joint.b = side(entry.joint, entry.b);
        system.joints.push_back(std::move(entry.joint));
    }
    for (SystemFmu& fmu : system.fmus)
        fmu.isolate = glue.isolated.contains(fmu.name);
    system.master = glue.master;
    if (!glue.has_step)
        system.remarks.push_back(
            fmt::format("the SSP gives no step size; {} s is taken", fmi::digits(system.master.step)));
}

void declare_namespaces(fmi::XmlWriter& xml) {
    xml.attribute("xmlns:osp", "http://opensimulationplatform.com/SSP/OSPAnnotations");
    xml.attribute("xmlns:oms",
                  "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd");
}

void write_glue(fmi::XmlWriter& xml, const System& system, const std::vector<std::string>& coupler_names,
                const std::vector<SspCoupler>& couplers) {
    open_annotation(xml, glue_type);
    xml.open("g:Glue");
    xml.attribute("xmlns:g", "urn:dev.tenon.glue:1");
    xml.attribute("version", "1");
    for (std::size_t i = 0; i < system.joints.size(); ++i)
        write_joint(xml, system, system.joints[i], coupler_names[i],
                    i < couplers.size() ? couplers[i].remark : "");
    for (const SystemFmu& fmu : system.fmus)
        if (fmu.isolate) {
            xml.open("g:Fmu");
            xml.attribute("name", fmu.name);
            xml.attribute("isolate", "true");
            xml.close();
        }
    write_master(xml, system.master);
    xml.close();
    xml.close();
}

void write_step_for_libcosim(fmi::XmlWriter& xml, const MasterSettings& master) {
    open_annotation(xml, "com.opensimulationplatform");
    xml.open("osp:Algorithm");
    xml.open("osp:FixedStepAlgorithm");
    xml.number("baseStepSize", master.step);
    for (int i = 0; i < 3; ++i)
        xml.close();
}

void write_step_for_omsimulator(fmi::XmlWriter& xml, const MasterSettings& master) {
    open_annotation(xml, "org.openmodelica");
    xml.open("oms:Annotations");
    xml.open("oms:SimulationInformation");
    xml.open("oms:FixedStepMaster");
    xml.attribute("description", "oms-ma");
    xml.number("stepSize", master.step);
    xml.number("absoluteTolerance", 1e-4);
    xml.number("relativeTolerance", 1e-4);
    for (int i = 0; i < 4; ++i)
        xml.close();
}

} // namespace tenon::system
