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

/// The names and versions of libjpeg and libpng.
const char *pasteup_codec_versions(void);

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

/// Writes a baseline JPEG of BGRX rows, 4:4:4 or 4:2:0. `*output` is to be freed with `free`.
pasteup_image_status pasteup_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, int quality, bool full_chroma,
    uint8_t *_Nullable *_Nonnull output, size_t *output_count);

/// Writes a PNG of 8 bits a channel without alpha, of BGRX rows. `*output` is to be freed with `free`.
pasteup_image_status pasteup_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, uint8_t *_Nullable *_Nonnull output,
    size_t *output_count);

/// Multiplies alpha into the colours of `count` BGRA pixels.
void pasteup_premultiply(uint8_t *pixels, size_t count);

/// Turns `count` CMYK pixels into BGRX without a profile: red = cyan's paper * black's paper / 255.
void pasteup_inks_to_bgrx(uint8_t *pixels, size_t count, bool inverted);

/// Copies `width` x `height` stored pixels to how they are to be shown. `orientation` as in EXIF, 1 to 8; from 5 on,
/// the target has `height` columns and `width` rows. No padding between rows.
void pasteup_turn(const uint8_t *pixels, uint32_t width, uint32_t height, int orientation, uint8_t *target);

/// Resamples rows to another width: target pixel x is the sum of `taps` source pixels from `starts[x]` on, weighed with
/// `weights[x * taps ...]`.
///
/// @param bits how many of a weight's are the fraction, 20 at most: those of a target pixel add up to 1 << bits.
void pasteup_resample_across(
    const uint8_t *pixels, size_t stride, uint32_t rows, uint8_t *target, uint32_t target_width, const int32_t *starts,
    const int16_t *weights, uint32_t taps, uint32_t bits);

/// Resamples columns to another height, in the same way; rows are `row_bytes` apart in both.
void pasteup_resample_down(
    const uint8_t *pixels, size_t row_bytes, uint8_t *target, uint32_t target_height, const int32_t *starts,
    const int16_t *weights, uint32_t taps, uint32_t bits);

/// Lowers colours that pass their alpha, which resampling may leave behind.
void pasteup_clamp_to_alpha(uint8_t *pixels, size_t count);

/// Replaces each byte by the mean of the square that reaches `radius` pixels to each side; the border is repeated.
///
/// @param scratch as large as `pixels`.
/// @param channels 1 or 4.
void pasteup_box_blur(
    uint8_t *pixels, uint8_t *scratch, uint32_t width, uint32_t height, size_t stride, uint32_t channels,
    uint32_t radius);

/// Darkens BGRX pixels where a mask, a byte for each of its pixels, is set. Between the mask's pixels lies a slope; its
/// border is repeated.
///
/// @param reduction how many target pixels, across and down, there are for one of the mask's.
/// @param down how far below the mask's place it falls, in target pixels.
/// @param opacity 0 to 1: what of the light a mask of 255 takes away.
/// @return false when there was no memory; nothing is changed then.
bool pasteup_darken(
    uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, const uint8_t *mask, uint32_t mask_width,
    uint32_t mask_height, size_t mask_stride, uint32_t reduction, float down, float opacity);

/// Fills BGRX rows with colours from a table of `table_count` B, G, R triples (0 to 255, fractions count):
/// pixel (x, y) has the colour at `origin + x * across + y * down`, where 0 and 1 are the table's ends.
///
/// @param dithers spreads the rounding error by an 8x8 ordered pattern.
void pasteup_fill_gradient(
    uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, const float *table, uint32_t table_count,
    float origin, float across, float down, bool dithers);

#pragma clang assume_nonnull end
