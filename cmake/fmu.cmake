# The shared libraries that `tenon export` packs, and the library that packs them.
# What makes them portable is explained in docs/fmus.md; tests/fmu looks at the packed file.

# tenon_fmu_module(name version source...): a library that is packed into FMUs
function(tenon_fmu_module name version)
    add_library(${name} MODULE ${ARGN} fmu/portable/single_threaded.c)
    set_target_properties(${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name})
    target_include_directories(${name} SYSTEM PRIVATE ${TENON_FMI_HEADERS})
    target_compile_definitions(${name} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${name} PRIVATE tenon_fmu)
    tenon_goes_into_fmu(${name})
    target_link_options(${name} PRIVATE
        "LINKER:--version-script=${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map" LINKER:--exclude-libs,ALL
        LINKER:--gc-sections LINKER:-Bsymbolic LINKER:-z,now LINKER:-z,noexecstack LINKER:--build-id=sha1)
    set_property(TARGET ${name} APPEND PROPERTY
        LINK_DEPENDS "${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map")
    if(NOT TENON_SANITIZERS)  # which bring a runtime of their own
        target_sources(${name} PRIVATE fmu/portable/unload.cpp)
        target_link_options(${name} PRIVATE -static-libstdc++ LINKER:-z,defs LINKER:-s)
    endif()
endfunction()

foreach(version 2 3)
    file(GLOB sources CONFIGURE_DEPENDS fmu/fmi${version}/*.cpp)
    tenon_fmu_module(tenon_fmi${version} ${version} ${sources})
endforeach()

tenon_library(tools/export LINK tenon_results)
# The libraries are carried inside the command: nothing to find, nothing to install beside it.
target_sources(tenon_export PRIVATE tools/export/binaries.S)
set_property(SOURCE tools/export/binaries.S PROPERTY COMPILE_DEFINITIONS
    "FMI2_LIBRARY=\"${CMAKE_BINARY_DIR}/tenon_fmi2.so\";FMI3_LIBRARY=\"${CMAKE_BINARY_DIR}/tenon_fmi3.so\"")
set_property(SOURCE tools/export/binaries.S PROPERTY OBJECT_DEPENDS
    "${CMAKE_BINARY_DIR}/tenon_fmi2.so;${CMAKE_BINARY_DIR}/tenon_fmi3.so")

# The coupler that stands in for a joint in a saved system: its library, carried by the tool that packs it.
tenon_fmu_module(tenon_coupler_fmi2 2 tools/glue/coupler/fmi2/fmi2.cpp)
target_link_libraries(tenon_coupler_fmi2 PRIVATE tenon_coupler)
target_sources(tenon_glue PRIVATE tools/glue/coupler_binary.S)
set_property(SOURCE tools/glue/coupler_binary.S PROPERTY COMPILE_DEFINITIONS
    "COUPLER_LIBRARY=\"${CMAKE_BINARY_DIR}/tenon_coupler_fmi2.so\"")
set_property(SOURCE tools/glue/coupler_binary.S PROPERTY OBJECT_DEPENDS "${CMAKE_BINARY_DIR}/tenon_coupler_fmi2.so")
