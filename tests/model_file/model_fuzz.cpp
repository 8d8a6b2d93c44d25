// Mutated model files: whatever they say, the answer is a model or an InputError of one line.

#include "tests/support/folders.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace tenon;

namespace {

/// Texts of the examples, the shortest first and of a size that keeps the test quick.
std::vector<std::string> seeds() {
    std::vector<std::string> texts;
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() + "/examples"))
        if (entry.path().extension() == ".toml" && entry.file_size() < 8000)
            texts.push_back(read_text_file(entry.path(), 8000));
    std::sort(texts.begin(), texts.end());
    return texts;
}

class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string mutated(std::string text, const std::vector<std::string>& others) {
        for (int count = 1 + pick(4); count > 0; --count)
            mutate(text, others[static_cast<std::size_t>(pick(static_cast<int>(others.size())))]);
        return text;
    }

  private:
    int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    std::size_t place(const std::string& text) {
        return static_cast<std::size_t>(pick(static_cast<int>(text.size()) + 1));
    }

    void mutate(std::string& text, const std::string& other) {
        static const std::vector<std::string> words = {"nan",
                                                       "inf",
                                                       "-1",
                                                       "0",
                                                       "1e308",
                                                       "-1e-320",
                                                       "9223372036854775807",
                                                       "\"\"",
                                                       "[]",
                                                       "{}",
                                                       "[[body]]\n",
                                                       "[joint]\n",
                                                       "\"world\"",
                                                       "true",
                                                       "=",
                                                       ",",
                                                       "\"",
                                                       "'''",
                                                       "\"\"\"",
                                                       "#",
                                                       "\\u0000",
                                                       "1979-05-27",
                                                       ".",
                                                       "[[",
                                                       "]]",
                                                       "{ axis = [0,0,0] }",
                                                       "\xff",
                                                       "\n",
                                                       "a.b.c = 1\n",
                                                       "type = \"gear\"\n",
                                                       "name = \"pin\"\n"};
        const std::size_t at = place(text), length = static_cast<std::size_t>(pick(40));
        switch (pick(7)) {
        case 0:
            text.erase(at, length);
            return;
        case 1:
            text.insert(at, words[static_cast<std::size_t>(pick(static_cast<int>(words.size())))]);
            return;
        case 2:
            if (at < text.size())
                text[at] = static_cast<char>(pick(256));
            return;
        case 3:
            text.insert(at, other.substr(place(other), length));
            return;
        case 4:
            return replace_number(text, words);
        case 5:
            return swap_lines(text);
        default:
            text.resize(at);
            return;
        }
    }

    void replace_number(std::string& text, const std::vector<std::string>& words) {
        const std::size_t start = text.find_first_of("0123456789", place(text));
        if (start == std::string::npos)
            return;
        const std::size_t end = text.find_first_not_of("0123456789.e-", start);
        text.replace(start, end - start, words[static_cast<std::size_t>(pick(8))]);
    }

    void swap_lines(std::string& text) {
        const std::size_t a = text.find('\n', place(text)),
                          b = a == std::string::npos ? a : text.find('\n', a + 1);
        if (b == std::string::npos)
            return;
        const std::string line = text.substr(a, b - a);
        text.erase(a, b - a);
        text.insert(std::min(text.size(), text.find('\n', place(text))), line);
    }

    std::mt19937 random_;
};

} // namespace

TEST_CASE("a mutated model file is a model or is refused in one line") {
    const std::vector<std::string> texts = seeds();
    REQUIRE(!texts.empty());
    Mutator mutator(20240601);
    int accepted = 0, refused = 0, without_line = 0;
    for (int i = 0; i < 4000; ++i) {
        const std::string text = mutator.mutated(texts[static_cast<std::size_t>(i) % texts.size()], texts);
        try {
            parse_model(text, "fuzz.toml");
            ++accepted;
        } catch (const InputError& error) {
            const std::string message = error.what();
            ++refused;
            without_line += message.rfind("fuzz.toml:", 0) != 0 || message.find(": ") == std::string::npos;
            without_line += message.find('\n') != std::string::npos || message.size() > 1100;
            if (!std::isdigit(static_cast<unsigned char>(message[10])))
                UNSCOPED_INFO(message), ++without_line;
        }
    }
    CHECK(without_line == 0);
    CHECK(accepted > 100);
    CHECK(refused > 1000);
}
