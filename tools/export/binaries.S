/* The prebuilt libraries of FMI 2.0 and 3.0, as they are packed into every FMU. */
    .section .rodata
    .globl tenon_fmi2_begin, tenon_fmi2_end, tenon_fmi3_begin, tenon_fmi3_end
    .balign 16
tenon_fmi2_begin:
    .incbin FMI2_LIBRARY
tenon_fmi2_end:
    .balign 16
tenon_fmi3_begin:
    .incbin FMI3_LIBRARY
tenon_fmi3_end:
    .section .note.GNU-stack,"",@progbits
