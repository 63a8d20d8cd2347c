#include "CFuzzer.h"

int pasteup_fuzz(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }
