#include "tools/verbs/outputs.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/output_file.hpp"
#include "tools/results/recorder.hpp"
#include "tools/verbs/exit_code.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace tenon::verbs {

namespace fs = std::filesystem;

std::string output_file(const std::string& word) { return word == "-" ? "/dev/stdout" : word; }

bool is_stdout(const std::string& path) { return path == "/dev/stdout" || path == "/dev/fd/1"; }

namespace {

/// Follows links by hand, because the standard library stops at one whose target does not exist yet.
fs::path followed(fs::path path) {
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links)
        path = path.parent_path() / fs::read_symlink(path, error);
    return fs::weakly_canonical(fs::absolute(path), error);
}

} // namespace

bool same_file(const fs::path& a, const fs::path& b) {
    if (is_stream(a) || is_stream(b))
        return false;
    std::error_code error;
    if (fs::equivalent(a, b, error))
        return true;
    const fs::path target =
        followed(a); // empty where there can be no such file, for example for its long name
    return !target.empty() && target == followed(b);
}

void refuse_same_files(const std::vector<NamedFile>& files) {
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t j = i + 1; j < files.size(); ++j)
            if (!files[i].path.empty() && !files[j].path.empty() && same_file(files[i].path, files[j].path))
                throw Failure(ExitCode::usage,
                              fmt::format("{} and {} are the same file ({}); give each its own",
                                          files[i].what, files[j].what, files[j].path.string()));
}

bool is_input_name(const fs::path& path) {
    const fs::path ending = path.extension();
    return ending == ".toml" || ending == ".fmu" || ending == ".ssp";
}

namespace {

/// What files of an option are usually called.
std::string usual_ending(const std::string& option) {
    static const std::map<std::string, std::string> endings = {
        {"--out", "results end in .csv or .h5"},
        {"--json", "summaries end in .json"},
        {"--svg", "drawings end in .svg"},
        {"--log", "logs end in .log"},
        {"--checkpoint", "checkpoints end in .ckpt"},
    };
    const auto known = endings.find(option);
    return known == endings.end() ? "choose another name" : known->second;
}

} // namespace

void refuse_input_names(const std::vector<NamedFile>& files) {
    for (const NamedFile& file : files)
        if (is_input_name(file.path))
            throw Failure(ExitCode::usage,
                          fmt::format("{} would write over {}, the name of an input; {}", file.what,
                                      file.path.string(), usual_ending(file.what)));
}

void require_result_name(const fs::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (path.empty() || is_stream(path) || ending.empty() || ending == ".csv" || results::is_hdf5_name(path))
        return;
    throw Failure(ExitCode::usage,
                  fmt::format("--out {}: results are written as .csv, or as .h5 or .hdf5 (HDF5), not {}",
                              path.string(), ending));
}

void require_writable(const fs::path& path) {
    if (!is_stream(path))
        OutputFile(path).discard();
}

void write_new_file(const fs::path& path, std::string_view text) {
    std::FILE* file = std::fopen(path.c_str(), "wbx");
    if (!file && errno == EEXIST)
        throw Failure(
            ExitCode::output,
            fmt::format("{}: the file exists already; choose another name or remove it", path.string()));
    if (!file)
        throw OutputError(path.string(), std::strerror(errno));
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (std::fclose(file) == 0 && written)
        return;
    const OutputError error(path.string(), std::strerror(errno));
    std::remove(path.c_str()); // it was not there before
    throw error;
}

} // namespace tenon::verbs
