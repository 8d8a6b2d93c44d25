# Runs after the link of a Catch2 executable: writes a ctest test for each of its test cases to FILE.
# Those tagged [slow] get the ctest label slow; one that prints a line "skipped: why" counts as skipped. Stands in for
# Catch2's own catch_discover_tests, which in 2.13 knows no labels and cuts names at semicolons.
#     cmake -D EXECUTABLE=... -D DIRECTORY=... -D FILE=... -P discover_tests.cmake

function(discover tag_expression properties)
    execute_process(COMMAND "${EXECUTABLE}" "${tag_expression}" --list-test-names-only
                    OUTPUT_VARIABLE names RESULT_VARIABLE result)
    if(NOT result MATCHES "^[0-9]+$")  # the exit code is the number of tests; a signal has a name
        message(FATAL_ERROR "${EXECUTABLE} cannot list its tests: ${result}\n${names}")
    endif()
    string(FIND "${names}" "\n" end)
    while(end GREATER 0)
        string(SUBSTRING "${names}" 0 ${end} name)
        # What Catch2 would read as a pattern; --warn NoTests: a name that it cannot find again fails, not passes.
        string(REGEX REPLACE "([][,\\\\])" "\\\\\\1" pattern "${name}")
        string(APPEND script "add_test([==[${name}]==] [==[${EXECUTABLE}]==] [==[${pattern}]==] --warn NoTests)\n"
                             "set_tests_properties([==[${name}]==] PROPERTIES "
                             "WORKING_DIRECTORY [==[${DIRECTORY}]==] "
                             "SKIP_REGULAR_EXPRESSION \"(^|\n)skipped: \" ${properties})\n")
        math(EXPR next "${end} + 1")
        string(SUBSTRING "${names}" ${next} -1 names)
        string(FIND "${names}" "\n" end)
    endwhile()
    set(script "${script}" PARENT_SCOPE)
endfunction()

set(script "")
discover("~[slow]" "")
discover("[slow]" "LABELS slow")
file(WRITE "${FILE}" "${script}")
