#include "tools/viewer/run_data.hpp"

#include "tools/files/json.hpp"
#include "tools/viewer/base64.hpp"

#include <bit>
#include <fmt/format.h>
#include <span>

namespace tenon::viewer {
namespace {

template <class Number> std::string packed(const std::vector<Number>& numbers) {
    static_assert(std::endian::native == std::endian::little, "the page reads little-endian arrays");
    const std::span bytes(reinterpret_cast<const unsigned char*>(numbers.data()),
                          numbers.size() * sizeof(Number));
    return '"' + base64(bytes) + '"';
}

std::string column_json(const results::ResultColumn& column, const ThinColumn& thin) {
    std::string json = fmt::format(R"({{"n":{},"u":{},"d":{},"o":{},"v":{})", json_string(column.name),
                                   json_string(column.unit), json_string(column.description),
                                   json_number(thin.offset), packed(thin.values));
    if (!thin.positions.empty())
        json += ",\"p\":" + packed(thin.positions);
    if (!thin.samples.empty())
        json += ",\"s\":" + packed(thin.samples);
    return json + '}';
}

std::string meshes_json(const std::optional<Scene>& scene) {
    std::string json = "{";
    if (scene)
        for (const Mesh& mesh : scene->meshes) {
            const std::span bytes(reinterpret_cast<const unsigned char*>(mesh.bytes.data()),
                                  mesh.bytes.size());
            json +=
                fmt::format("{}{}:\"{}\"", json.size() > 1 ? "," : "", json_string(mesh.file), base64(bytes));
        }
    return json + '}';
}

} // namespace

std::string script_safe(std::string json) {
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
        json.replace(at, 1, "\\u003c");
    return json;
}

void write_run(const RunData& run, const std::function<void(std::string_view)>& write) {
    const ThinResult& result = run.result;
    write(script_safe(
        fmt::format(R"({{"label":{},"file":{},"system":{},"rows":{},"stride":{},"stop":{},"frames":{})",
                    json_string(run.label), json_string(run.file), json_string(run.heading.system),
                    result.rows, result.thinning.stride, json_number(result.stop), packed(result.frames))));
    if (!result.thinning.whole())
        write(",\"buckets\":" + packed(result.buckets));
    write(",\n\"scene\":" + (run.scene ? script_safe(run.scene->json) : std::string("null")));
    write(",\n\"meshes\":" + script_safe(meshes_json(run.scene)));
    write(",\n\"columns\":[");
    for (std::size_t i = 0; i < result.columns.size(); ++i)
        write((i == 0 ? "\n" : ",\n") + script_safe(column_json(run.heading.columns[i], result.columns[i])));
    write("]}");
}

} // namespace tenon::viewer
