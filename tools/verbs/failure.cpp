#include "tools/verbs/failure.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/model_file/model_reader.hpp"

#include <fmt/format.h>
#include <new>
#include <system_error>

namespace tenon::verbs {
namespace {

ExitCode exit_code(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::model:
        return ExitCode::input;
    case ErrorKind::computation:
        return ExitCode::computation;
    case ErrorKind::usage:
        return ExitCode::usage;
    }
    return ExitCode::computation;
}

/// "FILE:LINE: " of the element to blame; "FILE: " where its line is not known.
std::string place(const ModelFile& file, const std::string& element) {
    const int line = file.line_of(element);
    return line > 0 ? fmt::format("{}:{}: ", file.file, line) : file.file + ": ";
}

} // namespace

Failure as_failure(std::exception_ptr thrown, const ModelFile* file) {
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const Failure& failure) {
        return failure;
    } catch (const InputError& error) {
        return {static_cast<ExitCode>(error.exit_code()), error.what()};
    } catch (const OutputError& error) {
        return {ExitCode::output, error.what()};
    } catch (const Error& error) {
        const bool placed = file && error.kind() != ErrorKind::usage;
        return {exit_code(error.kind()),
                (placed ? place(*file, error.element()) : std::string()) + error.what()};
    } catch (const std::system_error& error) {
        return {ExitCode::output, error.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::computation, "out of memory; the model or the run is too large for this machine"};
    } catch (const std::exception& error) {
        return {ExitCode::computation, fmt::format("internal error: {}; please report it", error.what())};
    }
}

std::string status_of(const std::optional<Failure>& failure) {
    if (!failure)
        return "done";
    return failure->code() == ExitCode::interrupted ? "interrupted" : "failed";
}

} // namespace tenon::verbs
