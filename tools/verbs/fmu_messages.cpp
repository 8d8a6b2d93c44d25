#include "tools/verbs/fmu_messages.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/output_file.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/outputs.hpp"

#include <fmt/format.h>
#include <utility>

namespace tenon::verbs {
namespace {

/// An FMU that finds new words in every step must not bury everything else.
constexpr std::size_t most_shown = 20;
constexpr std::size_t longest_line = 4096;

const char* word(fmi::Status status) {
    static constexpr const char* words[] = {"info", "warning", "discard", "error", "fatal"};
    return words[static_cast<int>(status)];
}

} // namespace

FmuMessages::FmuMessages(const std::string& file, std::function<void()> before) : before_(std::move(before)) {
    if (file.empty())
        return;
    file_.emplace(file);
    if (!is_stream(file))
        file_->truncate(0);
}

void FmuMessages::add(const std::string& fmu, fmi::Status status, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (file_)
        to_file(fmt::format("{}: {}: {}\n", fmu.empty() ? "master" : printable(fmu), word(status),
                            printable(text, longest_line)));
    else if (status != fmi::Status::ok && !fmu.empty())
        to_screen(fmt::format("fmu '{}': {}", printable(fmu), text), text, status >= fmi::Status::discard);
}

void FmuMessages::to_file(const std::string& line) {
    if (!problem_.empty())
        return;
    try {
        file_->write(line);
    } catch (const OutputError& error) { // no reason to end a run; said at its end
        problem_ = error.what();
    }
}

/// What may end the run is held back until something else is said, since the last line will most likely say it again.
void FmuMessages::to_screen(const std::string& line, const std::string& text, bool may_end_the_run) {
    if (const auto known = counts_.find(line); known != counts_.end()) {
        ++known->second;
        return;
    }
    if (counts_.size() == most_shown) {
        ++left_out_;
        return;
    }
    counts_[line] = 1;
    release();
    if (may_end_the_run)
        held_ = {line, text};
    else
        show(line);
}

void FmuMessages::show(const std::string& line) {
    before_();
    print_warning(line);
}

void FmuMessages::release() {
    if (!held_.line.empty())
        show(held_.line);
    held_ = {};
}

void FmuMessages::finish(const std::string& failure) {
    const std::lock_guard lock(mutex_);
    if (!held_.text.empty() && failure.find(printable(held_.text, longest_line)) != failure.npos) {
        counts_.erase(held_.line);
        held_ = {};
    }
    release();
    for (const auto& [line, count] : counts_)
        if (count > 1)
            show(fmt::format("{} ({} times)", line, count));
    counts_.clear();
    if (!problem_.empty())
        print_warning(problem_);
    if (left_out_ > 0)
        print_warning(
            fmt::format("{} of the FMUs not shown; --log FILE keeps all", counted(left_out_, "message")));
    problem_.clear();
    left_out_ = 0;
}

} // namespace tenon::verbs
