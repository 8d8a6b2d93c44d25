#include "tools/export/icon.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tenon {
namespace {

struct Colour {
    std::uint8_t r, g, b, a;
};
constexpr Colour clear{0, 0, 0, 0}, wood{205, 160, 105, 255}, dark{120, 80, 45, 255}, ink{60, 64, 72, 255},
    red{200, 60, 50, 255}, green{60, 150, 80, 255}, blue{50, 100, 190, 255};

class Picture {
  public:
    explicit Picture(int size) : size_(size), pixels_(static_cast<std::size_t>(size * size), clear) {}

    /// From (x0, y0) to (x1, y1), the last excluded; y downwards.
    void box(int x0, int y0, int x1, int y1, Colour colour) {
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x)
                pixels_[static_cast<std::size_t>(y * size_ + x)] = colour;
    }
    void ring(double cx, double cy, double outer, double inner, Colour colour) {
        for (int y = 0; y < size_; ++y)
            for (int x = 0; x < size_; ++x)
                if (const double d = std::hypot(x + 0.5 - cx, y + 0.5 - cy); d <= outer && d >= inner)
                    pixels_[static_cast<std::size_t>(y * size_ + x)] = colour;
    }
    std::string png() const;

  private:
    int size_;
    std::vector<Colour> pixels_;
};

void put32(std::string& out, std::uint32_t x) {
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>(x >> shift & 0xff);
}

std::uint32_t crc(const std::string& bytes) {
    std::uint32_t value = 0xffffffff;
    for (const char byte : bytes) {
        value ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0u);
    }
    return ~value;
}

void chunk(std::string& out, const std::string& type, const std::string& data) {
    put32(out, static_cast<std::uint32_t>(data.size()));
    put32(out += type + data, crc(type + data));
}

/// zlib without compression: the archive around it compresses.
std::string stored(const std::string& data) {
    std::string out = "\x78\x01";
    std::uint32_t a = 1, b = 0;
    for (const char byte : data) {
        a = (a + static_cast<std::uint8_t>(byte)) % 65521;
        b = (b + a) % 65521;
    }
    for (std::size_t at = 0; at < data.size(); at += 65535) {
        const auto n = static_cast<std::uint16_t>(std::min<std::size_t>(65535, data.size() - at));
        out += at + n == data.size() ? '\1' : '\0';
        for (const int word : {static_cast<int>(n), ~static_cast<int>(n)}) {
            out += static_cast<char>(word & 0xff);
            out += static_cast<char>(word >> 8 & 0xff);
        }
        out += data.substr(at, n);
    }
    put32(out, b << 16 | a);
    return out;
}

std::string Picture::png() const {
    std::string head, rows;
    put32(head, static_cast<std::uint32_t>(size_));
    put32(head, static_cast<std::uint32_t>(size_));
    head += std::string("\x08\x06\0\0\0", 5); // 8 bits, red green blue alpha
    for (int y = 0; y < size_; ++y) {
        rows += '\0';
        for (int x = 0; x < size_; ++x) {
            const Colour& c = pixels_[static_cast<std::size_t>(y * size_ + x)];
            for (const std::uint8_t byte : {c.r, c.g, c.b, c.a})
                rows += static_cast<char>(byte);
        }
    }
    std::string out = "\x89PNG\r\n\x1a\n";
    chunk(out, "IHDR", head);
    chunk(out, "IDAT", stored(rows));
    chunk(out, "IEND", "");
    return out;
}

} // namespace

std::string machine_icon() {
    Picture p(64);
    p.box(34, 6, 58, 58, dark); // the part with the mortise
    p.box(36, 8, 56, 56, wood);
    p.box(34, 24, 50, 40, dark); // the mortise
    p.box(6, 16, 30, 48, dark);  // the part with the tenon
    p.box(8, 18, 28, 46, wood);
    p.box(26, 26, 46, 38, wood); // the tenon
    p.ring(40, 32, 3, 0, dark);  // the peg
    return p.png();
}

std::string frame_icon_png() {
    Picture p(24);
    p.box(3, 19, 21, 21, red);
    p.box(3, 3, 5, 21, green);
    for (int i = 0; i < 12; ++i)
        p.box(4 + i, 18 - i, 6 + i, 20 - i, blue);
    return p.png();
}

std::string flange_icon_png() {
    Picture p(24);
    p.ring(12, 12, 11, 8, ink);
    p.ring(12, 12, 3, 0, ink);
    return p.png();
}

} // namespace tenon
