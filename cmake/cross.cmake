# Libraries of FMUs for other machines than the one that builds: the same sources and flags through a cross compiler, as
# commands of this build, so that headers are followed and all cores are used. The objects of a platform are in one archive,
# from which the libraries of FMI 2.0, FMI 3.0 and of the coupler take what they need.

set(TENON_CROSS_PLATFORMS "win64;aarch64;linux64" CACHE STRING "Platforms to build libraries of FMUs for, where their compiler is there")

set(tenon_compilers_of_win64 x86_64-w64-mingw32-g++-posix)
set(tenon_compilers_of_aarch64 aarch64-linux-gnu-g++)
set(tenon_compilers_of_linux64 x86_64-linux-gnu-g++)
# Eigen fuses products and sums by name where the processor can, whatever -ffp-contract says; x86-64 does not.
set(tenon_fpic_of_aarch64 -fPIC -U__ARM_FEATURE_FMA)
set(tenon_fpic_of_linux64 -fPIC)

get_target_property(tenon_eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)

# tenon_cross_unit(result platform name source...): one object of several sources
function(tenon_cross_unit result platform name)
    set(unit "${CMAKE_BINARY_DIR}/cross/${platform}/${name}.cpp")
    set(object "${CMAKE_BINARY_DIR}/cross/${platform}/${name}.o")
    list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE includes)
    list(JOIN includes "\n" includes)
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${includes}\n" @ONLY)
    get_directory_property(flags COMPILE_OPTIONS)
    separate_arguments(optimisation UNIX_COMMAND "${CMAKE_CXX_FLAGS_RELEASE}")
    add_custom_command(OUTPUT "${object}"
        COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${TENON_COMPILER_OF_${platform}} -std=c++20 ${optimisation} ${flags}
                ${tenon_fpic_of_${platform}} ${tenon_fmu_options} ${tenon_fmu_cxx_options} ${tenon_fmu_paths} -DTENON_VERSION="${PROJECT_VERSION}"
                -I${CMAKE_SOURCE_DIR} -isystem ${tenon_eigen} -isystem ${TENON_FMI_HEADERS}
                -MD -MF "${object}.d" -c "${unit}" -o "${object}"
        DEPENDS "${unit}" DEPFILE "${object}.d" VERBATIM COMMENT "Building for ${platform}: ${name}")
    set(${result} "${object}" PARENT_SCOPE)
endfunction()

# tenon_cross_target(result platform target): the objects of a library of this build, in the batches of its unity build
function(tenon_cross_target result platform target)
    get_target_property(sources ${target} SOURCES)
    list(LENGTH sources count)
    set(objects)
    set(batch 0)
    while(batch LESS count)
        list(SUBLIST sources ${batch} 12 part)
        tenon_cross_unit(object ${platform} ${target}_${batch} ${part})
        list(APPEND objects "${object}")
        math(EXPR batch "${batch} + 12")
    endwhile()
    set(${result} ${objects} PARENT_SCOPE)
endfunction()

# tenon_cross_module(platform archive name version source...): the library <libraries>/<platform>/<name>
function(tenon_cross_module platform archive name version)
    set(library "${TENON_FMU_LIBRARIES}/${platform}/${name}")
    set(sources ${ARGN} "${CMAKE_SOURCE_DIR}/fmu/portable/unload.cpp")
    if(platform STREQUAL win64)
        # No time in the file, and only what has __declspec(dllexport) is exported; everything but the system's is inside.
        set(options -static LINKER:--no-insert-timestamp LINKER:--dynamicbase,--nxcompat,--high-entropy-va)
    else()
        list(APPEND sources "${CMAKE_SOURCE_DIR}/fmu/portable/single_threaded.c")
        set(options -static-libstdc++ LINKER:-z,defs)
        tenon_elf_link_options(elf ${version})
        list(APPEND options ${elf})
    endif()
    list(TRANSFORM options REPLACE "^LINKER:" "-Wl,")
    tenon_cross_unit(object ${platform} ${name} ${sources})
    add_custom_command(OUTPUT "${library}"
        # Under a name with an ending: without one, the linker for Windows adds one.
        COMMAND ${TENON_COMPILER_OF_${platform}} -shared -o "${library}.dll" "${object}" "${archive}" -Wl,--gc-sections -s ${options}
        COMMAND ${CMAKE_COMMAND} -E rename "${library}.dll" "${library}"
        DEPENDS "${object}" "${archive}" "${CMAKE_SOURCE_DIR}/fmu/portable/fmi${version}.map" VERBATIM
        COMMENT "Linking for ${platform}: ${name}")
endfunction()

# tenon_cross_platform(platform): libraries fmi2, fmi3 and coupler of a platform, empty files where it has no compiler
function(tenon_cross_platform platform)
    if(platform IN_LIST TENON_CROSS_PLATFORMS)
        find_program(TENON_COMPILER_OF_${platform} ${tenon_compilers_of_${platform}})
    endif()
    file(MAKE_DIRECTORY "${TENON_FMU_LIBRARIES}/${platform}" "${CMAKE_BINARY_DIR}/cross/${platform}")
    if(NOT TENON_COMPILER_OF_${platform})
        foreach(name fmi2 fmi3 coupler)
            file(CONFIGURE OUTPUT "${TENON_FMU_LIBRARIES}/${platform}/${name}" CONTENT "")
        endforeach()
        return()
    endif()
    set(objects)
    foreach(target math model ports equations integrators simulation fmu coupler)
        tenon_cross_target(some ${platform} tenon_${target})
        list(APPEND objects ${some})
    endforeach()
    set(archive "${CMAKE_BINARY_DIR}/cross/${platform}/libtenon.a")
    add_custom_command(OUTPUT "${archive}"
        COMMAND ${CMAKE_COMMAND} -E rm -f "${archive}"
        COMMAND ${CMAKE_AR} qcsD "${archive}" ${objects}
        DEPENDS ${objects} VERBATIM COMMENT "Archive for ${platform}")
    foreach(version 2 3)
        file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fmu/fmi${version}/*.cpp)
        tenon_cross_module(${platform} ${archive} fmi${version} ${version} ${sources})
    endforeach()
    tenon_cross_module(${platform} ${archive} coupler 2 "${CMAKE_SOURCE_DIR}/tools/glue/coupler/fmi2/fmi2.cpp")
endfunction()
