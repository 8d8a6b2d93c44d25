#include "tools/run/run.hpp"

#include "tools/files/errors.hpp"
#include "tools/run/number_text.hpp"

#include <fmt/format.h>

namespace tenon::run {

std::string Run::kept() {
    std::string text;
    if (!recorder_)
        return text;
    try {
        recorder_->close();
    } catch (const std::exception& error) {
        text = fmt::format("; {}", error.what());
    }
    if (recorder_->rows() > 0)
        text += fmt::format("; {} up to t = {:.12g} kept in {}", counted(recorder_->rows(), "row"),
                            recorder_->last_time(), shown(summary_.out));
    return text;
}

} // namespace tenon::run
