#pragma once
// Small shared libraries byte by byte, with 32 or 64 bits, loaded at address 0x10000 and without section headers.

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::tests {

class ElfBuilder {
  public:
    static constexpr std::uint64_t base = 0x10000;

    struct Symbol {
        std::string name;
        int bind = 1, section = 1, version = 1;
    };

    explicit ElfBuilder(int bits) : is_64_(bits == 64) {}

    /// For the string table.
    std::uint64_t name(const std::string& text) {
        const std::uint64_t at = strings_.size();
        strings_ += text + '\0';
        return at;
    }
    void tag(std::uint64_t tag, std::uint64_t value) { dynamic_.push_back({tag, value}); }
    /// A tag that points at these bytes.
    void table(std::uint64_t tag_number, const std::string& bytes) {
        tag(tag_number, base + header_size() + tables_.size());
        tables_ += bytes;
    }
    void symbols(const std::vector<Symbol>& symbols) {
        std::string entries(is_64_ ? 24 : 16, '\0'), versions = number(0, 2);
        for (const Symbol& symbol : symbols) {
            entries += number(name(symbol.name), 4) + (is_64_ ? "" : number(0, 8));
            entries += number(static_cast<unsigned>(symbol.bind) << 4, 1) + number(0, 1);
            entries += number(static_cast<unsigned>(symbol.section), 2) + (is_64_ ? number(0, 16) : "");
            versions += number(static_cast<unsigned>(symbol.version), 2);
        }
        table(6, entries);
        table(0x6ffffff0, versions);
    }

    std::string bytes(std::uint64_t stack_flags = 6, bool with_stack = true) const {
        std::string dynamic;
        for (const auto& [tag_number, value] : dynamic_)
            dynamic += word(tag_number) + word(value);
        const std::uint64_t strings = header_size() + tables_.size(), dynamic_at = strings + strings_.size();
        dynamic += word(5) + word(base + strings) + word(10) + word(strings_.size()) + word(0) + word(0);
        const std::uint64_t size = dynamic_at + dynamic.size();
        return header() + segment(1, 5, 0, size) + segment(2, 6, dynamic_at, dynamic.size()) +
               segment(with_stack ? 0x6474e551 : 0, stack_flags, 0, 0) + tables_ + strings_ + dynamic;
    }

    static std::string number(std::uint64_t value, int size) {
        std::string text;
        for (int i = 0; i < size; ++i)
            text += static_cast<char>(i < 8 ? value >> 8 * i & 0xFF : 0);
        return text;
    }
    std::string word(std::uint64_t value) const { return number(value, is_64_ ? 8 : 4); }

  private:
    std::uint64_t header_size() const { return is_64_ ? 64 + 3 * 56 : 52 + 3 * 32; }
    std::string header() const {
        const std::uint64_t size = is_64_ ? 64 : 52;
        return std::string("\177ELF") + number(is_64_ ? 2 : 1, 1) + number(1, 1) + number(1, 1) +
               number(0, 9) + number(3, 2) + number(is_64_ ? 62 : 3, 2) + number(1, 4) + word(0) +
               word(size) + word(0) + number(0, 4) + number(size, 2) + number(is_64_ ? 56 : 32, 2) +
               number(3, 2) + number(0, 6);
    }
    std::string segment(std::uint64_t type, std::uint64_t flags, std::uint64_t at, std::uint64_t size) const {
        const std::string places = word(at) + word(base + at) + word(base + at) + word(size) + word(size);
        return is_64_ ? number(type, 4) + number(flags, 4) + places + word(1)
                      : number(type, 4) + places + number(flags, 4) + word(1);
    }

    struct Entry {
        std::uint64_t tag, value;
    };
    bool is_64_;
    std::string strings_ = std::string(1, '\0'), tables_;
    std::vector<Entry> dynamic_;
};

} // namespace tenon::tests
