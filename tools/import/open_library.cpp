#include "tools/import/open_library.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace tenon::fmi {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_loader_message = 500;
constexpr std::string_view undefined = "undefined symbol: ";
/// Minor versions of Python 3 that are looked for.
constexpr int newest_python = 30, oldest_python = 7;

bool wants_python(std::string_view message) {
    const std::size_t at = message.find(undefined);
    return at != message.npos && is_of_python(message.substr(at + undefined.size()));
}

/// What to do about a message of the loader.
std::string_view hint(std::string_view message) {
    const auto says = [&](std::string_view part) { return message.find(part) != message.npos; };
    if (says("cannot open shared object file"))
        return "; install that library, or have it packed beside the FMU's own";
    if (wants_python(message))
        return "; the FMU is written in Python, whose library is not found or does not have it: install "
               "libpython3, or name the right one in LD_PRELOAD";
    if (says(undefined))
        return "; the FMU was linked incompletely";
    if (says("version `"))
        return "; the FMU was built on a newer system than this";
    if (says("failed to map segment"))
        return "; TMPDIR must name a folder from which programs may run";
    return "";
}

/// dlerror() without the folder, whose name says nothing to anybody.
std::string loader_message(const fs::path& folder) {
    const char* text = ::dlerror();
    std::string message = text ? text : "no reason is known";
    const std::string prefix = folder.string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != message.npos;)
        message.erase(at, prefix.size());
    return printable(message, longest_loader_message);
}

/// The program that `python3` is, without links; empty where there is none.
fs::path python_program() {
    const char* path = std::getenv("PATH");
    std::string_view folders = path ? path : "";
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        std::error_code none;
        if (const fs::path program = fs::canonical(fs::path(folder) / "python3", none); !none)
            return program;
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    }
    return {};
}

/// Its functions are there for all libraries that are loaded later, until the process ends. The interpreter is started here, without
/// signal handlers, and left to whoever takes its lock: as in a host that is a Python program, where FMUs neither end it nor start it
/// again, which packages such as NumPy do not survive.
bool load_globally(const fs::path& library) {
    void* python = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    if (!python)
        return false;
    const auto initialize = reinterpret_cast<void (*)(int)>(::dlsym(python, "Py_InitializeEx"));
    const auto release = reinterpret_cast<void* (*)()>(::dlsym(python, "PyEval_SaveThread"));
    const auto running = reinterpret_cast<int (*)()>(::dlsym(python, "Py_IsInitialized"));
    if (initialize && release && running && running() == 0) {
        const std::string locale =
            std::setlocale(LC_ALL, nullptr); // the interpreter takes that of the environment
        initialize(0);
        release();
        std::setlocale(LC_ALL, locale.c_str());
    }
    return true;
}

bool find_python() {
    const auto library = [](std::string_view python) { return fmt::format("lib{}.so.1.0", python); };
    if (const fs::path program = python_program(); program.filename().string().starts_with("python3.")) {
        const std::string name = library(program.filename().string());
        if (load_globally(program.parent_path().parent_path() / "lib" / name) || load_globally(name))
            return true;
    }
    for (int minor = newest_python; minor >= oldest_python; --minor)
        if (load_globally(library(fmt::format("python3.{}", minor))))
            return true;
    return false;
}

/// Once a process: an interpreter cannot be started twice.
bool load_python() {
    static const bool found = find_python();
    return found;
}

} // namespace

bool is_of_python(std::string_view symbol) { return symbol.starts_with("Py") || symbol.starts_with("_Py"); }

OpenedLibrary open_library(const fs::path& file, int flags) {
    const auto open = [&] {
        OpenedLibrary opened{::dlopen(file.c_str(), flags | RTLD_LOCAL), {}};
        if (!opened.handle)
            opened.problem = loader_message(file.parent_path());
        return opened;
    };
    OpenedLibrary opened = open();
    if (!opened.handle && wants_python(opened.problem) && load_python())
        opened = open();
    if (!opened.handle)
        opened.problem += hint(opened.problem);
    return opened;
}

} // namespace tenon::fmi
