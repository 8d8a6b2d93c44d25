// What an FMU does with the token and the callbacks that it is given.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/raw.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <dlfcn.h>

namespace tenon::check {
namespace {

/// A short run with an error at its end, so that there is something to log.
void run_and_fail(RawInstance& instance, fmi::Version version) {
    const std::string fmi = version == fmi::Version::fmi2 ? "fmi2" : "fmi3";
    if (version == fmi::Version::fmi2)
        instance.call("fmi2SetupExperiment");
    for (const char* function :
         {"EnterInitializationMode", "ExitInitializationMode", "DoStep", "DoStep(h<0)"})
        if (instance.call(fmi + function) > raw_warning)
            break;
    instance.free();
}

void use_wrong_token(Probe& probe) {
    RawLibrary library(probe, RTLD_NOW);
    const auto instance = library.make_instance();
    const bool made = instance->instantiate({.token = "{00000000-not-the-token-of-this-FMU}"});
    const bool logged = !instance->messages().empty();
    instance->free();
    if (made && probe.description().version == fmi::Version::fmi2)
        probe.error(
            "token", "fmi2Instantiate accepts a wrong GUID",
            "compare it with the one in the description: a library of another export must not be taken");
    else if (made)
        probe.note("token", "fmi3InstantiateCoSimulation accepts a wrong token");
    else if (!logged)
        probe.warning("token-unexplained", "a wrong token is refused, but no message says why",
                      "log the reason before a null pointer is returned");
}

void use_null_logger(Probe& probe) {
    RawLibrary library(probe, RTLD_NOW);
    const auto instance = library.make_instance();
    if (instance->instantiate({.logger = false}))
        run_and_fail(*instance, probe.description().version);
}

/// Each kind of mistake is reported once, with the first message that has it.
void judge_message(Probe& probe, const RawMessage& message) {
    const std::string text = printable(message.text.value_or("(null)"));
    if (!message.right_environment)
        probe.error("logger-environment", "the logger gets another environment pointer than the host gave",
                    "pass on the pointer of the instance, unchanged");
    if (!message.right_instance)
        probe.warning("logger-instance", "the logger gets another instance name than the host gave",
                      "keep a copy of the name that was given to fmi2Instantiate");
    if (message.after_instantiate)
        probe.warning("logger-callbacks",
                      "the struct of callbacks is used after fmi2Instantiate has returned",
                      "copy the struct: hosts may have it on the stack");
    if (!message.text)
        probe.error("logger-text", "the logger gets a null pointer as message");
    else if (message.text->ends_with('\n'))
        probe.note("logger-text", fmt::format("a message ends in a line break: '{}'", text));
}

void judge_category(Probe& probe, const std::optional<std::string>& category) {
    const auto& declared = probe.description().log_categories;
    if (!category || std::any_of(declared.begin(), declared.end(),
                                 [&](const fmi::LogCategory& known) { return known.name == *category; }))
        return;
    const std::string name = printable(*category);
    probe.warning(
        "log-category",
        declared.empty()
            ? fmt::format("logs with category '{}', but the description has no <LogCategories>", name)
            : fmt::format("logs with category '{}', which is not among <LogCategories>", name),
        "hosts offer the declared categories to their users; without any, pass NULL");
}

void listen(Probe& probe) {
    RawLibrary library(probe, RTLD_NOW);
    const auto instance = library.make_instance();
    if (!instance->instantiate({}))
        return; // the ordinary run says so
    run_and_fail(*instance, probe.description().version);
    for (const RawMessage& message : instance->messages()) {
        judge_message(probe, message);
        judge_category(probe, message.category);
    }
}

void listen_without_logging(Probe& probe) {
    RawLibrary library(probe, RTLD_NOW);
    const auto instance = library.make_instance();
    if (!instance->instantiate({.logging = false}))
        return; // the ordinary run says so
    run_and_fail(*instance, probe.description().version);
    if (!instance->messages().empty())
        probe.error("logging-off",
                    fmt::format("logs although loggingOn is false: '{}'",
                                printable(instance->messages().front().text.value_or("(null)"))),
                    "FMI 3.0: the callback must not be called then");
}

} // namespace

void check_token(Runner& runner) { runner.in_child(use_wrong_token); }

void check_logger(Runner& runner) {
    runner.in_child(use_null_logger);
    runner.in_child(listen);
    if (runner.description().version == fmi::Version::fmi3)
        runner.in_child(listen_without_logging);
}

} // namespace tenon::check
