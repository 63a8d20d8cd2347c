#include <stddef.h>
#include <stdint.h>

/// What a fuzzer defines.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// libFuzzer's loop, for programs with a `main` of their own: SwiftPM's executables have one.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/// Runs the loop over `LLVMFuzzerTestOneInput`.
int pasteup_fuzz(int argc, char **argv);
