/* The prebuilt libraries of FMI 2.0, of FMI 3.0 and of the coupler, as they are packed into FMUs. Those of a platform
   that was not built for are empty. */
    .macro library platform, name
    .globl tenon_\platform\()_\name\()_begin, tenon_\platform\()_\name\()_end
    .balign 16
tenon_\platform\()_\name\()_begin:
    .incbin "\platform/\name"
tenon_\platform\()_\name\()_end:
    .endm

    .section .rodata
    library linux64, fmi2
    library linux64, fmi3
    library linux64, coupler
    library win64, fmi2
    library win64, fmi3
    library win64, coupler
    library aarch64, fmi2
    library aarch64, fmi3
    library aarch64, coupler
    .section .note.GNU-stack,"",@progbits
