#include "tools/export/export_fmu.hpp"

#include "core/model/model_bytes.hpp"
#include "fmu/blueprint.hpp"
#include "modelDescription/writer.hpp"
#include "tools/export/describe.hpp"
#include "tools/export/describe_terminals.hpp"
#include "tools/export/documentation.hpp"
#include "tools/export/icon.hpp"
#include "tools/results/scene_writer.hpp"

namespace tenon {
namespace {

constexpr std::string_view layered_standard = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiLayeredStandardManifest
    xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest"
    fmi-ls:fmi-ls-name="dev.tenon.joint"
    fmi-ls:fmi-ls-version="1"
    fmi-ls:fmi-ls-description="Frames and flanges that can be joined: terminals dev.tenon.joint.*"/>
)";

} // namespace

std::vector<ArchiveContent> fmu_content(const Model& model, std::string_view text, fmi::Version version,
                                        const ExportOptions& options) {
    const fmu::Blueprint blueprint(model);
    const fmi::Description description =
        describe(blueprint, version, version == fmi::Version::fmi3 && !options.scalars);
    const std::vector<unsigned char> bytes = model_to_bytes(model);

    std::vector<ArchiveContent> content;
    content.push_back({"modelDescription.xml", fmi::write_description(description)});
    for (const Platform platform : options.platforms)
        content.push_back(library_content(version == fmi::Version::fmi2 ? FmuLibrary::fmi2 : FmuLibrary::fmi3,
                                          platform, description.capabilities.model_identifier));
    content.push_back({"documentation/index.html", documentation_page(model, description)});
    content.push_back({"documentation/licenses/license.txt", license_text()});
    if (!description.terminals.empty())
        content.push_back({"extra/dev.tenon.joint/fmi-ls-manifest.xml", std::string(layered_standard)});
    if (version == fmi::Version::fmi2)
        content.push_back({"model.png", machine_icon()});
    content.push_back({"resources/" + std::string(fmu::model_file), std::string(bytes.begin(), bytes.end())});
    if (!text.empty())
        content.push_back({"resources/model.toml", std::string(text)});
    content.push_back({"resources/scene.json", results::scene_json(model)});
    if (!description.terminals.empty()) {
        content.push_back({"terminalsAndIcons/" + std::string(flange_icon) + ".png", flange_icon_png()});
        content.push_back({"terminalsAndIcons/" + std::string(frame_icon) + ".png", frame_icon_png()});
    }
    if (version == fmi::Version::fmi3)
        content.push_back({"terminalsAndIcons/icon.png", machine_icon()});
    if (!description.terminals.empty())
        content.push_back({"terminalsAndIcons/terminalsAndIcons.xml", fmi::write_terminals(description)});
    return content;
}

} // namespace tenon
