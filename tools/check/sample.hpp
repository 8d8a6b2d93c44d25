#pragma once
// The values of some variables at one moment, to be compared bit for bit.

#include "tools/check/wire.hpp"
#include "tools/import/slave.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::check {

/// Numbers by their bits (NaN equals the same NaN; 0 is not -0), element after element; strings and binaries as they are.
struct Sample {
    double time = 0;
    std::vector<std::uint64_t> bits;
    std::vector<std::string> texts;
    bool operator==(const Sample&) const = default;
};
using Trajectory = std::vector<Sample>;

void pack(Packer& packer, const Trajectory& trajectory);
Trajectory unpack_trajectory(Unpacker& unpacker);

/// Bytes of one element as Slave::get() gives it; 0 for strings and binaries.
std::size_t element_size(fmi::Type type);
/// An element as a number, for people and for differences.
double as_number(fmi::Type type, std::uint64_t bits);
bool is_float(fmi::Type type);

/// Which variables are looked at, and how they are read.
class Watch {
  public:
    /// The outputs; the local variables of a model that has none. Clocks, what belongs to them, and what is beyond a limit of
    /// elements are left out.
    explicit Watch(const fmi::Description& description);
    /// Just these, by their indices.
    Watch(const fmi::Description& description, const std::vector<std::size_t>& variables);

    bool empty() const { return groups_.empty(); }
    /// Reads them all; the first status that is worse than a warning ends it.
    fmi::Status read(fmi::Slave& slave, double time, Sample& sample) const;
    /// The elements that are floating-point numbers, as they stand in `bits`.
    std::vector<double> floats(const Sample& sample) const;
    /// Names of those elements: "y", "r[3]".
    const std::vector<std::string>& float_names() const { return float_names_; }

    /// The first difference: "y = 1.5 at t = 0.3 instead of 1.25"; nothing where there is none.
    std::optional<std::string> difference(const Sample& expected, const Sample& found) const;
    std::optional<std::string> difference(const Trajectory& expected, const Trajectory& found) const;

    /// A variable that differs, by its index, and the text for its first element.
    struct Change {
        std::size_t variable = 0;
        std::string text;
    };
    /// At most `limit` of them.
    std::vector<Change> changes(const Sample& expected, const Sample& found, std::size_t limit) const;

  private:
    /// Variables of one type, read by one call.
    struct Group {
        fmi::Type type = fmi::Type::float64;
        std::vector<fmi::Reference> references;
        std::vector<std::string> names;     ///< of the elements
        std::vector<std::size_t> variables; ///< the elements' own
    };
    void add(const fmi::Description& description, std::size_t index);
    void name_floats();
    std::vector<Group> groups_;
    std::vector<std::string> float_names_;
};

} // namespace tenon::check
