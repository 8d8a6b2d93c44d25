#include "tools/check/content_checks.hpp"

#include "modelDescription/platforms.hpp"
#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace tenon::check {
namespace {

constexpr std::string_view description_file = "modelDescription.xml";

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
}

bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

void check_name(const ArchiveEntry& entry, Findings& findings) {
    const std::string place = printable(entry.name);
    if (!is_ascii(entry.name))
        findings.warning("archive-name-ascii", place, "the name has characters beyond ASCII",
                         "unpacked differently by different tools; rename the file");
}

/// Zipping the folder instead of its content is the commonest mistake of all.
std::string wrapper_folder(const Archive& archive) {
    for (const ArchiveEntry& entry : archive.entries())
        if (ends_with(entry.name, fmt::format("/{}", description_file)) &&
            entry.name.find('/') == entry.name.rfind('/'))
            return entry.name.substr(0, entry.name.find('/'));
    return {};
}

// ---- what is in it -------------------------------------------------------------------------------------------------

/// "binaries" of "binaries/linux64/x.so".
std::string_view first_part(std::string_view name) { return name.substr(0, name.find('/')); }

void check_top_level(const Archive& archive, fmi::Version version, Findings& findings) {
    const std::set<std::string_view> known = {
        description_file, "binaries", "documentation", "resources", "sources", "terminalsAndIcons", "extra"};
    std::set<std::string> reported;
    for (const ArchiveEntry& entry : archive.entries()) {
        const std::string part(first_part(entry.name));
        const bool icon = version == fmi::Version::fmi2 && part == "model.png";
        if (known.contains(part) || icon || entry.name.starts_with('.') || !reported.insert(part).second)
            continue;
        findings.warning("archive-unknown-entry", printable(part),
                         "is nothing that the standard has a place for",
                         "put own files into extra/ under a reversed domain name");
    }
}

/// The files directly in each platform folder.
std::map<std::string, std::set<std::string>> platform_files(const Archive& archive) {
    std::map<std::string, std::set<std::string>> files;
    constexpr std::string_view prefix = "binaries/";
    for (const ArchiveEntry& entry : archive.entries()) {
        if (!entry.name.starts_with(prefix) || entry.name.size() == prefix.size())
            continue;
        const std::string rest = entry.name.substr(prefix.size());
        const std::size_t slash = rest.find('/');
        if (slash == std::string::npos) {
            files[rest]; // a file where folders are expected: reported as an unknown platform
            continue;
        }
        auto& folder = files[rest.substr(0, slash)];
        if (const std::string file = rest.substr(slash + 1);
            !file.empty() && file.find('/') == std::string::npos)
            folder.insert(file);
    }
    return files;
}

void check_platforms(const Archive& archive, const fmi::Description& description, Findings& findings) {
    std::vector<std::string> libraries;
    for (const auto& [folder, files] : platform_files(archive)) {
        const std::string place = fmt::format("binaries/{}", printable(folder));
        const std::optional<fmi::Platform> platform = fmi::find_platform(description.version, folder);
        if (!platform) {
            findings.warning("platform-unknown", place, "is not a platform of this version of FMI",
                             fmt::format("known: {}", fmi::platform_names(description.version)));
            continue;
        }
        const std::string& identifier = description.capabilities.model_identifier;
        const std::string wanted = identifier + std::string(platform->extension);
        const auto is_wanted = [&](const std::string& file) {
            return folded_name(file) == folded_name(wanted);
        };
        if (!identifier.empty() && std::ranges::none_of(files, is_wanted)) // in another case: library-name
            findings.error("library-missing", place, fmt::format("has no {}", printable(wanted)),
                           "the library is called like the modelIdentifier of <CoSimulation>, without 'lib'");
        libraries.push_back(folder);
    }
    if (!libraries.empty())
        findings.note("platforms", "binaries", fmt::format("for {}", fmt::join(libraries, ", ")));
}

bool any_below(const Archive& archive, std::string_view folder) {
    return std::any_of(archive.entries().begin(), archive.entries().end(), [&](const ArchiveEntry& entry) {
        return entry.name.starts_with(folder) && !entry.name.ends_with('/');
    });
}

void check_sources(const Archive& archive, fmi::Version version, Findings& findings) {
    const bool sources = any_below(archive, "sources/");
    if (!sources && !any_below(archive, "binaries/"))
        findings.error("no-implementation", {}, "has neither binaries/ nor sources/",
                       "an FMU carries a library, source code, or both");
    if (sources && version == fmi::Version::fmi3 && !archive.has("sources/buildDescription.xml"))
        findings.error("build-description", "sources/",
                       "has no buildDescription.xml, which FMI 3.0 asks for");
    for (const ArchiveEntry& entry : archive.entries()) {
        const std::size_t slash = entry.name.rfind('/');
        const std::string_view file =
            std::string_view(entry.name).substr(slash == std::string::npos ? 0 : slash + 1);
        const bool header = (file.starts_with("fmi2") || file.starts_with("fmi3")) && file.ends_with(".h");
        if (header && entry.name.starts_with("sources/"))
            findings.warning("headers-shipped", printable(entry.name), "is a header of the standard",
                             "importers bring their own; leave it out");
    }
}

void check_documentation(const Archive& archive, const fmi::Description& description, Findings& findings) {
    const bool fmi3 = description.version == fmi::Version::fmi3;
    const std::string icon = fmi3 ? "terminalsAndIcons/icon.png" : "model.png";
    if (!archive.has(icon))
        findings.note("icon", {}, fmt::format("has no icon ({})", icon));
    if (!archive.has("documentation/index.html"))
        findings.note("documentation", {}, "has no documentation/index.html");
    if (!any_below(archive, "documentation/licenses/"))
        findings.note("licence", {}, "has no licences in documentation/licenses/");
    const bool explained = archive.has("documentation/externalDependencies.txt") ||
                           archive.has("documentation/externalDependencies.html");
    if (description.capabilities.needs_execution_tool && !explained)
        findings.add({fmi3 ? fmi::Severity::error : fmi::Severity::warning, "external-dependencies",
                      "documentation/", "needsExecutionTool is true, and nothing says which tool",
                      "describe it in documentation/externalDependencies.txt"});
}

} // namespace

void check_entries(const Archive& archive, Findings& findings) {
    for (const ArchiveEntry& entry : archive.entries())
        check_name(entry, findings);
    if (archive.has(description_file))
        return;
    const std::string wrapper = wrapper_folder(archive);
    findings.error("description-missing", {}, fmt::format("has no {}", description_file),
                   wrapper.empty()
                       ? "is this an FMU?"
                       : fmt::format("it is in {}/: pack the content of that folder, not the folder",
                                     printable(wrapper)));
}

void check_content(const Archive& archive, const fmi::Description& description, Findings& findings) {
    check_top_level(archive, description.version, findings);
    check_platforms(archive, description, findings);
    check_sources(archive, description.version, findings);
    check_documentation(archive, description, findings);
}

} // namespace tenon::check
