#pragma once
// Reads tests/reference/*.json: numbers to compare with, each file with its source. A small reader of its own, enough
// for files that are part of this repository; anything unexpected throws std::runtime_error.

#include "tests/support/folders.hpp"

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon::tests {

class Json {
  public:
    // Of a temporary everything is a copy, so that `for (... : reference("x")["rows"].items())` is safe.
    const Json& operator[](const std::string& key) const& {
        const auto found = members_.find(key);
        if (found == members_.end())
            throw std::runtime_error("no '" + key + "' in the reference");
        return found->second;
    }
    Json operator[](const std::string& key) && { return std::as_const(*this)[key]; }
    const Json& operator[](std::size_t i) const& { return items_.at(i); }
    Json operator[](std::size_t i) && { return items_.at(i); }
    std::size_t size() const { return items_.size(); }
    const std::vector<Json>& items() const& { return items_; }
    std::vector<Json> items() && { return std::move(items_); }
    const std::map<std::string, Json>& members() const& { return members_; }
    std::map<std::string, Json> members() && { return std::move(members_); }
    double number() const {
        if (!is_number_)
            throw std::runtime_error("the reference has no number where one was expected");
        return number_;
    }
    operator double() const { return number(); }
    std::vector<double> numbers() const {
        std::vector<double> out;
        for (const Json& item : items_)
            out.push_back(item.number());
        return out;
    }

    static Json parse(const std::string& text) {
        std::size_t at = 0;
        return value(text, at);
    }

  private:
    [[noreturn]] static void bad(std::size_t at) {
        throw std::runtime_error("bad JSON at character " + std::to_string(at));
    }
    static char next(const std::string& s, std::size_t& at) {
        while (at < s.size() && std::isspace(static_cast<unsigned char>(s[at])))
            ++at;
        if (at >= s.size())
            bad(at);
        return s[at];
    }
    static bool take(const std::string& s, std::size_t& at, char c) {
        if (next(s, at) != c)
            return false;
        ++at;
        return true;
    }
    static std::string quoted(const std::string& s, std::size_t& at) {
        if (!take(s, at, '"'))
            bad(at);
        std::string out;
        while (s.at(at) != '"') {
            if (s[at] == '\\')
                ++at;
            out += s.at(at++);
        }
        ++at;
        return out;
    }
    static Json value(const std::string& s, std::size_t& at) {
        Json out;
        const char c = next(s, at);
        if (c == '{') {
            ++at;
            while (!take(s, at, '}')) {
                const std::string key = quoted(s, at);
                if (!take(s, at, ':'))
                    bad(at);
                out.members_[key] = value(s, at);
                take(s, at, ',');
            }
        } else if (c == '[') {
            ++at;
            while (!take(s, at, ']')) {
                out.items_.push_back(value(s, at));
                take(s, at, ',');
            }
        } else if (c == '"') {
            out.text_ = quoted(s, at);
        } else if (std::isalpha(static_cast<unsigned char>(c))) { // true, false, null
            while (at < s.size() && std::isalpha(static_cast<unsigned char>(s[at])))
                out.text_ += s[at++];
        } else {
            const char* begin = s.c_str() + at;
            char* end = nullptr;
            out.number_ = std::strtod(begin, &end);
            if (end == begin)
                bad(at);
            out.is_number_ = true;
            at += static_cast<std::size_t>(end - begin);
        }
        return out;
    }

    std::map<std::string, Json> members_;
    std::vector<Json> items_;
    std::string text_;
    double number_ = 0;
    bool is_number_ = false;
};

/// tests/reference/<name>.json.
inline Json reference(const std::string& name) {
    const std::string path = source_folder() + "/tests/reference/" + name + ".json";
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    return Json::parse({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

} // namespace tenon::tests
