#include "tools/results/hdf5_table.hpp"

#include "tools/files/errors.hpp"
#include "tools/results/hdf5_parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace tenon::results {
namespace {

/// A flush rewrites the last chunk: small enough to be nothing four times a second, large enough to be read fast.
constexpr std::uint64_t chunk_bytes = 256 << 10;
constexpr std::uint64_t most_chunk_rows = 8192;

std::uint64_t chunk_rows(std::size_t columns) {
    return std::clamp<std::uint64_t>(chunk_bytes / (sizeof(double) * std::max<std::size_t>(columns, 1)), 1,
                                     most_chunk_rows);
}

void write_attribute(hid_t file, const char* name, hid_t type, const void* value) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(H5Acreate2(file, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    checked(H5Awrite(attribute.get(), type, value));
}

void write_text_attribute(hid_t file, const char* name, const std::string& text) {
    const char* pointer = text.c_str();
    write_attribute(file, name, hdf5_text_type().get(), &pointer);
}

/// A list of texts; `text` gives that of a column.
template <class Text>
void write_texts(hid_t file, const char* name, const std::vector<ResultColumn>& columns, Text text) {
    std::vector<const char*> pointers;
    for (const ResultColumn& column : columns)
        pointers.push_back(text(column).c_str());
    const hsize_t size = pointers.size();
    const Hdf5Handle type = hdf5_text_type();
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle set(
        H5Dcreate2(file, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (size > 0)
        checked(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
}

/// An empty data set that grows along its first dimension.
Hdf5Handle make_growing(hid_t file, const char* name, int dimensions, std::size_t columns) {
    const std::array<hsize_t, 2> size = {0, columns};
    // A dimension that can hold nothing at all is no place for chunks.
    const std::array<hsize_t, 2> most = {H5S_UNLIMITED, std::max<hsize_t>(columns, 1)};
    const std::array<hsize_t, 2> chunk = {chunk_rows(columns), most[1]};
    const Hdf5Handle space(H5Screate_simple(dimensions, size.data(), most.data()), H5Sclose);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    checked(H5Pset_chunk(properties.get(), dimensions, chunk.data()));
    checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
    // The last chunk stays in memory until it is full.
    const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    checked(H5Pset_chunk_cache(access.get(), 521, 2 * chunk[0] * chunk[1] * sizeof(double), 1.0));
    return {H5Dcreate2(file, name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, properties.get(), access.get()),
            H5Dclose};
}

/// Small things never lie across two pages, so that no kill can split them.
Hdf5Handle file_creation() {
    Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    checked(H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1));
    return creation;
}

} // namespace

struct Hdf5Table::Parts {
    std::string shown;
    std::size_t columns = 0;
    std::uint64_t rows = 0;
    Hdf5Handle file, time, values; ///< closed in the reverse order

    void create(const std::filesystem::path& path, const ResultHeading& heading) {
        prepare_hdf5();
        file = Hdf5Handle(
            H5Fcreate(path.c_str(), H5F_ACC_EXCL, file_creation().get(), hdf5_file_access().get()), H5Fclose);
        write_text_attribute(file.get(), "format", hdf5_format_name);
        write_attribute(file.get(), "version", H5T_NATIVE_INT, &hdf5_format_version);
        write_text_attribute(file.get(), "system", heading.system);
        write_text_attribute(file.get(), "settings", heading.settings);
        using Column = ResultColumn;
        write_texts(
            file.get(), "names", heading.columns, [](const Column& c) -> auto& { return c.name; });
        write_texts(
            file.get(), "units", heading.columns, [](const Column& c) -> auto& { return c.unit; });
        write_texts(
            file.get(), "descriptions", heading.columns,
            [](const Column& c) -> auto& { return c.description; });
        values = make_growing(file.get(), "values", 2, columns);
        time = make_growing(file.get(), "time", 1, columns);
        checked(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
        checked(H5Fstart_swmr_write(file.get()));
    }

    void put(hid_t set, int dimensions, const double* data, std::uint64_t count) {
        const std::array<hsize_t, 2> size = {rows + count, columns};
        checked(H5Dset_extent(set, size.data()));
        if (dimensions == 2 && columns == 0)
            return;
        const Hdf5Rows place(set, dimensions, rows, count, columns);
        checked(H5Dwrite(set, H5T_NATIVE_DOUBLE, place.memory.get(), place.file.get(), H5P_DEFAULT, data));
    }

    int descriptor() const {
        void* handle = nullptr;
        checked(H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle));
        return *static_cast<int*>(handle);
    }

    template <class Action> void guarded(Action action) const {
        try {
            action();
        } catch (const Hdf5Error& error) {
            throw OutputError(shown, error.what());
        }
    }
};

Hdf5Table::Hdf5Table(const std::filesystem::path& file, const ResultHeading& heading,
                     const std::string& shown)
    : parts_(std::make_unique<Parts>()) {
    parts_->shown = shown;
    parts_->columns = heading.columns.size();
    parts_->guarded([&] { parts_->create(file, heading); });
}

Hdf5Table::~Hdf5Table() = default;

std::uint64_t Hdf5Table::block() const { return chunk_rows(parts_->columns); }

std::uint64_t Hdf5Table::rows() const { return parts_->rows; }

void Hdf5Table::append(std::span<const double> times, std::span<const double> values) {
    parts_->guarded([&] {
        parts_->put(parts_->values.get(), 2, values.data(), times.size());
        parts_->put(parts_->time.get(), 1, times.data(), times.size());
    });
    parts_->rows += times.size();
}

void Hdf5Table::flush() {
    parts_->guarded([&] {
        checked(H5Dflush(parts_->values.get()));
        checked(H5Dflush(parts_->time.get()));
    });
}

void Hdf5Table::sync() {
    flush();
    parts_->guarded([&] {
        if (::fsync(parts_->descriptor()) != 0)
            throw Hdf5Error(std::strerror(errno));
    });
}

void Hdf5Table::close() {
    parts_->guarded([&] {
        parts_->values.close();
        parts_->time.close();
        parts_->file.close();
    });
}

void Hdf5Table::abandon() {
    parts_->values.abandon();
    parts_->time.abandon();
    parts_->file.abandon();
}

} // namespace tenon::results
