#include "core/model/model_bytes.hpp"

#include "core/math/error.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>

using namespace tenon;

namespace {

std::vector<std::filesystem::path> examples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(TENON_SOURCE_DIR "/examples"))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    return files;
}

Model ports_flanges() { return read_model(TENON_SOURCE_DIR "/examples/ports_flanges.toml"); }

} // namespace

TEST_CASE("a model's bytes give the same bytes again, for every example") {
    for (const auto& file : examples()) {
        INFO(file.string());
        const std::vector<unsigned char> bytes = model_to_bytes(read_model(file));
        CHECK(model_to_bytes(model_from_bytes(bytes)) == bytes);
    }
}

TEST_CASE("a model's bytes are refused when any one of them is changed or the end is missing") {
    const std::vector<unsigned char> bytes = model_to_bytes(ports_flanges());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<unsigned char> altered = bytes;
        altered[i] ^= 0x10;
        CHECK_THROWS_AS(model_from_bytes(altered), Error);
        CHECK_THROWS_AS(model_from_bytes(std::span(bytes).first(i)), Error);
    }
}

TEST_CASE("a model's bytes with a right checksum and wrong sizes are refused without a large allocation") {
    std::vector<unsigned char> bytes = model_to_bytes(ports_flanges());
    bytes.resize(bytes.size() - 8);
    for (std::size_t at = 8; at + 8 < bytes.size(); at += 3) {
        std::vector<unsigned char> altered = bytes;
        for (std::size_t i = 0; i < 6; ++i)
            altered[at + i] = 0xff;
        const std::uint64_t sum = checksum(altered);
        const auto* tail = reinterpret_cast<const unsigned char*>(&sum);
        altered.insert(altered.end(), tail, tail + 8);
        try {
            model_from_bytes(altered); // numbers of the model may be anything: validate() is for them
        } catch (const Error&) {
        }
    }
    SUCCEED();
}

TEST_CASE("the fingerprint follows what moves the machine and not what is drawn or said") {
    const Model model = ports_flanges();
    const std::uint64_t print = fingerprint(model);
    Model other = model;
    other.name = "else";
    other.description = "else";
    other.bodies[0].shape.radius = 7;
    other.solver.stop = 99;
    CHECK(fingerprint(other) == print);
    other = model;
    other.bodies[0].mass = std::nextafter(other.bodies[0].mass, 1e9);
    CHECK(fingerprint(other) != print);
    other = model;
    other.solver.step *= 2;
    CHECK(fingerprint(other) != print);
    other = model;
    other.ports[0].at.x() += 1e-12;
    CHECK(fingerprint(other) != print);
}
