/* Calls a function that nobody has. */

int nobody_has_this(void);

__attribute__((visibility("default"))) int calls_nobody(void) { return nobody_has_this(); }
