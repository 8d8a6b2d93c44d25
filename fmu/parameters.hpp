#pragma once
// The parameters of an FMU: the numbers of its model, the choice of integrator with its options, and where its world is in
// the master's.

#include "core/model/model.hpp"
#include "core/model/quantity.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon::fmu {

enum class ValueType { real, boolean, enumeration };

/// Values of enumerations are numbers from the FMI description; those of integrators are never reused.
struct Enumeration {
    std::string name, description;
    struct Item {
        int value;
        std::string name, description;
    };
    std::vector<Item> items;
};

struct Parameter {
    std::string name, unit, description;
    ValueType type = ValueType::real;
    std::string enumeration; ///< name of its type
    double start = 0;
    bool tunable = false;
    std::optional<Quantity> array = {}; ///< of the first element of an array, whose others follow: the whole
};

class Parameters {
  public:
    explicit Parameters(const Model& model);

    const std::vector<Parameter>& list() const { return list_; }
    const std::vector<Enumeration>& enumerations() const { return enumerations_; }

    /// The model with these values, one for each of list(). Those that equal their start leave the model as it is, to the
    /// bit. Throws Error for what is impossible.
    Model apply(const Model& model, std::span<const double> values) const;

  private:
    struct Option { ///< of integrators, and where it stands in the list
        std::string name;
        std::size_t at;
    };
    void add_solver(const SolverSettings& solver);
    void add_options(const SolverSettings& solver);
    void add_world();
    const Enumeration& enumeration(const std::string& name) const;
    void apply_solver(SolverSettings& solver, std::span<const double> values) const;

    std::vector<Parameter> list_;
    std::vector<Enumeration> enumerations_;
    std::vector<std::size_t> source_; ///< index in tenon::parameters(model) of the first entries of the list
    std::size_t integrator_ = 0, coordinates_ = 0, step_ = 0, tolerance_ = 0, world_ = 0;
    std::vector<Option> options_;
};

} // namespace tenon::fmu
