#include "tools/import/foreign_text.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace tenon::fmi {
namespace {

constexpr std::uintptr_t page = 4096; ///< or a multiple of it

/// Whether the page of an address can be read. The kernel copies the signal set that it is given before it looks at what is to be
/// done with it, and -1 is nothing that could be: nothing changes, and a bad address is EFAULT.
bool is_readable(std::uintptr_t address) {
    const auto aligned = address & ~std::uintptr_t{7};
    constexpr int nothing = -1;
    return ::syscall(SYS_rt_sigprocmask, nothing, aligned, nullptr, 8) == 0 || errno != EFAULT;
}

/// The arguments of a format, as an object that functions can share.
struct Arguments {
    std::va_list list;
};

/// "%-5.2lf" in its parts.
struct Conversion {
    std::string flags, length;
    int width = -1, precision = -1;
    char kind = 0;

    std::string pattern(const char* as) const {
        std::string text = "%" + flags;
        if (width >= 0)
            text += std::to_string(width);
        if (precision >= 0)
            text += "." + std::to_string(precision);
        return text + as + kind;
    }
};

template <class T> std::string written(const Conversion& conversion, const char* length, T value) {
    std::array<char, longest_message + 1> text{};
    std::snprintf(text.data(), text.size(), conversion.pattern(length).c_str(), value);
    return text.data();
}

int bounded(long number) { return static_cast<int>(std::clamp<long>(number, 0, longest_message)); }

/// Digits or a star.
int read_number(const std::string& text, std::size_t& at, Arguments& arguments, std::string* flags) {
    if (at < text.size() && text[at] == '*') {
        ++at;
        const int number = va_arg(arguments.list, int);
        if (number < 0 && flags)
            *flags += '-';
        return number < 0 && !flags ? -1 : bounded(std::labs(number));
    }
    long number = 0;
    for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
        number = std::min<long>(10 * number + (text[at] - '0'), longest_message);
    return bounded(number);
}

/// From behind the percent sign.
Conversion read_conversion(const std::string& text, std::size_t& at, Arguments& arguments) {
    Conversion c;
    for (; at < text.size() && std::strchr("-+ #0'", text[at]); ++at)
        c.flags += text[at];
    if (at < text.size() && (text[at] == '*' || std::isdigit(static_cast<unsigned char>(text[at]))))
        c.width = read_number(text, at, arguments, &c.flags);
    if (at < text.size() && text[at] == '.')
        c.precision = read_number(text, ++at, arguments, nullptr);
    for (; at < text.size() && std::strchr("hlLjztq", text[at]); ++at)
        c.length += text[at];
    if (at < text.size())
        c.kind = text[at++];
    return c;
}

std::string text_of(const Conversion& c, const char* pointer) {
    Conversion plain = c;
    plain.kind = 's';
    const std::size_t longest = c.precision >= 0 ? static_cast<std::size_t>(c.precision) : longest_message;
    return written(plain, "", (pointer ? foreign_text(pointer, longest) : "(null)").c_str());
}

std::string integer(const Conversion& c, Arguments& arguments) {
    const bool is_long = c.length == "l" || c.length == "ll" || c.length == "q" || c.length == "j" ||
                         c.length == "z" || c.length == "t";
    if (is_long)
        return written(c, "ll", va_arg(arguments.list, long long));
    return written(c, c.length == "h" || c.length == "hh" ? c.length.c_str() : "",
                   va_arg(arguments.list, int));
}

/// False: nobody knows this conversion.
bool append(std::string& out, const Conversion& c, Arguments& arguments) {
    switch (c.kind) {
    case '%':
        out += '%';
        return true;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        out += integer(c, arguments);
        return true;
    case 'c':
        out += written(c, "", va_arg(arguments.list, int));
        return true;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        out += c.length == "L" ? written(c, "L", va_arg(arguments.list, long double))
                               : written(c, "", va_arg(arguments.list, double));
        return true;
    case 'p':
        out += written(c, "", va_arg(arguments.list, void*));
        return true;
    case 's': {
        const char* pointer = va_arg(arguments.list, const char*);
        out += c.length == "l" ? "(wide text)" : text_of(c, pointer);
        return true;
    }
    case 'n':
        static_cast<void>(va_arg(arguments.list, void*));
        return true;
    default:
        return false;
    }
}

} // namespace

std::string foreign_text(const char* text, std::size_t longest) {
    std::string result;
    while (text && result.size() < longest) {
        const auto address = reinterpret_cast<std::uintptr_t>(text) + result.size();
        if (!is_readable(address))
            return result.empty() ? "(unreadable)" : result;
        const std::size_t room = std::min<std::size_t>(page - address % page, longest - result.size());
        const std::size_t length = ::strnlen(text + result.size(), room);
        result.append(text + result.size(), length);
        if (length < room)
            break;
    }
    return result;
}

std::string foreign_format(const char* format, std::va_list list) {
    const std::string text = foreign_text(format);
    Arguments arguments;
    va_copy(arguments.list, list);
    std::string out;
    for (std::size_t at = 0; at < text.size() && out.size() < longest_message;) {
        const std::size_t percent = std::min(text.find('%', at), text.size());
        out.append(text, at, percent - at);
        if (percent == text.size())
            break;
        at = percent + 1;
        if (!append(out, read_conversion(text, at, arguments), arguments)) {
            out.append(text, percent);
            break;
        }
    }
    va_end(arguments.list);
    out.resize(std::min(out.size(), longest_message));
    return out;
}

} // namespace tenon::fmi
