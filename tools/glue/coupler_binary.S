/* The prebuilt library of the coupler, as it is packed into every coupler FMU. */
    .section .rodata
    .globl tenon_coupler_begin, tenon_coupler_end
    .balign 16
tenon_coupler_begin:
    .incbin COUPLER_LIBRARY
tenon_coupler_end:
    .section .note.GNU-stack,"",@progbits
