#pragma once
// Messages of an instance, by category, as both versions of FMI want them.

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace tenon::fmu {

/// In the order of log_categories.
enum class Category { error, discard, warning, info };

struct CategoryName {
    const char* name;
    const char* description;
};

/// What modelDescription.xml lists and the binary uses.
inline constexpr std::array<CategoryName, 4> log_categories = {{
    {"logStatusError", "why a call failed"},
    {"logStatusDiscard", "why a step or a value was refused, with the state unchanged"},
    {"logStatusWarning", "what was corrected or is doubtful"},
    {"logInfo", "model, integrator and start"},
}};

class Log {
  public:
    /// Gets category and text; the text is free of characters that FMI gives a meaning ('#' is doubled).
    using Sink = std::function<void(Category, const char* category, const char* text)>;

    explicit Log(Sink sink) : sink_(std::move(sink)) {}
    void enable(bool on) { enabled_.fill(on); }
    /// False where there is no such category.
    bool enable(std::string_view name, bool on);
    /// Errors may be wanted whatever is enabled (FMI 2.0).
    void always(Category category) { always_ = static_cast<int>(category); }
    void write(Category category, const std::string& text) const;

  private:
    Sink sink_;
    std::array<bool, log_categories.size()> enabled_{};
    int always_ = -1;
};

} // namespace tenon::fmu
