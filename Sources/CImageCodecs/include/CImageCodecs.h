#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg and libpng report errors with longjmp, which must never cross a Swift frame: these functions set the jump,
// and return a status instead. The loops over every pixel are in C as well, for the speed of builds without optimising.

#pragma clang assume_nonnull begin

/// How a call ended.
typedef enum __attribute__((enum_extensibility(closed))) pasteup_image_status {
    pasteup_image_ok,
    /// Truncated or damaged; a warning of libjpeg's counts.
    pasteup_image_damaged,
    /// A sound file of a kind that the library does not decode.
    pasteup_image_unsupported,
    pasteup_image_no_memory,
} pasteup_image_status;

/// What an image file says of itself before its pixels. Start from zeroes, free with `pasteup_image_info_free`.
typedef struct pasteup_image_info {
    /// As stored; zero when the reader did not come as far.
    uint32_t width, height;
    bool has_alpha;
    bool is_grey;
    /// Pixels come as C, M, Y, K instead of B, G, R, X.
    bool is_cmyk;
    /// 255 means no ink, as Adobe's programs store it.
    bool is_inverted;
    uint8_t *_Nullable profile;
    size_t profile_count;
    /// A TIFF block, without the "Exif" before it.
    uint8_t *_Nullable exif;
    size_t exif_count;
    /// The library's own words for the first problem, or empty.
    char message[208];
} pasteup_image_info;

void pasteup_image_info_free(pasteup_image_info *info);

/// Reads up to the pixels. On failure `width` and `height` are set if they were reached.
pasteup_image_status pasteup_jpeg_read_info(const uint8_t *bytes, size_t count, pasteup_image_info *info);
pasteup_image_status pasteup_png_read_info(const uint8_t *bytes, size_t count, pasteup_image_info *info);

/// Decodes into rows of `stride` bytes: BGRX, or CMYK where the info says so.
///
/// @param denominator 1, 2, 4 or 8: the picture is that much smaller, rounded up.
/// @param height the number of rows at `pixels`; another height than the file's (scaled) is `damaged`.
pasteup_image_status pasteup_jpeg_decode(
    const uint8_t *bytes, size_t count, unsigned denominator, uint8_t *pixels, size_t stride, uint32_t height,
    pasteup_image_info *info);

/// Decodes into rows of `stride` bytes: BGRA, alpha not multiplied in, 255 where the file has none.
pasteup_image_status pasteup_png_decode(
    const uint8_t *bytes, size_t count, uint8_t *pixels, size_t stride, uint32_t height, pasteup_image_info *info);

/// Writes a baseline JPEG, 4:2:0, of BGRX rows. `*output` is to be freed with `free`.
pasteup_image_status pasteup_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, int quality,
    uint8_t *_Nullable *_Nonnull output, size_t *output_count);

/// Writes a PNG of 8 bits a channel without alpha, of BGRX rows. `*output` is to be freed with `free`.
pasteup_image_status pasteup_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, uint8_t *_Nullable *_Nonnull output,
    size_t *output_count);

#pragma clang assume_nonnull end
