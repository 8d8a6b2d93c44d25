#include "fmu/system.hpp"

#include "core/math/error.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // which libstdc++ defines
#define NOMINMAX
#endif
#include <windows.h>

#include <algorithm>
#include <utility>
#endif

namespace tenon::fmu {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

#if defined(_WIN32)

/// From UTF-8, or from the code page of the system where it is not UTF-8: some importers know no better.
std::wstring wide(const std::string& text) {
    for (const auto& [page, flags] : {std::pair<UINT, DWORD>(CP_UTF8, MB_ERR_INVALID_CHARS), {CP_ACP, 0}}) {
        const int bytes = static_cast<int>(text.size());
        const int size = MultiByteToWideChar(page, flags, text.data(), bytes, nullptr, 0);
        if (size <= 0)
            continue;
        std::wstring result(static_cast<std::size_t>(size), L'\0');
        MultiByteToWideChar(page, flags, text.data(), bytes, result.data(), size);
        return result;
    }
    return {};
}

std::string narrow(const std::wstring& text) {
    const int units = static_cast<int>(text.size());
    const int size = WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<std::size_t>(std::max(size, 0)), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text.data(), units, result.data(), size, nullptr, nullptr);
    return result;
}

File open(const std::string& path) { return {_wfopen(wide(path).c_str(), L"rb"), std::fclose}; }

#else

File open(const std::string& path) { return {std::fopen(path.c_str(), "rb"), std::fclose}; }

#endif

} // namespace

std::vector<unsigned char> read_file(const std::string& path) {
    const File file = open(path);
    if (!file)
        throw Error(ErrorKind::model, "cannot open '" + path + "'; are the resources of the FMU unpacked?");
    std::vector<unsigned char> bytes;
    unsigned char block[1 << 16];
    while (const std::size_t n = std::fread(block, 1, sizeof block, file.get()))
        bytes.insert(bytes.end(), block, block + n);
    if (std::ferror(file.get()) != 0)
        throw Error(ErrorKind::model, "cannot read '" + path + "'");
    return bytes;
}

#if defined(_WIN32)

std::string own_file() {
    HMODULE module = nullptr;
    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                               GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           reinterpret_cast<LPCWSTR>(&own_file), &module) == 0)
        return {};
    std::wstring path(32768, L'\0'); // the longest that there is
    const DWORD size = GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size()));
    path.resize(size < path.size() ? size : 0);
    std::string file = narrow(path);
    std::ranges::replace(file, '\\', '/');
    return file;
}

#else

// dladdr() would do, but its symbol version is that of a newer glibc.
std::string own_file() {
    const auto here = reinterpret_cast<std::uintptr_t>(&own_file);
    const File maps = open("/proc/self/maps");
    char line[8192];
    while (maps && std::fgets(line, sizeof line, maps.get()) != nullptr) {
        unsigned long begin = 0, end = 0;
        if (std::sscanf(line, "%lx-%lx", &begin, &end) != 2 || here < begin || here >= end)
            continue;
        if (const char* path = std::strchr(line, '/')) {
            std::string file = path;
            while (!file.empty() && file.back() == '\n')
                file.pop_back();
            return file;
        }
    }
    return {};
}

#endif

} // namespace tenon::fmu
