/* The page of the viewer, as cmake/viewer.sh has built it; empty where it could not. */
    .section .rodata
    .globl tenon_viewer_begin, tenon_viewer_end
    .balign 16
tenon_viewer_begin:
    .incbin VIEWER_PAGE
tenon_viewer_end:
    .section .note.GNU-stack,"",@progbits
