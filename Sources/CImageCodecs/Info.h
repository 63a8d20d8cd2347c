#pragma once
#include "CImageCodecs.h"

/// A copy to be freed with `free`, or NULL.
uint8_t *pasteup_copy_bytes(const void *bytes, size_t count);
