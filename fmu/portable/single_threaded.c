/* libstdc++.a asks glibc (2.32 and later) whether the process has one thread only. Answered here with "no": atomics are
   then always used, which is right in any host, and the FMU does not need that glibc. */
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
