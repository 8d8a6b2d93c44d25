# tenon_library(folder... [LINK target...] [INCLUDE folder...])
#
# The library of a folder, named after it: tools/model_file becomes tenon_model_file. Its sources are the .cpp files of the
# folder (and of the further folders given); the next build finds new ones. A file may include only headers of its own folders
# and of the libraries that are linked, directly or through others: cmake/layers.cmake refuses the configuration otherwise.

function(tenon_sources result)
    list(TRANSFORM ARGN APPEND "/*.cpp")
    file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

# Several files in one compilation: the headers, above all Eigen's, are read once for all of them.
function(tenon_unity target batch)
    if(TENON_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    endif()
endfunction()

function(tenon_library)
    cmake_parse_arguments(arg "" "" "LINK;INCLUDE" ${ARGN})
    list(GET arg_UNPARSED_ARGUMENTS 0 folder)
    get_filename_component(name "${folder}" NAME)
    string(REPLACE "modelDescription" "description" name "tenon_${name}")
    tenon_sources(sources ${arg_UNPARSED_ARGUMENTS})
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON TENON_FOLDERS "${arg_UNPARSED_ARGUMENTS}")
    tenon_unity(${name} 12)
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_include_directories(${name} SYSTEM PRIVATE ${arg_INCLUDE})
    target_compile_definitions(${name} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${name} PUBLIC ${arg_LINK})
    set_property(GLOBAL APPEND PROPERTY TENON_LIBRARIES ${name})
endfunction()

# What runs once, before or after a run: less optimisation, a quarter less to compile.
function(tenon_runs_once)
    foreach(name IN LISTS ARGN)
        target_compile_options(${name} PRIVATE -O1)
    endforeach()
endfunction()

# A library that goes into FMUs too: only FMI functions are seen from outside, what is not used is left out, and no
# symbol keeps the FMU in memory after it was unloaded.
set(tenon_fmu_options -fvisibility=hidden -ffunction-sections -fdata-sections)
set(tenon_fmu_cxx_options -fvisibility-inlines-hidden)
set(tenon_fmu_paths -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -include "${CMAKE_SOURCE_DIR}/fmu/portable/glibc_floor.h")
if(NOT TENON_LINT)
    list(PREPEND tenon_fmu_paths -fno-gnu-unique)
endif()
function(tenon_goes_into_fmu name)
    target_compile_options(${name} PRIVATE ${tenon_fmu_options} $<$<COMPILE_LANGUAGE:CXX>:${tenon_fmu_cxx_options}>
                                           ${tenon_fmu_paths})
endfunction()
