#pragma once
// FMUs in this process that end it: by a crash, or by calling exit as if they were alone.

#include <functional>
#include <string>

namespace tenon::verbs {

/// From construction to destruction, one line names the FMU that ends the process. There can be only one at a time.
class FmuEndGuard {
  public:
    /// `exits`: called where an FMU calls exit, with its name. The process ends behind it with exit code 70, whatever the
    /// FMU has asked for.
    explicit FmuEndGuard(std::function<void(const std::string& fmu)> exits);
    ~FmuEndGuard();
    FmuEndGuard(const FmuEndGuard&) = delete;
    FmuEndGuard& operator=(const FmuEndGuard&) = delete;

  private:
    static void at_exit();

    std::function<void(const std::string& fmu)> exits_;
};

} // namespace tenon::verbs
