#include "tools/import/call_file.hpp"

#include "tools/files/errors.hpp"
#include "tools/import/call_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

namespace tenon::fmi {
namespace {

constexpr const char* first_line = "tenon-calls 1";

} // namespace

CallLines call_file(const std::filesystem::path& file, const std::string& fmu) {
    const std::shared_ptr<std::FILE> stream(std::fopen(file.c_str(), "w"), [](std::FILE* f) {
        if (f)
            std::fclose(f);
    });
    if (!stream)
        throw OutputError(file.string(), std::strerror(errno));
    CallLines lines = [stream, name = file.string()](const std::string& line) {
        if (std::fputs((line + "\n").c_str(), stream.get()) < 0 || std::fflush(stream.get()) != 0)
            throw OutputError(name, std::strerror(errno));
    };
    lines(first_line);
    lines("fmu " + quoted_word(fmu));
    return lines;
}

std::vector<std::string> read_calls(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream)
        throw InputError(InputFault::unreadable,
                         shown(file) + ": cannot be read (" + std::strerror(errno) + ")");
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    if (lines.size() <= call_file_head || lines[0] != first_line)
        throw bad_input(file.string(), 1,
                        "this is not a record of calls: it does not begin with '" + std::string(first_line) +
                            "' and have calls in it");
    return lines;
}

} // namespace tenon::fmi
