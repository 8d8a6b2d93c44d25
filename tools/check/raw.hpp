#pragma once
// The bare functions of an FMU's library: for calls that no importer would make, and that a Slave therefore has not.

#include "tools/check/probe.hpp"
#include "tools/import/missing_function.hpp"

#include <functional>
#include <map>
#include <memory>

namespace tenon::check {

/// A message as the FMU passed it to the logger of the host.
struct RawMessage {
    bool right_environment = true;
    bool right_instance = true; ///< 2.0 passes the name of the instance
    bool after_instantiate =
        false; ///< 2.0: through a struct of callbacks that was only lent for fmi2Instantiate
    std::optional<std::string> category;
    std::optional<std::string> text;
};

struct RawOptions {
    std::optional<std::string> token = {}; ///< the right one where it is not given
    bool logger = true;                    ///< false: a null pointer instead
    bool logging = true;                   ///< loggingOn
    bool event_mode = false;
};

/// One instance at a time. Functions are called by their names, with arguments that are harmless in a state that allows
/// them; times go on as steps do.
class RawInstance {
  public:
    virtual ~RawInstance() = default;

    /// False where the FMU returned a null pointer.
    virtual bool instantiate(const RawOptions& options) = 0;
    /// Does nothing where there is no instance, or where it was fatal.
    virtual void free() = 0;
    /// FreeInstance with a null pointer.
    virtual void free_null() = 0;
    /// What is wrong with the answers of the functions that need no instance; empty: nothing.
    virtual std::string version_problem() = 0;

    /// The status as a number of the standard: 0 OK, 1 Warning, 2 Discard, 3 Error, 4 Fatal.
    int call(const std::string& function);
    /// Of all instances so far.
    const std::vector<RawMessage>& messages() const;

  protected:
    RawInstance(Probe& probe, std::shared_ptr<bool> fatal) : probe_(probe), fatal_(std::move(fatal)) {}
    using Call = std::function<int()>;
    std::map<std::string, Call> calls_;
    Probe& probe_;
    std::shared_ptr<bool> fatal_; ///< nothing of the library may be called any more
};

constexpr int raw_warning = 1, raw_error = 3, raw_fatal = 4;

/// The FMU's library, loaded with dlopen's `flags` and for the version of its description. Throws LoadError.
class RawLibrary {
  public:
    RawLibrary(Probe& probe, int flags);
    /// Closes it, unless an instance has been fatal.
    ~RawLibrary();
    RawLibrary(const RawLibrary&) = delete;
    RawLibrary& operator=(const RawLibrary&) = delete;

    std::unique_ptr<RawInstance> make_instance();
    /// Closes it; true where it is out of memory afterwards.
    bool unload();

  private:
    Probe& probe_;
    void* handle_;
    std::shared_ptr<bool> fatal_ = std::make_shared<bool>(false);
};

/// Whether the FMU has what the call needs: the capability, a variable to read or set.
bool can_call(const fmi::Description& description, std::string_view function);

// raw2.cpp, raw3.cpp
std::unique_ptr<RawInstance> make_raw2(Probe& probe, void* library, std::shared_ptr<bool> fatal);
std::unique_ptr<RawInstance> make_raw3(Probe& probe, void* library, std::shared_ptr<bool> fatal);

// ---- for these two -------------------------------------------------------------------------------------------------

/// The messages of this process. A logger cannot find its object by the environment pointer that it gets: whether that is
/// the right one is what is in question.
std::vector<RawMessage>& raw_messages();
constexpr const char* raw_instance_name = "checked instance";

/// An output and an input of type float64, scalars, by which reading and setting are tried; null: there is none.
const fmi::Variable* some_output(const fmi::Description& description);
const fmi::Variable* some_input(const fmi::Description& description);
/// A value reference that no variable has.
std::uint32_t unused_reference(const fmi::Description& description);

/// Null where it is not there. Throws LoadError where no run can do without it.
void* find_function(void* library, const char* name);
/// Fills the function pointers of tools/import, as its slaves do: what is missing is an error where it is called.
template <class Functions> Functions load_functions(void* library) {
    Functions functions;
    for_each_function(functions, [&]<class Name, class F>(Name name, F*& function) {
        void* const address = find_function(library, name);
        function = address ? reinterpret_cast<F*>(address) : &fmi::MissingFunction<Name, F>::call;
    });
    return functions;
}
/// What fmi2GetVersion and the like return; empty where they are missing or say nothing.
inline std::string words_of(const char* text) { return text ? text : ""; }

} // namespace tenon::check
