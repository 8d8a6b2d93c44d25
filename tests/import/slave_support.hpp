#pragma once
// The foreign FMUs of tests/fmus, and what tests of slaves need again and again.

#include "tools/import/fmu.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::fmi {

inline std::filesystem::path foreign_file(const std::string& name, int version) {
    return std::filesystem::path(tests::foreign_fmus()) / (name + "." + std::to_string(version) + ".fmu");
}

inline Fmu foreign(const std::string& name, int version) { return Fmu(foreign_file(name, version)); }

/// What a slave logs.
struct Log {
    struct Line {
        Status status;
        std::string category, message;
    };
    std::vector<Line> lines;

    LogSink sink() {
        return [this](Status status, const std::string& category, const std::string& message) {
            lines.push_back({status, category, message});
        };
    }
    std::size_t count(const std::string& part) const {
        std::size_t n = 0;
        for (const Line& line : lines)
            n += line.message.find(part) != line.message.npos;
        return n;
    }
    bool has(const std::string& part) const { return count(part) > 0; }
};

/// Options with the name of an instance, logging switched on.
inline InstanceOptions logging_to(Log& log) {
    InstanceOptions options;
    options.logging = true;
    options.log = log.sink();
    return options;
}

inline Reference reference(const Slave& slave, const std::string& name) {
    for (const Variable& variable : slave.description().variables)
        if (variable.name == name)
            return variable.reference;
    throw std::runtime_error("no variable " + name);
}

inline double real(Slave& slave, const std::string& name) {
    const Reference one = reference(slave, name);
    double value = 0;
    REQUIRE(slave.get({&one, 1}, {&value, 1}) == Status::ok);
    return value;
}

inline Status set_real(Slave& slave, const std::string& name, double value) {
    const Reference one = reference(slave, name);
    return slave.set(std::span(&one, 1), std::span(&value, 1));
}

inline std::int32_t integer(Slave& slave, const std::string& name) {
    const Reference one = reference(slave, name);
    std::int32_t value = 0;
    REQUIRE(slave.get(Type::int32, {&one, 1}, &value, 1) == Status::ok);
    return value;
}

/// Through initialization to the first step, with nothing set; not for instances with event mode.
inline void initialize(Slave& slave, double start = 0) {
    REQUIRE(slave.enter_initialization(start, std::nullopt, std::nullopt) == Status::ok);
    REQUIRE(slave.exit_initialization() == Status::ok);
}

/// An instance that is ready for its first step.
inline std::unique_ptr<Slave> started(const Fmu& fmu, const InstanceOptions& options = {}) {
    std::unique_ptr<Slave> slave = fmu.instantiate(options);
    initialize(*slave);
    return slave;
}

/// What is allocated while it lives may be lost: after a fatal error nobody may free an instance.
struct LeaksAreIntended {
#if defined(__SANITIZE_ADDRESS__)
    __lsan::ScopedDisabler disabler;
#endif
};

/// TMPDIR for as long as it lives.
class TemporaryDirectory {
  public:
    explicit TemporaryDirectory(const std::filesystem::path& folder) {
        if (const char* old = std::getenv("TMPDIR"))
            old_ = old;
        ::setenv("TMPDIR", folder.c_str(), 1);
    }
    ~TemporaryDirectory() {
        if (old_)
            ::setenv("TMPDIR", old_->c_str(), 1);
        else
            ::unsetenv("TMPDIR");
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  private:
    std::optional<std::string> old_;
};

/// The content of a foreign FMU, to be changed and packed again.
inline std::vector<ArchiveContent> content_of(const std::string& name, int version) {
    const Archive archive(foreign_file(name, version));
    std::vector<ArchiveContent> content;
    for (const ArchiveEntry& entry : archive.entries())
        content.push_back({entry.name, archive.read(entry.name)});
    return content;
}

inline std::string& entry_of(std::vector<ArchiveContent>& content, const std::string& ending) {
    for (ArchiveContent& entry : content)
        if (entry.name.ends_with(ending))
            return entry.data;
    throw std::runtime_error("no entry " + ending);
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == text.npos)
        throw std::runtime_error("no text " + from);
    return text.replace(at, from.size(), to);
}

/// What the LoadError says that instantiating throws.
inline std::string load_error(const Fmu& fmu, const InstanceOptions& options = {}) {
    return tests::refusal<LoadError>([&] { fmu.instantiate(options); });
}

} // namespace tenon::fmi
