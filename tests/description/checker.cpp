// Every rule finds what breaks it, and nothing else.

#include "modelDescription/checker.hpp"

#include "modelDescription/name_grammar.hpp"
#include "tests/description/samples.hpp"
#include "tests/description/violations.hpp"

#include <catch2/catch.hpp>

using namespace tenon::fmi;

namespace {

std::vector<Violation> all_violations() {
    std::vector<Violation> all;
    for (const auto& violations :
         {violations_of_the_model(), violations_of_units_and_types(), violations_of_variables(),
          violations_of_start_values(), violations_of_structure(), violations_of_terminals()})
        all.insert(all.end(), violations.begin(), violations.end());
    return all;
}

std::set<std::string> rules_of(const std::vector<Finding>& findings) {
    std::set<std::string> rules;
    for (const Finding& finding : findings)
        rules.insert(finding.rule);
    return rules;
}

std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings)
        text += finding.rule + " | " + finding.place + " | " + finding.message + " | " + finding.hint + "\n";
    return text;
}

} // namespace

TEST_CASE("the sample descriptions break no rule") {
    for (const Version version : {Version::fmi2, Version::fmi3})
        CHECK(text_of(check_description(samples::good(version))).empty());
}

TEST_CASE("each violation of a rule is found under the name of the rule") {
    for (const Violation& violation : all_violations()) {
        Description description = samples::good(violation.version);
        violation.change(description);
        const std::vector<Finding> findings = check_description(description);
        std::set<std::string> expected = violation.also;
        expected.insert(violation.rule);
        INFO("FMI " << (violation.version == Version::fmi2 ? 2 : 3) << " " << violation.rule << ", found:\n"
                    << text_of(findings));
        CHECK(rules_of(findings) == expected);
    }
}

TEST_CASE("every rule of the catalogue is broken by a test, and has a name of its own and a sentence") {
    std::set<std::string> broken, names;
    for (const Violation& violation : all_violations())
        broken.insert(violation.rule);
    for (const Rule& rule : rule_catalogue()) {
        INFO(rule.id);
        CHECK(broken.contains(std::string(rule.id)));
        CHECK(names.insert(std::string(rule.id)).second);
        CHECK(rule.sentence.ends_with('.'));
        CHECK(rule.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == rule.id.npos);
    }
}

TEST_CASE("findings say where, what and how grave") {
    Description d = samples::good(Version::fmi3);
    find(d, "bob.mass").unit = "lb";
    find(d, "bob.mass").line = 42;
    d.terminals[0].terminals[0].members[1].variable = "nothing";
    const std::vector<Finding> findings = check_description(d);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].place == "modelDescription.xml:42 variable 'bob.mass'");
    CHECK(findings[0].message == "unit 'lb' is not defined");
    CHECK(findings[0].hint == "define it in UnitDefinitions");
    CHECK(findings[1].severity == Severity::error);
    CHECK(findings[1].place == "terminalsAndIcons.xml terminal 'tip/aux'");
    CHECK(findings[1].message == "there is no variable 'nothing'");
}

TEST_CASE("the same finding is not listed without end") {
    Description d = samples::good(Version::fmi3);
    const Variable parameter = find(d, "bob.mass");
    for (std::uint32_t i = 0; i < 1000; ++i) {
        d.variables.push_back(parameter);
        d.variables.back().name = "p" + std::to_string(i);
        d.variables.back().reference = 1000 + i;
        d.variables.back().start = {};
    }
    const std::vector<Finding> findings = check_description(d);
    CHECK(findings.size() == 26);
    CHECK(findings.back().rule == "start-missing");
    CHECK(findings.back().message == "and 975 more of these");
}

TEST_CASE("what FMI leaves open is not found fault with") {
    Description d = samples::good(Version::fmi2);
    find(d, "time").causality = Causality::local; // FMI 2.0 needs no independent variable
    find(d, "time").initial = Initial::calculated;
    find(d, "time").unit.clear();
    find(d, "axle.w").initial = Initial::approx;
    find(d, "axle.w").start = samples::reals({0});
    d.generation_time.clear();
    d.experiment = {};
    d.log_categories.clear();
    find(d, "bob.mass").max.reset();
    CHECK(text_of(check_description(d)).empty());

    d = samples::good(Version::fmi3);
    find(d, "tip.f_0").start = samples::reals({0}); // one for all
    d.terminals[0].kind = "com.example.frame";
    d.terminals[0].matching_rule = "com.example.rule";
    d.terminals[1].matching_rule = "sequence";
    d.terminals[1].kind = "Modelica.Mechanics.Rotational.Interfaces.Flange_a";
    for (TerminalMember& member : d.terminals[1].members)
        member.member.clear();
    d.outputs[0].dependencies = {1}; // a parameter is a known of FMI 3.0
    CHECK(text_of(check_description(d)).empty());
}

TEST_CASE("a joint terminal may give the effort and take the motion") {
    Description d = samples::good(Version::fmi3);
    std::erase_if(d.outputs,
                  [&](const Unknown& u) { return d.variables[u.variable].name.starts_with("axle."); });
    std::erase_if(d.initial_unknowns,
                  [&](const Unknown& u) { return d.variables[u.variable].name == "axle.w"; });
    d.derivatives.clear();
    std::erase_if(d.initial_unknowns,
                  [&](const Unknown& u) { return d.variables[u.variable].name == "der(axle.w)"; });
    for (const char* motion : {"axle.phi", "axle.w"}) {
        find(d, motion).causality = Causality::input;
        find(d, motion).initial = Initial::exact;
        find(d, motion).start = samples::reals({0});
    }
    Variable& torque = find(d, "axle.tau");
    torque.causality = Causality::output;
    torque.initial = Initial::exact;
    d.outputs.push_back({static_cast<std::size_t>(&torque - d.variables.data()), {}, {}});
    CHECK(text_of(check_description(d)).empty());
}

TEST_CASE("structured names are told from others") {
    for (const char* name : {"a", "_a1", "a.b.c", "a[1]", "a[1,2].b[3]", "der(a)", "der(a.b[1],2)", "'a b'",
                             "a.'\\''[1]", "'[+]'.x", "derivative", "'\\\\'"})
        CHECK(is_structured_name(name));
    for (const char* name : {"",      "1a",      "a.",       ".a",         "a b", "a[]",    "a[1",  "a[1,]",
                             "a[-1]", "der(a",   "der()",    "der(a,b)",   "''",  "'a",     "a'b'", "'\\x'",
                             "'\"'",  "a[1][2]", "\xc3\xa4", "'\xc3\xa4'", "a-b", "der(a)b"})
        CHECK_FALSE(is_structured_name(name));
}
