#include "tools/verbs/failure.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/fmu.hpp"
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

ExitCode exit_code(InputFault fault) {
    return fault == InputFault::unreadable ? ExitCode::missing : ExitCode::input;
}

} // namespace

Failure as_failure(std::exception_ptr thrown, const ModelFile* file) {
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const Failure& failure) {
        return failure;
    } catch (const InputError& error) {
        return {exit_code(error.fault()), error.what()};
    } catch (const OutputError& error) {
        return {ExitCode::output, error.what()};
    } catch (const Error& error) {
        return {exit_code(error.kind()), file ? file->placed(error).what() : error.what()};
    } catch (const fmi::LoadError& error) {
        return {ExitCode::input, error.what()};
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
