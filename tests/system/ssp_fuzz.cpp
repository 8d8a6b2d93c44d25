// Mutated SSPs and system files: whatever they say, the answer is a system or an InputError of one line.

#include "tools/system/system_toml.hpp"

#include "tests/system/ssp_support.hpp"

#include <random>

using namespace tenon;
using namespace tenon::system;

namespace {

class Mutator {
  public:
    Mutator(unsigned seed, std::vector<std::string> words) : random_(seed), words_(std::move(words)) {}

    std::string mutated(std::string text) {
        for (std::size_t count = 1 + pick(4); count > 0; --count)
            mutate(text);
        return text;
    }

  private:
    std::size_t pick(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

    void mutate(std::string& text) {
        const std::size_t at = pick(text.size() + 1), length = pick(40), from = pick(text.size() + 1);
        switch (pick(4)) {
        case 0:
            text.erase(at, length);
            return;
        case 1:
            text.insert(at, words_[pick(words_.size())]);
            return;
        case 2:
            text.insert(at, text.substr(from, length));
            return;
        default:
            if (at < text.size())
                text[at] = static_cast<char>(pick(256));
        }
    }

    std::mt19937 random_;
    std::vector<std::string> words_;
};

/// Whether it was accepted; fails where it throws something else, or more than a line.
template <class Read> bool accepted(Read read) {
    try {
        read();
        return true;
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return false;
    }
}

} // namespace

TEST_CASE("mutated SSPs are read or refused") {
    const Scratch folder;
    std::filesystem::create_directories(folder / "rig" / "resources");
    block().save(folder / "rig" / "resources" / "block.fmu");
    const std::string ports =
        "<ssd:Connectors>" + connector("y", "output") + connector("u", "input") + "</ssd:Connectors>";
    const std::string text = ssd(
        "<ssd:System name=\"root\"><ssd:Connectors>" + connector("i", "input") +
        "</ssd:Connectors>\n<ssd:Elements>\n" +
        component("a", "block.fmu",
                  ports + "<ssd:ParameterBindings><ssd:ParameterBinding prefix=\"\"><ssd:ParameterValues>" +
                      parameter_set_text(real("k", "2")) +
                      "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>") +
        "<ssd:System name=\"s\"><ssd:Connectors>" + connector("o", "output") +
        "</ssd:Connectors><ssd:Elements>" + component("b", "block.fmu", ports) +
        "</ssd:Elements><ssd:Connections>" + connection("b.y", "o") +
        "</ssd:Connections></ssd:System>\n</ssd:Elements><ssd:Connections>\n" +
        connection("s.o", "a.u", "<ssc:LinearTransformation factor=\"2\"/>") +
        "</ssd:Connections></ssd:System><ssd:DefaultExperiment startTime=\"0\" stopTime=\"1\"/>");
    Mutator mutator(1, {"\"",
                        "<",
                        "/>",
                        "&#0;",
                        "&amp;",
                        "..",
                        "resources/block.fmu",
                        "#root",
                        "name=\"a\"",
                        "1e999",
                        "-1",
                        "<ssd:Connection startConnector=\"i\" endConnector=\"o\"/>",
                        "startIndices=\"1 2\"",
                        "kind=\"output\"",
                        "<!DOCTYPE x>",
                        "<![CDATA[",
                        "xmlns=\"\"",
                        "version=\"2.0\"",
                        "\xff",
                        "\n"});
    int good = 0;
    for (int i = 0; i < 400; ++i) {
        write_text_file(folder / "rig" / "SystemStructure.ssd", i == 0 ? text : mutator.mutated(text));
        good += accepted([&] { check_system(read_system(folder / "rig")); });
    }
    CHECK(good > 10);
    CHECK(good < 390);
}

TEST_CASE("mutated system files are read or refused") {
    const Scratch folder;
    block().save(folder / "a.fmu");
    const std::string text =
        "[system]\nname = \"x\"\n[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\nset = { k = 2.0, u = 1 }\n"
        "[[fmu]]\nname = \"b\"\nfile = \"a.fmu\"\n[[connection]]\nfrom = \"a.y\"\nto = \"b.u\"\nfactor = 2\n"
        "[[joint]]\nname = \"p\"\ntype = \"revolute\"\na = \"a/t\"\nb = \"world\"\naxis = [0, 0, 1]\n"
        "[master]\nstep = 0.1\nmethod = \"jacobi\"\n";
    Mutator mutator(2, {"\"", "[", "]", "nan", "1e999", "-1", "[[joint]]\n", "[[fmu]]\n", "set = {}\n",
                        "a.b.c", "= 3", "true", "{ time = [0, 1] }", "\\u0000", "\xff", "\n"});
    int good = 0;
    const std::string without_joint =
        text.substr(0, text.find("[[joint]]")) + text.substr(text.find("[master]"));
    for (int i = 0; i < 600; ++i) {
        const std::string& seed = i % 2 ? text : without_joint;
        good += accepted([&] {
            check_system(parse_system(i == 0 ? seed : mutator.mutated(seed), (folder / "s.toml").string()));
        });
    }
    CHECK(good > 0);
    CHECK(good < 590);
}
