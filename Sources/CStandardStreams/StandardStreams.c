#include "CStandardStreams.h"

#include <fcntl.h>

/// Without this the number of a closed stream goes to the next file or socket that is opened, and messages into that.
/// Dispatch opens its own before the first line of an async `main`, so this runs before `main`.
__attribute__((constructor)) static void open_missing_streams(void) {
    for (int file = 0; file <= 2; file++) {
        if (fcntl(file, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
    }
}
