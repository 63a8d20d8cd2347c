#include "Info.h"
#include <stdlib.h>
#include <string.h>

void pasteup_image_info_free(pasteup_image_info *info) {
    free(info->profile);
    free(info->exif);
    memset(info, 0, sizeof *info);
}

uint8_t *pasteup_copy_bytes(const void *bytes, size_t count) {
    uint8_t *copy = malloc(count > 0 ? count : 1);
    if (copy != NULL) memcpy(copy, bytes, count);
    return copy;
}
