#include "tools/import/replayed_calls.hpp"

#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/call_file.hpp"
#include "tools/import/call_text.hpp"
#include "tools/import/recorded_calls.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace tenon::fmi {
namespace {

constexpr std::size_t most_values = 100'000'000; // as arrays of a description

struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Words = std::vector<std::string_view>;

/// Words between blanks; a colon ends a group of them.
std::vector<Words> groups_of(std::string_view line) {
    std::vector<Words> groups(1);
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (const std::string_view one = line.substr(0, end); one == ":")
            groups.emplace_back();
        else if (!one.empty())
            groups.back().push_back(one);
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return groups;
}

class Player {
  public:
    Player(const std::filesystem::path& file, const MakeSlave& make, LogSink log)
        : file_(file.string()), lines_(read_calls(file)), at_(call_file_head) {
        take_line();
        const Words words = group(0);
        if (words.size() < 5 || words[0] != "instance")
            malformed("the first call makes an instance");
        InstanceOptions options;
        options.name = value<std::string>(words[1]);
        options.event_mode = value<bool>(words[2]);
        options.early_return = value<bool>(words[3]);
        options.intermediate = values<Reference>(group(1));
        options.log = [this, log = std::move(log)](Status status, const std::string& category,
                                                   const std::string& text) {
            if (log && !is_over_)
                log(status, category, text);
        };
        if (value<bool>(words[4]))
            options.intermediate_update = [this](const IntermediateUpdate&) { return answer_update(); };
        const CallLines lines = [this](const std::string& line) { compare(line); };
        slave_ = std::make_unique<RecordedSlave>(make(recorded(std::move(options), lines)), lines);
    }

    /// A record that ends early, or an answer that differs, leaves states that nobody has discarded.
    ~Player() {
        is_over_ = true;
        for (auto& [number, state] : states_)
            try {
                slave_->discard(state);
            } catch (...) { // the replay has said what there is to say
            }
    }
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    ReplayResult play() {
        ReplayResult result;
        try {
            for (; at_ < lines_.size(); ++result.calls)
                make_call();
        } catch (const Difference& difference) {
            result.line = std::min(at_, lines_.size() - 1) + 1;
            result.difference = difference.what();
        }
        return result;
    }

  private:
    /// Gets every line that would be written now. Calls are those of the file; what the FMU does is compared with it.
    void compare(const std::string& line) {
        if (is_over_)
            return;
        const bool is_the_fmus = line.starts_with("= ") || line.starts_with("update ");
        if (is_the_fmus && at_ >= lines_.size())
            throw Difference(fmt::format("'{}' gives '{}', and the record ends there", printable(call_, 200),
                                         printable(line, 200)));
        if (is_the_fmus && lines_[at_] != line)
            throw Difference(fmt::format("'{}' gives '{}' instead of '{}'", printable(call_, 200),
                                         printable(line, 200), printable(lines_[at_], 200)));
        ++at_;
    }

    void take_line() {
        if (at_ >= lines_.size())
            malformed("the record ends within a step");
        call_ = lines_[at_];
        groups_ = groups_of(call_);
    }

    /// The calls that were made in an intermediate update, up to its end.
    std::optional<double> answer_update() {
        if (is_over_)
            return {};
        const std::string step = call_;
        for (take_line(); group(0).empty() || group(0)[0] != "updated"; take_line())
            make_call();
        const std::optional<double> end = optional(0, 1);
        call_ = step;
        return end;
    }

    void make_call() {
        take_line();
        const Words words = group(0);
        const auto found = words.empty() ? calls.end() : calls.find(words[0]);
        if (found == calls.end())
            malformed("there is no such call");
        (this->*found->second)();
    }

    [[noreturn]] void malformed(const std::string& why) const {
        throw bad_input(file_, static_cast<int>(at_ + 1), why + " ('" + printable(call_, 200) + "')");
    }
    const Words& group(std::size_t i) const {
        if (i >= groups_.size())
            malformed("there is too little in this line");
        return groups_[i];
    }
    std::string_view word_at(std::size_t of_group, std::size_t i) const {
        if (i >= group(of_group).size())
            malformed("there is too little in this line");
        return groups_[of_group][i];
    }
    template <class Value> Value value(std::string_view text) const {
        Value result{};
        if (!read_word(text, result))
            malformed("'" + printable(text, 80) + "' is not a value");
        return result;
    }
    template <class Value> Value value(std::size_t of_group, std::size_t i) const {
        return value<Value>(word_at(of_group, i));
    }
    std::optional<double> optional(std::size_t of_group, std::size_t i) const {
        return word_at(of_group, i) == "-" ? std::nullopt : std::optional(value<double>(of_group, i));
    }
    template <class Value> std::vector<Value> values(const Words& words, std::size_t from = 0) const {
        std::vector<Value> result;
        for (std::size_t i = from; i < words.size(); ++i)
            result.push_back(value<Value>(words[i]));
        return result;
    }
    std::size_t count(std::size_t of_group) const {
        const auto n = value<std::size_t>(of_group, 0);
        if (n > most_values)
            malformed("so many values are too many");
        return n;
    }
    Type type() const {
        const auto found = from_word<Type>(type_words, word_at(0, 1));
        return found ? *found : (malformed("there is no such type"), Type::float64);
    }
    StateHandle& state() { return states_[value<std::size_t>(0, 1)]; }

    void set_debug_logging() { slave_->set_debug_logging(value<bool>(0, 1), values<std::string>(group(1))); }
    void enter_initialization() {
        slave_->enter_initialization(value<double>(0, 1), optional(0, 2), optional(0, 3));
    }
    void exit_initialization() { slave_->exit_initialization(); }
    void enter_configuration() { slave_->enter_configuration(); }
    void exit_configuration() { slave_->exit_configuration(); }
    void terminate() { slave_->terminate(); }
    void reset() { slave_->reset(); }
    void get() {
        const Type kind = type();
        const std::size_t n = count(1);
        with_value_type(kind, [&]<class Value>(Value*) {
            const auto to = std::make_unique<Value[]>(n);
            slave_->get(kind, values<Reference>(group(0), 2), to.get(), n);
        });
    }
    void set() {
        const Type kind = type();
        const std::size_t n = group(1).size();
        with_value_type(kind, [&]<class Value>(Value*) {
            const auto from = std::make_unique<Value[]>(n);
            for (std::size_t i = 0; i < n; ++i)
                from[i] = value<Value>(1, i);
            slave_->set(kind, values<Reference>(group(0), 2), from.get(), n);
        });
    }
    void set_input_derivatives() {
        slave_->set_input_derivatives(values<Reference>(group(0), 1), values<std::int32_t>(group(1)),
                                      values<double>(group(2)));
    }
    void get_output_derivatives() {
        std::vector<double> to(count(2));
        slave_->get_output_derivatives(values<Reference>(group(0), 1), values<std::int32_t>(group(1)), to);
    }
    void step() { slave_->step(value<double>(0, 1), value<double>(0, 2), value<bool>(0, 3)); }
    void enter_event_mode() { slave_->enter_event_mode(); }
    void update_discrete_states() { slave_->update_discrete_states(); }
    void enter_step_mode() { slave_->enter_step_mode(); }
    void save() { slave_->save(state()); }
    void restore() { slave_->restore(state()); }
    void discard() { slave_->discard(state()); }
    void serialize() {
        std::vector<unsigned char> bytes;
        slave_->serialize(state(), bytes);
    }
    void deserialize() {
        const auto text = value<std::string>(0, 2);
        slave_->deserialize(std::vector<unsigned char>(text.begin(), text.end()), state());
    }
    void directional_derivative() {
        std::vector<double> to(count(3));
        slave_->directional_derivative(values<Reference>(group(0), 1), values<Reference>(group(1)),
                                       values<double>(group(2)), to);
    }
    void adjoint_derivative() {
        std::vector<double> to(count(3));
        slave_->adjoint_derivative(values<Reference>(group(0), 1), values<Reference>(group(1)),
                                   values<double>(group(2)), to);
    }

    static const std::map<std::string_view, void (Player::*)()> calls;

    std::string file_;
    std::vector<std::string> lines_;
    std::size_t at_ = 0;        ///< the line to come
    std::string call_;          ///< the one under way
    std::vector<Words> groups_; ///< its words
    std::map<std::size_t, StateHandle> states_;
    std::unique_ptr<Slave> slave_;
    bool is_over_ = false;
};

const std::map<std::string_view, void (Player::*)()> Player::calls = {
    {"set_debug_logging", &Player::set_debug_logging},
    {"enter_initialization", &Player::enter_initialization},
    {"exit_initialization", &Player::exit_initialization},
    {"enter_configuration", &Player::enter_configuration},
    {"exit_configuration", &Player::exit_configuration},
    {"terminate", &Player::terminate},
    {"reset", &Player::reset},
    {"get", &Player::get},
    {"set", &Player::set},
    {"set_input_derivatives", &Player::set_input_derivatives},
    {"get_output_derivatives", &Player::get_output_derivatives},
    {"step", &Player::step},
    {"enter_event_mode", &Player::enter_event_mode},
    {"update_discrete_states", &Player::update_discrete_states},
    {"enter_step_mode", &Player::enter_step_mode},
    {"save", &Player::save},
    {"restore", &Player::restore},
    {"discard", &Player::discard},
    {"serialize", &Player::serialize},
    {"deserialize", &Player::deserialize},
    {"directional_derivative", &Player::directional_derivative},
    {"adjoint_derivative", &Player::adjoint_derivative}};

} // namespace

ReplayResult replay_calls(const std::filesystem::path& file, const MakeSlave& make, LogSink log) {
    return Player(file, make, std::move(log)).play();
}

} // namespace tenon::fmi
