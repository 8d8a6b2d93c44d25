#pragma once
// "<fmu>.<variable>" and "<fmu>/<terminal>": which FMU is meant. Names of FMUs in an SSP may hold dots themselves.

#include "tools/system/system.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::system {

struct SplitName {
    std::size_t fmu = 0;
    std::string rest;
};

/// The names of a system's FMUs; made after they are all there, and refers to them.
class FmuNames {
  public:
    explicit FmuNames(const System& system);

    /// The longest name that `text` begins with, followed by `separator` and something more; nothing where there is none.
    std::optional<SplitName> split(std::string_view text, char separator) const;
    /// "did you mean ...?" about the part of `text` before the separator.
    std::string suggest(std::string_view text, char separator) const;

  private:
    std::map<std::string_view, std::size_t> names_;
};

/// "crank/tip" or "world".
std::string side_text(const System& system, const Side& side);

} // namespace tenon::system
