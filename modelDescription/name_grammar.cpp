#include "modelDescription/name_grammar.hpp"

#include "modelDescription/identifier.hpp"

namespace tenon::fmi {
namespace {

class NameParser {
  public:
    explicit NameParser(std::string_view name) : rest_(name) {}

    bool parse() {
        if (!take("der("))
            return identifier() && rest_.empty();
        return identifier() && (!take(",") || integer()) && take(")") && rest_.empty();
    }

  private:
    bool take(std::string_view token) {
        if (!rest_.starts_with(token))
            return false;
        rest_.remove_prefix(token.size());
        return true;
    }

    template <typename Accept> bool one_or_more(Accept accept) {
        std::size_t count = 0;
        while (count < rest_.size() && accept(rest_[count]))
            ++count;
        rest_.remove_prefix(count);
        return count > 0;
    }

    bool integer() { return one_or_more(is_digit); }

    bool identifier() {
        do {
            if (!part())
                return false;
        } while (take("."));
        return true;
    }

    bool part() {
        if (take("'")) {
            if (!quoted())
                return false;
        } else {
            if (rest_.empty() || is_digit(rest_.front()) ||
                !one_or_more([](char c) { return is_letter(c) || is_digit(c); }))
                return false;
        }
        return !take("[") || indices();
    }

    bool indices() {
        do {
            if (!integer())
                return false;
        } while (take(","));
        return take("]");
    }

    bool quoted() {
        bool empty = true;
        for (; !take("'"); empty = false) {
            if (take("\\")) {
                if (rest_.empty() || std::string_view("'\"?\\abfnrtv").find(rest_.front()) == rest_.npos)
                    return false;
            } else if (rest_.empty() || rest_.front() < ' ' || rest_.front() > '~' || rest_.front() == '"' ||
                       rest_.front() == '`') {
                return false;
            }
            rest_.remove_prefix(1);
        }
        return !empty;
    }

    std::string_view rest_;
};

} // namespace

bool is_structured_name(std::string_view name) { return NameParser(name).parse(); }

std::string_view array_of_element(std::string_view name) {
    if (!name.ends_with(']'))
        return {};
    const std::size_t opening = name.rfind('[');
    return opening == name.npos ? std::string_view{} : name.substr(0, opening);
}

} // namespace tenon::fmi
