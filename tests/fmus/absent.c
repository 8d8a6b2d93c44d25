/* Linked with, but not packed. */

__attribute__((visibility("default"))) int absent(void) { return 0; }
