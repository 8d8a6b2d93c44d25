#include "core/model/model_bytes.hpp"

#include "core/math/error.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/full_model.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>

using namespace tenon;

namespace {

std::vector<std::filesystem::path> examples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() + "/examples"))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    return files;
}

Model ports_flanges() { return read_model(tests::source_folder() + "/examples/ports_flanges.toml"); }

template <class T> decltype(auto) value_of(T& member) {
    if constexpr (requires { member.value; })
        return (member.value);
    else
        return (member);
}

/// Every member differs from that of a T by default, and so do the members of what is in its lists.
template <class T> void differs(const T& given) {
    const auto one = [](const auto& value, const auto& otherwise) {
        CHECK_FALSE(value == otherwise);
        if constexpr (requires { members(value, [](auto&&...) {}); })
            differs(value);
        else if constexpr (requires { members(value.front(), [](auto&&...) {}); })
            differs(value.front());
    };
    T otherwise;
    members(given, [&](auto&&... a) {
        members(otherwise, [&](auto&&... b) { (one(value_of(a), value_of(b)), ...); });
    });
}

/// The size of a struct with the listed members alone, in their order.
template <class T> std::size_t listed_size() {
    std::size_t size = 0;
    const auto fill = [&](std::size_t alignment) { size = (size + alignment - 1) / alignment * alignment; };
    T object;
    members(object, [&](auto&&... member) {
        ((fill(alignof(std::remove_cvref_t<decltype(value_of(member))>)), size += sizeof(value_of(member))),
         ...);
    });
    fill(alignof(T));
    return size;
}

} // namespace

TEST_CASE("a model's bytes give the same model again, for every example") {
    for (const auto& file : examples()) {
        INFO(file.string());
        const Model model = read_model(file);
        CHECK(model_from_bytes(model_to_bytes(model)) == model);
    }
}

TEST_CASE("no member of a model is lost in its bytes") {
    const Model model = tests::full_model();
    CHECK(model_from_bytes(model_to_bytes(model)) == model);
}

TEST_CASE("the model that tests bytes and text has a value of its own for every member") {
    differs(tests::full_model());
}

TEST_CASE("the lists of members are complete") {
    CHECK(listed_size<Shape>() == sizeof(Shape));
    CHECK(listed_size<Body>() == sizeof(Body));
    CHECK(listed_size<Friction>() == sizeof(Friction));
    CHECK(listed_size<Joint>() == sizeof(Joint));
    CHECK(listed_size<Formula>() == sizeof(Formula));
    CHECK(listed_size<Driver>() == sizeof(Driver));
    CHECK(listed_size<Force>() == sizeof(Force));
    CHECK(listed_size<Port>() == sizeof(Port));
    CHECK(listed_size<Flange>() == sizeof(Flange));
    CHECK(listed_size<Alias>() == sizeof(Alias));
    CHECK(listed_size<SolverSettings>() == sizeof(SolverSettings));
    CHECK(listed_size<Model>() == sizeof(Model));
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
