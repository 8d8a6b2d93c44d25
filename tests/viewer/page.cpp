#include "tools/viewer/page.hpp"

#include "tests/support/skip.hpp"
#include "tests/viewer/viewer_support.hpp"
#include "tools/files/errors.hpp"
#include "tools/viewer/base64.hpp"
#include "tools/viewer/run_data.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

using namespace tenon;
using namespace tenon::viewer;
using Json = nlohmann::json;

namespace {

constexpr std::string_view page_template = "<body><!--tenon-data--><script>0</script>";

std::string page_of(const std::vector<std::filesystem::path>& results) {
    std::string page;
    write_page(
        results, page_template, [&](std::string_view text) { page += text; }, [] {});
    return page;
}

/// What the page's own script would parse.
Json data_of(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"tenon-data\">";
    const std::size_t at = page.find(begin) + begin.size();
    return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

template <class Number> std::vector<Number> unpacked(const std::string& text) {
    const std::string bytes = from_base64(text);
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

} // namespace

TEST_CASE("base64 is that of RFC 4648, section 10", "[viewer]") {
    const auto encoded = [](std::string_view text) {
        return base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
    };
    CHECK(encoded("") == "");
    CHECK(encoded("f") == "Zg==");
    CHECK(encoded("fo") == "Zm8=");
    CHECK(encoded("foo") == "Zm9v");
    CHECK(encoded("foob") == "Zm9vYg==");
    CHECK(encoded("fooba") == "Zm9vYmE=");
    CHECK(encoded("foobar") == "Zm9vYmFy");
}

TEST_CASE("the numbers of a result are in the page", "[viewer]") {
    const Folder folder;
    folder.write("arm.csv", "time,arm.r_0[1],energy.total\n0,1,1000.5\n0.5,2.25,1000.25\n1,-3,1000\n");
    const Json run = data_of(page_of({folder.path / "arm.csv"}))["runs"][0];
    CHECK(run["label"] == "arm");
    CHECK(run["rows"] == 3);
    CHECK(run["scene"].is_null());
    CHECK(unpacked<double>(run["frames"]) == std::vector<double>{0, 0.5, 1});
    CHECK(run["columns"][1]["n"] == "energy.total");
    CHECK(run["columns"][1]["u"] == ""); // a CSV file alone has none
    CHECK(run["columns"][1]["o"] == 1000.5);
    CHECK(unpacked<float>(run["columns"][1]["v"]) == std::vector<float>{0, -0.25, -0.5});
}

TEST_CASE("nothing in names, scenes or file names can end the page's data early", "[viewer]") {
    const std::string hostile = "</script><script>alert(1)</script><!--";
    const Folder folder;
    folder.write("x.csv", "time,\"" + hostile + "\"\n0,1\n");
    Json scene = {{"format", "tenon-scene"}, {"version", 1}, {"name", hostile}, {"description", hostile}};
    scene["bodies"] = {{{"name", hostile}, {"shape", {{"type", "mesh"}, {"file", hostile + ".stl"}}}}};
    folder.write("x.scene.json", scene.dump());
    const std::string page = page_of({folder.path / "x.csv"});
    const Json run = data_of(page)["runs"][0];
    CHECK(run["columns"][0]["n"] == hostile);
    CHECK(run["scene"]["bodies"][0]["name"] == hostile);
    std::size_t scripts = 0;
    for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
        ++scripts;
    CHECK(scripts == 2); // the data, and the template's own
    CHECK(page.find("<!--") == std::string::npos);
    CHECK(script_safe("\"</script>\"") == "\"\\u003c/script>\"");
}

TEST_CASE("results of the same name are told apart by their folders", "[viewer]") {
    const Folder folder;
    std::filesystem::create_directory(folder.path / "a");
    folder.write("a/run.csv", "time,x\n0,1\n");
    folder.write("run.csv", "time,x\n0,1\n");
    const Json runs = data_of(page_of({folder.path / "a" / "run.csv", folder.path / "run.csv"}))["runs"];
    CHECK(runs[0]["label"] == (folder.path / "a" / "run.csv").string());
    CHECK(runs[1]["label"] == (folder.path / "run.csv").string());
}

TEST_CASE("a result without a row makes no page", "[viewer]") {
    const Folder folder;
    folder.write("none.csv", "time,x\n");
    CHECK_THROWS_AS(page_of({folder.path / "none.csv"}), InputError);
}

TEST_CASE("the built page has one place for the data and no address to load anything from", "[viewer]") {
    if (built_page().empty())
        return tests::skip("built without npm");
    const Template parts = split_template(built_page());
    CHECK(parts.after.find("<!--tenon-data-->") == std::string_view::npos);
    CHECK(built_page().size() < 3'000'000);
    CHECK(parts.before.find("default-src 'none'") != std::string_view::npos);
    CHECK_THROWS_AS(split_template("<html>"), std::logic_error);
}
