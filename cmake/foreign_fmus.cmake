# foreign_fmus: the FMUs in tests/fmus, written in C against the FMI headers alone, as <build>/fmus/<name>.<2|3>.fmu.
# Each model is compiled once and linked with the skin of either version. They are what others would send us: built with
# none of our flags, and without the sanitizers. TENON_FOREIGN_FMUS is their folder.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(foreign_sources "${CMAKE_SOURCE_DIR}/tests/fmus")
set(foreign_libraries "${CMAKE_BINARY_DIR}/fmus/libraries")
set(TENON_FOREIGN_FMUS "${CMAKE_BINARY_DIR}/fmus")
set(foreign_targets)

function(tenon_foreign_flags name)
    set_target_properties(${name} PROPERTIES
        COMPILE_OPTIONS "-O2;-Wall;-Wextra;-Wconversion;-Wshadow;-Werror;-ffp-contract=off"
        LINK_OPTIONS "" PREFIX "" C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON
        SKIP_BUILD_RPATH ON LIBRARY_OUTPUT_DIRECTORY "${foreign_libraries}")
    target_include_directories(${name} SYSTEM PRIVATE ${TENON_FMI_HEADERS})
endfunction()

# tenon_foreign_objects(target source...): compiled once
function(tenon_foreign_objects name)
    list(TRANSFORM ARGN PREPEND "${foreign_sources}/")
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${ARGN})
    tenon_foreign_flags(${name})
endfunction()

# tenon_foreign_library(name version objects...)
function(tenon_foreign_library name version)
    set(target foreign_${name}_${version})
    list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
    add_library(${target} MODULE EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:foreign_common>
                                                  $<TARGET_OBJECTS:foreign_skin_${version}>)
    tenon_foreign_flags(${target})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}.${version} LINKER_LANGUAGE C)
    target_link_libraries(${target} PRIVATE m)
    set(foreign_targets ${foreign_targets} ${target} PARENT_SCOPE)
endfunction()

tenon_foreign_objects(foreign_common model.c rk4.c)
tenon_foreign_objects(foreign_skin_2 skeleton2.c skeleton2_values.c)
tenon_foreign_objects(foreign_skin_3 skeleton3.c skeleton3_values.c skeleton3_unused.c)
foreach(name feedthrough stairs vanderpol oscillator gain statespace units misbehave clocks escape free_body bushing flywheel habits brittle)
    tenon_foreign_objects(foreign_${name} ${name}.c)
    foreach(version 2 3)
        tenon_foreign_library(${name} ${version} foreign_${name})
    endforeach()
endforeach()

# `gain` in libraries that cannot be loaded: one hides a function, one needs another library, one calls into the void.
tenon_foreign_objects(foreign_broken_library broken_library.c)
tenon_foreign_objects(foreign_broken_undefined broken_undefined.c)
add_library(foreign_absent SHARED EXCLUDE_FROM_ALL "${foreign_sources}/absent.c")
tenon_foreign_flags(foreign_absent)
set_target_properties(foreign_absent PROPERTIES OUTPUT_NAME libabsent)
foreach(version 2 3)
    tenon_foreign_library(broken_symbol ${version} foreign_gain)
    target_link_options(foreign_broken_symbol_${version} PRIVATE
        "LINKER:--version-script=${foreign_sources}/broken_symbol.map")
    tenon_foreign_library(broken_library ${version} foreign_gain foreign_broken_library)
    target_link_libraries(foreign_broken_library_${version} PRIVATE foreign_absent)
    tenon_foreign_library(broken_undefined ${version} foreign_gain foreign_broken_undefined)
endforeach()

# `vanderpol` in libraries that are against the letter and can be run: one lacks functions that a run does not need, one has
# none at all, but needs a library beside it that has them, one takes Python from the process.
tenon_foreign_objects(foreign_borrowed borrowed.c)
tenon_foreign_objects(foreign_python python.c)
foreach(version 2 3)
    tenon_foreign_library(python ${version} foreign_vanderpol foreign_python)
    tenon_foreign_library(lacking ${version} foreign_vanderpol)
    tenon_foreign_library(lacking_strings ${version} foreign_feedthrough)
    foreach(name lacking lacking_strings)
        target_link_options(foreign_${name}_${version} PRIVATE
            "LINKER:--version-script=${foreign_sources}/lacking.map")
    endforeach()
    set(target foreign_borrowed_${version})
    add_library(${target}_inner SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:foreign_vanderpol>
        $<TARGET_OBJECTS:foreign_common> $<TARGET_OBJECTS:foreign_skin_${version}>)
    add_library(${target} MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:foreign_borrowed>)
    foreach(library ${target}_inner ${target})
        tenon_foreign_flags(${library})
        set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    endforeach()
    set_target_properties(${target}_inner PROPERTIES OUTPUT_NAME libinner.${version})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME borrowed.${version} SKIP_BUILD_RPATH OFF
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
    target_link_libraries(${target}_inner PRIVATE m)
    target_link_libraries(${target} PRIVATE ${target}_inner)
    target_link_options(${target} PRIVATE "LINKER:--no-as-needed")
    list(APPEND foreign_targets ${target}_inner ${target})
endforeach()

set(foreign_stamp "${TENON_FOREIGN_FMUS}/packed")
list(TRANSFORM foreign_targets REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE foreign_files)
add_custom_command(OUTPUT "${foreign_stamp}"
    COMMAND Python3::Interpreter -B "${foreign_sources}/pack.py" "${foreign_libraries}" "${TENON_FOREIGN_FMUS}"
    COMMAND ${CMAKE_COMMAND} -E touch "${foreign_stamp}"
    DEPENDS ${foreign_files} "${foreign_sources}/pack.py" "${foreign_sources}/models.py"
            "${foreign_sources}/description.py"
    VERBATIM)
add_custom_target(foreign_fmus DEPENDS "${foreign_stamp}")

# Where cmake/setup.sh has installed FMPy, it has to take them too. They are the same in every build.
set(foreign_python "${CMAKE_SOURCE_DIR}/build/venv/bin/python")
if(EXISTS "${foreign_python}" AND NOT TENON_SANITIZERS)
    add_test(NAME "FMPy validates and simulates the foreign FMUs"
             COMMAND "${foreign_python}" -B "${foreign_sources}/fmpy_check.py" "${TENON_FOREIGN_FMUS}")
endif()
