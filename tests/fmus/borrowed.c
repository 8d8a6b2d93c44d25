/* No function of FMI: they are all in a library that this one needs. */

__attribute__((visibility("default"))) int borrows_everything(void) { return 1; }
