#include "tools/results/hdf5_parts.hpp"

#include <array>

namespace tenon::results {

Hdf5Handle hdf5_text_type() {
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    checked(H5Tset_size(type.get(), H5T_VARIABLE));
    checked(H5Tset_cset(type.get(), H5T_CSET_UTF8));
    return type;
}

Hdf5Handle hdf5_file_access() {
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    // Some network file systems know no locks; that is no reason not to write.
    checked(H5Pset_file_locking(access.get(), true, true));
    return access;
}

Hdf5Rows::Hdf5Rows(hid_t set, int dimensions, std::uint64_t first, std::uint64_t count, std::size_t columns)
    : file(H5Dget_space(set), H5Sclose) {
    const std::array<hsize_t, 2> start = {first, 0}, size = {count, columns};
    checked(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
    memory = Hdf5Handle(H5Screate_simple(dimensions, size.data(), nullptr), H5Sclose);
}

} // namespace tenon::results
