/* Included before everything that goes into an FMU: binds the functions of libm that later releases of glibc have under a
   new version to the old one, so that an FMU built here runs on systems back to glibc 2.14. */
__asm__(".symver exp,exp@GLIBC_2.2.5");
__asm__(".symver exp2,exp2@GLIBC_2.2.5");
__asm__(".symver log,log@GLIBC_2.2.5");
__asm__(".symver log2,log2@GLIBC_2.2.5");
__asm__(".symver pow,pow@GLIBC_2.2.5");
__asm__(".symver hypot,hypot@GLIBC_2.2.5");
