# The shared libraries that `tenon export` packs, and the library that carries them inside the command: nothing to find,
# nothing to install beside it. What makes them portable is explained in docs/fmus.md; tests/fmu looks at the packed file.

set(TENON_FMU_LIBRARIES "${CMAKE_BINARY_DIR}/fmu_libraries")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    set(tenon_native linux64)
else()
    set(tenon_native aarch64)
endif()

# tenon_elf_link_options(result version): for libraries of Linux, on any processor
function(tenon_elf_link_options result version)
    set(${result}
        "LINKER:--version-script=${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map" LINKER:--exclude-libs,ALL
        LINKER:-Bsymbolic LINKER:-z,now LINKER:-z,noexecstack LINKER:--build-id=sha1 PARENT_SCOPE)
endfunction()

# tenon_fmu_module(name version LINK target SOURCES source...): the library <libraries>/<this platform>/<name>
function(tenon_fmu_module name version)
    cmake_parse_arguments(arg "" "LINK" "SOURCES" ${ARGN})
    set(target tenon_module_${name})
    add_library(${target} MODULE ${arg_SOURCES} fmu/portable/single_threaded.c)
    set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${name}
        LIBRARY_OUTPUT_DIRECTORY "${TENON_FMU_LIBRARIES}/${tenon_native}")
    target_include_directories(${target} SYSTEM PRIVATE ${TENON_FMI_HEADERS})
    target_compile_definitions(${target} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${target} PRIVATE ${arg_LINK})
    tenon_goes_into_fmu(${target})
    tenon_elf_link_options(options ${version})
    target_link_options(${target} PRIVATE ${options} LINKER:--gc-sections)
    set_property(TARGET ${target} APPEND PROPERTY
        LINK_DEPENDS "${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map")
    if(NOT TENON_SANITIZERS)  # which bring a runtime of their own
        target_sources(${target} PRIVATE fmu/portable/unload.cpp)
        target_link_options(${target} PRIVATE -static-libstdc++ LINKER:-z,defs LINKER:-s)
    endif()
endfunction()

foreach(version 2 3)
    file(GLOB sources CONFIGURE_DEPENDS fmu/fmi${version}/*.cpp)
    tenon_fmu_module(fmi${version} ${version} LINK tenon_fmu SOURCES ${sources})
endforeach()
# The coupler that stands in for a joint in a saved system.
tenon_fmu_module(coupler 2 LINK tenon_fmu SOURCES tools/glue/coupler/fmi2/fmi2.cpp)
target_link_libraries(tenon_module_coupler PRIVATE tenon_coupler)

include(cmake/cross.cmake)
set(files)
set(cross_files)
foreach(platform linux64 win64 aarch64)
    if(NOT platform STREQUAL tenon_native)
        tenon_cross_platform(${platform})
    endif()
    foreach(name fmi2 fmi3 coupler)
        list(APPEND files "${TENON_FMU_LIBRARIES}/${platform}/${name}")
        if(TENON_COMPILER_OF_${platform})
            list(APPEND cross_files "${TENON_FMU_LIBRARIES}/${platform}/${name}")
        endif()
    endforeach()
endforeach()
# A target of their own, so that they wait for nothing else.
add_custom_target(tenon_cross_libraries DEPENDS ${cross_files})
add_dependencies(tenon_platforms tenon_cross_libraries)
target_sources(tenon_platforms PRIVATE tools/platforms/libraries.S)
set_property(SOURCE tools/platforms/libraries.S PROPERTY COMPILE_OPTIONS "-Wa,-I${TENON_FMU_LIBRARIES}")
set_property(SOURCE tools/platforms/libraries.S PROPERTY OBJECT_DEPENDS "${files}")
