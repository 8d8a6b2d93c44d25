#include "tools/check/raw.hpp"

#include "tools/import/open_library.hpp"
#include "tools/import/platform.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <set>

namespace tenon::check {
namespace {

const fmi::Variable* find_scalar(const fmi::Description& description, fmi::Causality causality) {
    const auto found = std::find_if(
        description.variables.begin(), description.variables.end(), [&](const fmi::Variable& variable) {
            return variable.causality == causality && variable.type == fmi::Type::float64 &&
                   variable.dimensions.empty() && !variable.clocked &&
                   variable.variability == fmi::Variability::continuous;
        });
    return found == description.variables.end() ? nullptr : &*found;
}

} // namespace

int RawInstance::call(const std::string& function) {
    const TracedCall traced(probe_.trace(), "{}", function);
    const int status = calls_.at(function)();
    fmi::missing_function = nullptr; // the status says enough
    *fatal_ = *fatal_ || status == raw_fatal;
    return status;
}

const std::vector<RawMessage>& RawInstance::messages() const { return raw_messages(); }

std::vector<RawMessage>& raw_messages() {
    static std::vector<RawMessage> messages;
    return messages;
}

RawLibrary::RawLibrary(Probe& probe, int flags) : probe_(probe) {
    const TracedCall traced(probe.trace(), "dlopen");
    const fmi::OpenedLibrary opened = fmi::open_library(probe.target().library, flags);
    if (!opened.handle)
        throw fmi::LoadError(fmt::format("the library cannot be loaded: {}", opened.problem));
    handle_ = opened.handle;
}

RawLibrary::~RawLibrary() {
    if (!*fatal_)
        unload();
}

bool RawLibrary::unload() {
    const TracedCall traced(probe_.trace(), "dlclose");
    if (handle_)
        ::dlclose(std::exchange(handle_, nullptr));
    void* still = ::dlopen(probe_.target().library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (still)
        ::dlclose(still);
    return !still;
}

std::unique_ptr<RawInstance> RawLibrary::make_instance() {
    return probe_.description().version == fmi::Version::fmi2 ? make_raw2(probe_, handle_, fatal_)
                                                              : make_raw3(probe_, handle_, fatal_);
}

void* find_function(void* library, const char* name) {
    void* address = ::dlsym(library, name);
    if (!address && !fmi::indispensable({name}).empty())
        throw fmi::LoadError(fmt::format("the library does not export {}", name));
    return address;
}

const fmi::Variable* some_output(const fmi::Description& description) {
    return find_scalar(description, fmi::Causality::output);
}

const fmi::Variable* some_input(const fmi::Description& description) {
    return find_scalar(description, fmi::Causality::input);
}

std::uint32_t unused_reference(const fmi::Description& description) {
    std::set<std::uint32_t> used;
    for (const fmi::Variable& variable : description.variables)
        used.insert(variable.reference);
    std::uint32_t reference = 0xFFFFFFF0;
    while (used.contains(reference))
        --reference;
    return reference;
}

bool can_call(const fmi::Description& description, std::string_view function) {
    const fmi::Capabilities& can = description.capabilities;
    const bool input = some_input(description) != nullptr, output = some_output(description) != nullptr;
    const auto is = [&](std::string_view name) {
        return function.substr(4) == name;
    }; // without "fmi2" or "fmi3"
    if (is("GetReal") || is("GetFloat64"))
        return output;
    if (is("SetReal") || is("SetFloat64"))
        return input;
    if (is("GetFMUstate") || is("GetFMUState"))
        return can.get_and_set_state;
    if (is("GetDirectionalDerivative"))
        return can.directional_derivatives && input && output;
    if (is("GetAdjointDerivative"))
        return can.adjoint_derivatives && input && output;
    if (is("SetRealInputDerivatives"))
        return can.interpolates_inputs && input;
    if (is("GetRealOutputDerivatives") || is("GetOutputDerivatives"))
        return can.max_output_derivative_order > 0 && output;
    return true;
}

} // namespace tenon::check
