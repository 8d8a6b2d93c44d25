# tenon_tests:             tests/<folder>/*.cpp, one ctest test for each TEST_CASE; those tagged [slow]
#                          have the ctest label slow.
# tests_<folder>:          the tests of one folder alone, to work on them; not part of the default build.
# tenon_allocation_tests:  tests/allocation/*.cpp, with a main of its own because it replaces operator new.

find_package(Catch2 2.13 REQUIRED)
find_package(ZLIB 1.2.11 REQUIRED) # archives that are wrong on purpose

include(cmake/foreign_fmus.cmake)

# The one file that knows where the tree is: all others are the same in every clone, so ccache knows them.
add_library(tenon_test_folders OBJECT tests/support/folders.cpp)
target_include_directories(tenon_test_folders PRIVATE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(tenon_test_folders PRIVATE TENON_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                      TENON_FOREIGN_FMUS="${CMAKE_BINARY_DIR}/fmus")

# The main of Catch2 takes long to compile and must not see the precompiled catch.hpp.
add_library(tenon_test_main OBJECT tests/main.cpp)
target_link_libraries(tenon_test_main PUBLIC Catch2::Catch2)
target_compile_options(tenon_test_main PRIVATE -O0)
if(TENON_SANITIZERS)
    # Otherwise Catch2 takes the signal and the sanitizer's report is lost.
    target_compile_definitions(tenon_test_main PRIVATE CATCH_CONFIG_NO_POSIX_SIGNALS)
    add_compile_definitions(TENON_SANITIZERS)
endif()

add_executable(tenon_tests)
target_link_libraries(tenon_tests PRIVATE tenon_test_main tenon_test_folders)

function(tenon_test_objects name)
    add_library(${name} OBJECT ${ARGN})
    add_dependencies(${name} foreign_fmus)
    target_compile_options(${name} PRIVATE -O1)
    target_link_libraries(${name} PUBLIC tenon_run tenon_check tenon_plot tenon_viewer Catch2::Catch2 ZLIB::ZLIB)
    target_include_directories(${name} SYSTEM PRIVATE ${TENON_FMI_HEADERS})
    # Files of tests may use the same short names, so they are compiled one by one, after headers that are read once.
    if(TENON_UNITY)
        get_property(precompiled GLOBAL PROPERTY tenon_tests_precompiled)
        if(precompiled)
            target_precompile_headers(${name} REUSE_FROM ${precompiled})
        else()
            target_precompile_headers(${name} PRIVATE <cmath> <string> <vector> <Eigen/Dense> <catch2/catch.hpp>)
            set_property(GLOBAL PROPERTY tenon_tests_precompiled ${name})
        endif()
    endif()
    target_link_libraries(tenon_tests PRIVATE ${name})
endfunction()

file(GLOB sources CONFIGURE_DEPENDS tests/*/*.cpp)
list(FILTER sources EXCLUDE REGEX "/tests/(allocation|support)/")
set(folders)
foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    list(APPEND folders ${folder})
    list(APPEND sources_of_${folder} "${source}")
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
    tenon_test_objects(tests_${folder}_objects ${sources_of_${folder}})
    add_executable(tests_${folder} EXCLUDE_FROM_ALL)
    target_link_libraries(tests_${folder} PRIVATE tenon_test_main tenon_test_folders tests_${folder}_objects)
endforeach()

set(test_list "${CMAKE_BINARY_DIR}/tenon_tests.cmake")
add_custom_command(TARGET tenon_tests POST_BUILD BYPRODUCTS "${test_list}"
    COMMAND ${CMAKE_COMMAND} -D "EXECUTABLE=$<TARGET_FILE:tenon_tests>" -D "DIRECTORY=${CMAKE_SOURCE_DIR}"
            -D "FILE=${test_list}" -P "${CMAKE_SOURCE_DIR}/cmake/discover_tests.cmake" VERBATIM)
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${test_list}")

# Counting allocations means replacing operator new, and with it the address sanitizer's own.
if(NOT TENON_SANITIZERS)
    file(GLOB sources CONFIGURE_DEPENDS tests/allocation/*.cpp)
    if(sources)
        add_executable(tenon_allocation_tests ${sources})
        target_link_libraries(tenon_allocation_tests PRIVATE tenon_test_folders tenon_export Catch2::Catch2)
        add_test(NAME allocation COMMAND tenon_allocation_tests WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    endif()
endif()
