# The page of `tenon view` (cmake/viewer.sh builds it, once for all presets) and the library that fills it.

set(TENON_VIEWER_PAGE "${CMAKE_SOURCE_DIR}/build/viewer/viewer.html")
file(GLOB viewer_web CONFIGURE_DEPENDS tools/viewer/web/*)

# An empty page means that npm could not be reached: the next configuration tries again.
if(EXISTS "${TENON_VIEWER_PAGE}")
    file(SIZE "${TENON_VIEWER_PAGE}" viewer_bytes)
    if(viewer_bytes EQUAL 0)
        file(REMOVE "${TENON_VIEWER_PAGE}")
    endif()
endif()
add_custom_command(OUTPUT "${TENON_VIEWER_PAGE}"
    COMMAND "${CMAKE_SOURCE_DIR}/cmake/viewer.sh"
    COMMAND ${CMAKE_COMMAND} -E touch "${TENON_VIEWER_PAGE}"
    DEPENDS ${viewer_web} "${CMAKE_SOURCE_DIR}/cmake/viewer.sh"
    COMMENT "Bundling the viewer's page" VERBATIM)

tenon_library(tools/viewer LINK tenon_results)
# The page is carried inside the command: nothing to find, nothing to install beside it.
target_sources(tenon_viewer PRIVATE tools/viewer/page.S)
set_property(SOURCE tools/viewer/page.S PROPERTY COMPILE_DEFINITIONS "VIEWER_PAGE=\"${TENON_VIEWER_PAGE}\"")
set_property(SOURCE tools/viewer/page.S PROPERTY OBJECT_DEPENDS "${TENON_VIEWER_PAGE}")
