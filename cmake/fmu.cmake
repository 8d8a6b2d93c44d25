# The shared libraries that `tenon export` packs, and the library that packs them.
# What makes them portable is explained in docs/fmu-binary.md; tests/fmu looks at the packed file.

tenon_library(tenon_fmu
    SOURCES fmu
    LINK tenon_core
    PRECOMPILE <algorithm> <cmath> <memory> <optional> <span> <string> <string_view> <vector> <Eigen/Dense>)
tenon_goes_into_fmu(tenon_fmu)

foreach(version 2 3)
    file(GLOB sources CONFIGURE_DEPENDS fmu/fmi${version}/*.cpp)
    add_library(tenon_fmi${version} MODULE ${sources} fmu/portable/single_threaded.c)
    set_target_properties(tenon_fmi${version} PROPERTIES PREFIX "" OUTPUT_NAME tenon_fmi${version})
    target_include_directories(tenon_fmi${version} SYSTEM PRIVATE ${TENON_FMI_HEADERS})
    target_compile_definitions(tenon_fmi${version} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
    target_link_libraries(tenon_fmi${version} PRIVATE tenon_fmu)
    tenon_goes_into_fmu(tenon_fmi${version})
    target_link_options(tenon_fmi${version} PRIVATE
        "LINKER:--version-script=${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map" LINKER:--exclude-libs,ALL
        LINKER:--gc-sections LINKER:-Bsymbolic LINKER:-z,now LINKER:-z,noexecstack LINKER:--build-id=sha1)
    set_property(TARGET tenon_fmi${version} APPEND PROPERTY
        LINK_DEPENDS "${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map")
    if(NOT TENON_SANITIZERS)  # which bring a runtime of their own
        target_sources(tenon_fmi${version} PRIVATE fmu/portable/unload.cpp)
        target_link_options(tenon_fmi${version} PRIVATE -static-libstdc++ LINKER:-z,defs LINKER:-s)
    endif()
endforeach()

tenon_library(tenon_export
    SOURCES tools/export
    LINK tenon_fmu tenon_io tenon_description
    PRECOMPILE <algorithm> <memory> <optional> <string> <string_view> <vector> <Eigen/Dense> <fmt/format.h>)
get_target_property(type tenon_export TYPE)
if(NOT type STREQUAL INTERFACE_LIBRARY)
    # The libraries are carried inside the command: nothing to find, nothing to install beside it.
    target_sources(tenon_export PRIVATE tools/export/binaries.S)
    set_property(SOURCE tools/export/binaries.S PROPERTY COMPILE_DEFINITIONS
        "FMI2_LIBRARY=\"${CMAKE_BINARY_DIR}/tenon_fmi2.so\";FMI3_LIBRARY=\"${CMAKE_BINARY_DIR}/tenon_fmi3.so\"")
    set_property(SOURCE tools/export/binaries.S PROPERTY OBJECT_DEPENDS
        "${CMAKE_BINARY_DIR}/tenon_fmi2.so;${CMAKE_BINARY_DIR}/tenon_fmi3.so")
    set_property(SOURCE tools/export/binaries.S PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endif()
