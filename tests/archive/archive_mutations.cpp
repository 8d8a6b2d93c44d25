// Mutated archives: the answer is the content, or an InputError of one line; and nothing is left behind.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"

#include "tests/archive/zip_builder.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

std::vector<std::string> seeds() {
    const std::string text(3000, 'x');
    return {
        ZipFile{{entry("modelDescription.xml", text), folder("resources/"), entry("resources/a", "abc", 0)}}
            .bytes(),
        ZipFile{{entry("a", text).streamed(), entry("b", "abc", 0).streamed(8), entry("c/d/e", text)}}
            .bytes(),
        ZipFile{{entry("a", text)}, "", "", zip64_end(1, 47, 31 + deflated(text).size()), "comment", ""}
            .bytes()};
}

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::string mutated(std::string bytes) {
        for (int count = 1 + random_.below(3); count > 0; --count)
            mutate(bytes);
        return bytes;
    }

  private:
    std::size_t place(const std::string& bytes) {
        return static_cast<std::size_t>(random_.below(static_cast<int>(bytes.size()) + 1));
    }

    void mutate(std::string& bytes) {
        const std::size_t at = place(bytes), length = static_cast<std::size_t>(random_.below(40));
        const auto byte = static_cast<char>(random_.below(256));
        switch (random_.below(7)) {
        case 0:
            bytes.erase(at, length);
            return;
        case 1:
            bytes.insert(at, length, byte);
            return;
        case 2: // a number at the end of its range
            bytes.replace(at, 1u << random_.below(4), static_cast<std::size_t>(1) << random_.below(4),
                          random_.below(2) ? '\xff' : '\0');
            return;
        case 3:
            bytes.insert(at, bytes.substr(place(bytes), length));
            return;
        case 4:
            bytes.resize(at);
            return;
        default:
            if (at < bytes.size())
                bytes[at] = byte;
        }
    }

    Random random_;
};

} // namespace

TEST_CASE("a mutated archive is read or refused in one line") {
    const std::vector<std::string> good = seeds();
    const Scratch scratch;
    Mutator mutator(20250301);
    int opened = 0, sound = 0, refused = 0, wrong = 0;
    for (std::size_t i = 0; i < 6000; ++i) {
        const auto file = written(scratch, mutator.mutated(good[i % good.size()]), "m.zip");
        try {
            const Archive archive(file);
            ++opened;
            for (const ArchiveEntry& found : archive.entries())
                wrong += archive.read(found.name).size() != found.size;
            ++sound;
        } catch (const InputError& error) {
            const std::string message = error.what();
            ++refused;
            wrong += error.fault() != InputFault::malformed || message.find('\n') != std::string::npos ||
                     message.rfind(file.string() + ": ", 0) != 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(opened > sound); // some lie in their content only
    CHECK(sound > 50);
    CHECK(refused > 4000);
    CHECK(scratch.files() == 1);
}
