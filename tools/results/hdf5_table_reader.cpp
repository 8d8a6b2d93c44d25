#include "tools/results/hdf5_table_reader.hpp"

#include "tools/files/errors.hpp"
#include "tools/results/hdf5_parts.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace tenon::results {

struct Hdf5TableReader::Parts {
    std::filesystem::path path;
    ResultHeading heading;
    std::size_t columns = 0;
    std::uint64_t rows = 0;
    Hdf5Handle file, time, values;

    [[noreturn]] void refuse(const std::string& why) const { throw bad_input(path.string(), 0, why); }

    /// Throws Hdf5Error where the library cannot read it.
    void open() {
        if (::access(path.c_str(), R_OK) != 0)
            throw InputError(InputFault::unreadable,
                             shown(path) + ": cannot be read (" + std::strerror(errno) + ")");
        prepare_hdf5();
        file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, hdf5_file_access().get()),
                          H5Fclose);
        if (text_attribute("format") != hdf5_format_name)
            refuse("these are not results of Tenon");
        read_heading();
        time = Hdf5Handle(H5Dopen2(file.get(), "time", H5P_DEFAULT), H5Dclose);
        values = Hdf5Handle(H5Dopen2(file.get(), "values", H5P_DEFAULT), H5Dclose);
        rows = size(time, 1)[0];
        const std::array<hsize_t, 2> shape = size(values, 2);
        if (shape[0] < rows || shape[1] != columns)
            refuse("the data sets have sizes that do not fit (" + std::to_string(rows) + " times, " +
                   std::to_string(shape[0]) + " rows of " + std::to_string(shape[1]) + " values)");
    }

    void read_heading() {
        heading.system = text_attribute("system");
        heading.settings = text_attribute("settings");
        const std::vector<std::string> names = texts("names"), units = texts("units"),
                                       descriptions = texts("descriptions");
        columns = names.size();
        if (units.size() != columns || descriptions.size() != columns)
            refuse("there are " + std::to_string(columns) + " names, but " + std::to_string(units.size()) +
                   " units and " + std::to_string(descriptions.size()) + " descriptions");
        for (std::size_t i = 0; i < columns; ++i)
            heading.columns.push_back({names[i], units[i], descriptions[i]});
    }

    std::array<hsize_t, 2> size(const Hdf5Handle& set, int dimensions) const {
        const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
        std::array<hsize_t, 2> result{};
        if (H5Sget_simple_extent_ndims(space.get()) != dimensions)
            refuse("a data set has the wrong number of dimensions");
        checked(H5Sget_simple_extent_dims(space.get(), result.data(), nullptr));
        return result;
    }

    /// Texts of a kind that we write; the library would write through pointers that are none for others.
    void require_text(const Hdf5Handle& type) const {
        if (H5Tget_class(type.get()) != H5T_STRING || checked(H5Tis_variable_str(type.get())) == 0)
            refuse("a text in it is stored in an unknown way");
    }

    std::string text_attribute(const char* name) const {
        if (checked(H5Aexists(file.get(), name)) == 0)
            return {};
        const Hdf5Handle attribute(H5Aopen(file.get(), name, H5P_DEFAULT), H5Aclose);
        const Hdf5Handle stored(H5Aget_type(attribute.get()), H5Tclose);
        const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
        require_text(stored);
        if (H5Sget_simple_extent_npoints(space.get()) != 1)
            refuse("a text in it is stored in an unknown way");
        char* text = nullptr;
        const Hdf5Handle type = hdf5_text_type();
        checked(H5Aread(attribute.get(), type.get(), &text));
        const std::string result = text == nullptr ? "" : text;
        checked(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, &text));
        return result;
    }

    std::vector<std::string> texts(const char* name) const {
        const Hdf5Handle set(H5Dopen2(file.get(), name, H5P_DEFAULT), H5Dclose);
        const Hdf5Handle stored(H5Dget_type(set.get()), H5Tclose);
        require_text(stored);
        std::vector<char*> pointers(size(set, 1)[0]);
        std::vector<std::string> result;
        if (pointers.empty())
            return result;
        const Hdf5Handle type = hdf5_text_type();
        const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
        checked(H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
        for (const char* text : pointers)
            result.emplace_back(text == nullptr ? "" : text);
        checked(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data()));
        return result;
    }

    void get(const Hdf5Handle& set, int dimensions, std::uint64_t first, std::uint64_t count,
             double* data) const {
        const Hdf5Rows place(set.get(), dimensions, first, count, columns);
        checked(
            H5Dread(set.get(), H5T_NATIVE_DOUBLE, place.memory.get(), place.file.get(), H5P_DEFAULT, data));
    }
};

Hdf5TableReader::Hdf5TableReader(const std::filesystem::path& file) : parts_(std::make_unique<Parts>()) {
    parts_->path = file;
    try {
        parts_->open();
    } catch (const Hdf5Error& error) {
        parts_->refuse(std::string("the results cannot be read (") + error.what() + ")");
    }
}

Hdf5TableReader::Hdf5TableReader(const std::filesystem::path& file, const ResultHeading& heading)
    : Hdf5TableReader(file) {
    if (parts_->heading.names() != heading.names())
        parts_->refuse("the results have other columns than this run writes");
}

Hdf5TableReader::~Hdf5TableReader() = default;

const ResultHeading& Hdf5TableReader::heading() const { return parts_->heading; }

std::uint64_t Hdf5TableReader::rows() const { return parts_->rows; }

void Hdf5TableReader::read(std::uint64_t first, std::span<double> times, std::span<double> values) const {
    try {
        parts_->get(parts_->time, 1, first, times.size(), times.data());
        if (parts_->columns > 0)
            parts_->get(parts_->values, 2, first, times.size(), values.data());
    } catch (const Hdf5Error& error) {
        parts_->refuse(std::string("the results cannot be read (") + error.what() + ")");
    }
}

} // namespace tenon::results
