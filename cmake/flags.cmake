# Compiler and linker flags of everything in this repository.

add_compile_options(-Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
# gcc 12 is wrong about these at -O2, in Eigen and even in std::string + "text" (its bugs 105329, 105651).
# The sanitizers look for the same errors where they happen.
add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
if(TENON_WARNINGS_AS_ERRORS)
    # maybe-uninitialized guesses, differently in each compiler release: it is shown, but does not stop the build.
    add_compile_options(-Werror -Wno-error=maybe-uninitialized)
endif()

if(TENON_SANITIZERS)
    # null: a false alarm in Eigen, which forms references to the storage of empty matrices; a true access through a
    # null pointer is still caught by the address sanitizer. pointer-overflow: the same, null + 0. vptr: needs the
    # dynamic types of the libraries that were built without it.
    # no-sanitize-recover: undefined behaviour ends the test, it is not a line in a log that nobody reads.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,vptr,pointer-overflow
                   -fno-sanitize-recover=undefined)
    add_compile_options(${sanitizers} -fno-omit-frame-pointer -Wno-maybe-uninitialized)  # false when instrumented
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
    add_link_options(${sanitizers})
    # On kernels with 32 bits of address randomisation, a position-independent executable can land where the address
    # sanitizer of gcc 12 keeps its heap (0x600000000000); it then dies at the start, now and then.
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

if(TENON_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
