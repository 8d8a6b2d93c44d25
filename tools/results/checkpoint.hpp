#pragma once
// A checkpoint: everything that `tenon resume` needs to go on with a run as if nothing had happened.

#include "tools/results/result_writer.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::results {

/// What the user has asked for, as far as it decides the numbers and rows of a run.
struct RunSettings {
    std::filesystem::path system;
    std::string method; ///< empty: the system's
    std::optional<double> step, stop;
    std::vector<std::string> set, vars; ///< as given
    std::filesystem::path out;          ///< empty: no results are written
    long every = 1;
    int threads = 1;
    bool isolate = false;
    bool accept_divergence = false; ///< FMUs of this program go on where a step cannot be believed

    bool operator==(const RunSettings&) const = default;
};

/// For the heading of result files.
std::string to_json(const RunSettings& settings);

/// A file of the run by its content.
struct ContentMark {
    std::string name;
    std::uint64_t checksum = 0;

    bool operator==(const ContentMark&) const = default;
};

struct Checkpoint {
    std::string program; ///< version of the command that wrote it
    RunSettings settings;
    std::vector<ContentMark> content; ///< of the system and its FMUs
    long step = 0;                    ///< macro steps done
    double time = 0;                  ///< reached by them
    bool finished = false;            ///< there is nothing left to do
    double wall_seconds = 0;          ///< of all commands that took part so far
    ResultMark results;
    std::vector<unsigned char> master; ///< Master::to_bytes()

    bool operator==(const Checkpoint&) const = default;
};

/// How every checkpoint begins.
inline constexpr std::string_view checkpoint_magic = "tenon checkpoint";

std::string checkpoint_to_bytes(const Checkpoint& checkpoint);
/// `file` is what messages call it. Throws InputError(malformed) for what is truncated, altered, foreign or of another format.
Checkpoint checkpoint_from_bytes(std::string_view bytes, const std::string& file);

} // namespace tenon::results
