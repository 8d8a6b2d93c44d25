/* Needs a library that is nowhere. */

int absent(void);

__attribute__((visibility("default"))) int needs_a_library(void) { return absent(); }
