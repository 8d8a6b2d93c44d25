// The schema and the key tables say what the reader does.

#include "tools/model_file/model_schema.hpp"
#include "core/integrators/integrator_types.hpp"
#include "tests/support/folders.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_format.hpp"

#include <catch2/catch.hpp>

using namespace tenon;

TEST_CASE("docs/model-file.md has the key tables of the format") {
    const std::string page = read_text_file(tests::source_folder() + "/docs/model-file.md", 1 << 20);
    CHECK(page.find(model_reference_markdown()) != std::string::npos);
}

TEST_CASE("docs/model-file.md names every integrator and option") {
    const std::string page = read_text_file(tests::source_folder() + "/docs/model-file.md", 1 << 20);
    for (const IntegratorType& type : integrator_types()) {
        const std::size_t row = page.find("| " + std::to_string(type.number) + " | `" + type.name + "` |");
        REQUIRE(row != std::string::npos);
        const std::string line = page.substr(row, page.find('\n', row) - row);
        for (const IntegratorOption& option : type.options)
            if (option.name == "accept_divergence" || option.name == "start") // of all methods: said once
                CHECK_THAT(page, Catch::Contains("All have `" + option.name + "`"));
            else
                CHECK_THAT(line, Catch::Contains("`" + option.name + "`"));
    }
}

TEST_CASE("the schema knows every table and key of the format") {
    const std::string schema = model_schema();
    for (const Section& section : model_sections()) {
        CHECK_THAT(schema, Catch::Contains("\"" + std::string(section.name) + "\": {"));
        for (const Key& key : section.keys)
            CHECK_THAT(schema, Catch::Contains("\"" + std::string(key.name) + "\": {"));
        for (const Variant& variant : section.variants)
            CHECK_THAT(schema, Catch::Contains("\"const\": \"" + std::string(variant.name) + "\""));
    }
    CHECK_THAT(schema, Catch::Contains("\"munthe-kaas\"") && Catch::Contains("\"stabilisation\""));
}

TEST_CASE("every joint type has a meaning and every key an example of its type") {
    for (const Section& section : model_sections()) {
        for (const Variant& variant : section.variants)
            CHECK_FALSE(variant.meaning.empty());
        for (const Key& key : section.keys)
            CHECK_FALSE(type_example(key.type).empty());
    }
}
