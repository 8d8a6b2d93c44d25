#include "tools/import/fmu.hpp"

#include "modelDescription/checker.hpp"
#include "modelDescription/reader.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/platform.hpp"
#include "tools/import/unpacked_fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tenon::fmi {
namespace {

constexpr const char* description_entry = "modelDescription.xml";
constexpr const char* terminals_entry = "terminalsAndIcons/terminalsAndIcons.xml";
constexpr std::size_t longest_path = 4096;

/// "FILE: ENTRY:LINE: what" for what the readers find.
template <class Read> void read_entry(const Archive& archive, const char* entry, Read&& read) {
    try {
        read(archive.read(entry));
    } catch (const DescriptionError& error) {
        throw bad_input(fmt::format("{}: {}", archive.file().string(), entry), error.line(), error.what());
    }
}

Description read_all(const Archive& archive, FindingList& deviations) {
    if (!archive.has(description_entry))
        throw bad_input(
            archive.file().string(), 0,
            fmt::format("is not an FMU: there is no {} at the top of the archive", description_entry));
    Description description;
    read_entry(archive, description_entry,
               [&](const std::string& xml) { description = read_description(xml, &deviations); });
    if (archive.has(terminals_entry))
        read_entry(archive, terminals_entry,
                   [&](const std::string& xml) { read_terminals(xml, description, &deviations); });
    return description;
}

/// Promises that cannot be kept without these functions.
void give_up(Capabilities& can, const std::vector<std::string>& missing) {
    const auto lacks = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(names, [&](std::string_view name) {
            return std::ranges::any_of(
                missing, [&](const std::string& one) { return one.substr(4) == name; }); // behind fmi2
        });
    };
    if (lacks({"GetFMUstate", "SetFMUstate", "FreeFMUstate", "GetFMUState", "SetFMUState", "FreeFMUState"}))
        can.get_and_set_state = can.serialize_state = false;
    if (lacks({"SerializedFMUstateSize", "SerializeFMUstate", "DeSerializeFMUstate", "SerializedFMUStateSize",
               "SerializeFMUState", "DeserializeFMUState"}))
        can.serialize_state = false;
    if (lacks({"GetDirectionalDerivative"}))
        can.directional_derivatives = false;
    if (lacks({"GetAdjointDerivative"}))
        can.adjoint_derivatives = false;
    if (lacks({"SetRealInputDerivatives"}))
        can.interpolates_inputs = false;
    if (lacks({"GetRealOutputDerivatives", "GetOutputDerivatives"}))
        can.max_output_derivative_order = 0;
    if (lacks({"EnterEventMode", "UpdateDiscreteStates", "EnterStepMode"}))
        can.event_mode = false;
}

} // namespace

/// What the instances of an FMU share. Each holds what it needs of it, so that it outlives the Fmu.
struct Fmu::Loaded {
    UnpackedFmu fmu;
    std::shared_ptr<Library> library; ///< of all instances, or of the first where each has its own
    int instances = 0;

    std::shared_ptr<Library> library_for_one_more();
};

/// An FMU that allows one instance in a process gets a copy of its file for each further one: the loader takes another
/// file for another library, with variables of its own.
std::shared_ptr<Library> Fmu::Loaded::library_for_one_more() {
    if (library->is_fatal())
        throw LoadError(
            "its library has reported a fatal error and must not be called again in this process");
    if (!fmu.description->capabilities.only_once_per_process || instances++ == 0)
        return library;
    const std::filesystem::path file = fmu.library();
    std::filesystem::path copy = file;
    copy.replace_filename(fmt::format("{}-{}.so", file.stem().string(), instances));
    std::filesystem::copy_file(file, copy);
    return std::make_shared<Library>(copy, fmu.folder);
}

Fmu::Fmu(const std::filesystem::path& file, Letter letter, const ArchiveLimits& limits)
    : archive_(file, limits), deviations_(archive_.deviations()),
      description_(read_all(archive_, deviations_)) {
    look_at_library();
    check();
    if (letter == Letter::refused)
        refuse_deviations();
}

/// Functions that are not there, and what the FMU then cannot do, whatever its description says.
void Fmu::look_at_library() {
    const std::string entry = binary();
    if (!description_.has_co_simulation || entry.empty())
        return;
    const std::string place = printable(entry, longest_path);
    if (const std::string wanted = library_entry(description_); entry != wanted)
        deviations_.add("library-name", place,
                        fmt::format("the library is not called {}", printable(wanted, longest_path)),
                        "file systems tell upper from lower case; give it the name of the modelIdentifier");
    LibraryContent content;
    try {
        content = read_library(archive_, entry, description_.version);
    } catch (const InputError&) {
        return; // said where it is unpacked
    }
    const auto list = [](const std::vector<std::string>& names) {
        constexpr std::size_t shown = 5;
        const std::size_t count = std::min(names.size(), shown);
        std::string text = fmt::format(
            "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "));
        return count < names.size() ? fmt::format("{} and {} more", text, names.size() - count) : text;
    };
    if (!content.borrowed.empty())
        deviations_.add("symbol-borrowed", place,
                        fmt::format("takes {} from a library that it needs", list(content.borrowed)),
                        "export every function of FMI from the FMU's own library");
    if (!content.python.empty())
        deviations_.add("symbol-python", place,
                        fmt::format("takes {} from no library that it names", list(content.python)),
                        "runs where Python's library is; link it, or pack it beside the FMU's own");
    if (content.missing.empty())
        return;
    deviations_.add("symbol-missing", place, fmt::format("does not export {}", list(content.missing)),
                    "export every function of the interface, also those that only return an error");
    give_up(description_.capabilities, content.missing);
}

/// The rules beyond the schema.
void Fmu::check() {
    const DescriptionFindings found = findings_of(description_);
    if (!found.refused.empty())
        throw bad_input(file().string(), 0, one_line(found.refused.kept().front()));
    deviations_.add(found.letter);
}

void Fmu::refuse_deviations() const {
    if (deviations_.empty())
        return;
    const std::string more =
        deviations_.count() == 1 ? "" : fmt::format(" (and {} more)", deviations_.count() - 1);
    throw bad_input(file().string(), 0, one_line(deviations_.kept().front()) + more);
}

std::string Fmu::binary() const { return find_library(archive_, description_); }

std::shared_ptr<Fmu::Loaded> Fmu::load() const {
    auto loaded = std::make_shared<Loaded>();
    loaded->fmu = unpack_fmu(archive_, description_);
    loaded->library = load_library(loaded->fmu);
    return loaded;
}

std::unique_ptr<Slave> Fmu::instantiate(const InstanceOptions& options) const {
    try {
        if (!loaded_)
            loaded_ = load();
        return make_instance(loaded_->fmu, loaded_->library_for_one_more(), options);
    } catch (const LoadError& error) {
        throw LoadError(fmt::format("{}: {}", printable(file().string(), longest_path), error.what()));
    } catch (const std::filesystem::filesystem_error& error) {
        throw LoadError(fmt::format("{}: cannot be unpacked: {}", printable(file().string(), longest_path),
                                    error.what()));
    }
}

} // namespace tenon::fmi
