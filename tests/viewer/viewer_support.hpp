#pragma once
// Files for tests of the viewer, and what undoes its encoding.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tenon::viewer {

/// A folder of this test alone, removed at its end.
struct Folder {
    std::filesystem::path path;

    Folder() {
        static std::atomic<int> count = 0;
        path = std::filesystem::temp_directory_path() /
               ("tenon-viewer-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }
};

inline std::string from_base64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, group = 0;
    for (const char c : text) {
        if (c == '=')
            break;
        group = (group << 6) | static_cast<unsigned>(digits.find(c));
        if ((bits += 6) >= 8) {
            bits -= 8;
            bytes += static_cast<char>((group >> bits) & 0xFFu);
        }
    }
    return bytes;
}

} // namespace tenon::viewer
