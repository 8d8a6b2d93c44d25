# tenon_library(name SOURCES folder... LINK target... INCLUDE folder... PRECOMPILE header...)
# tenon_executable(name SOURCES folder... LINK target... PRECOMPILE header...)
#
# A target from all .cpp files of some folders. New files are found by the next build. Without any file, the library is
# an empty one and the executable does not exist.

function(tenon_sources result)
    set(patterns)
    foreach(folder IN LISTS ARGN)
        list(APPEND patterns ${folder}/*.cpp)
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

function(tenon_precompile target)
    if(TENON_PRECOMPILED_HEADERS)
        target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
endfunction()

function(tenon_library name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINK;INCLUDE;PRECOMPILE" ${ARGN})
    tenon_sources(sources ${arg_SOURCES})
    if(NOT sources)
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
        target_link_libraries(${name} INTERFACE ${arg_LINK})
        return()
    endif()
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)  # also goes into an FMU
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_include_directories(${name} SYSTEM PRIVATE ${arg_INCLUDE})
    target_compile_definitions(${name} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${name} PUBLIC ${arg_LINK})
    tenon_precompile(${name} ${arg_PRECOMPILE})
endfunction()

# A library that goes into FMUs too: only FMI functions are seen from outside, what is not used is left out, and no
# symbol keeps the FMU in memory after it was unloaded.
function(tenon_goes_into_fmu name)
    get_target_property(type ${name} TYPE)
    if(type STREQUAL INTERFACE_LIBRARY)
        return()
    endif()
    target_compile_options(${name} PRIVATE -fvisibility=hidden -ffunction-sections
        -fdata-sections $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden> -fno-gnu-unique -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
        target_compile_options(${name} PRIVATE -include "${CMAKE_SOURCE_DIR}/fmu/portable/glibc_floor.h")
    endif()
endfunction()

function(tenon_executable name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRECOMPILE" ${ARGN})
    tenon_sources(sources ${arg_SOURCES})
    if(NOT sources)
        return()
    endif()
    add_executable(${name} ${sources})
    target_compile_definitions(${name} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${name} PRIVATE ${arg_LINK})
    tenon_precompile(${name} ${arg_PRECOMPILE})
endfunction()
