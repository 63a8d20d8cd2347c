#include "CImageCodecs.h"
#include <string.h>

/// a * b / 255, rounded.
static inline uint8_t product(unsigned a, unsigned b) {
    unsigned t = a * b + 128;
    return (uint8_t)((t + (t >> 8)) >> 8);
}

void pasteup_premultiply(uint8_t *pixels, size_t count) {
    for (uint8_t *p = pixels; p < pixels + count * 4; p += 4) {
        p[0] = product(p[0], p[3]);
        p[1] = product(p[1], p[3]);
        p[2] = product(p[2], p[3]);
    }
}

void pasteup_inks_to_bgrx(uint8_t *pixels, size_t count, bool inverted) {
    const uint8_t flip = inverted ? 0 : 255;
    for (uint8_t *p = pixels; p < pixels + count * 4; p += 4) {
        const unsigned cyan = p[0] ^ flip, magenta = p[1] ^ flip, yellow = p[2] ^ flip, black = p[3] ^ flip;
        p[0] = product(yellow, black);
        p[1] = product(magenta, black);
        p[2] = product(cyan, black);
        p[3] = 255;
    }
}

void pasteup_turn(const uint8_t *pixels, uint32_t width, uint32_t height, int orientation, uint8_t *target) {
    const bool swaps = orientation >= 5;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const uint32_t columns = swaps ? height : width, rows = swaps ? width : height;
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < columns; x++) {
            const uint32_t i = swaps ? y : x, j = swaps ? x : y;
            const size_t column = from_right ? width - 1 - i : i, row = from_bottom ? height - 1 - j : j;
            memcpy(target, pixels + (row * width + column) * 4, 4);
            target += 4;
        }
    }
}

static inline uint8_t rounded(float value) {
    if (value <= 0) return 0;
    return value >= 255 ? 255 : (uint8_t)(value + 0.5f);
}

typedef float four_floats __attribute__((vector_size(16)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

void pasteup_resample_across(
    const uint8_t *pixels, size_t stride, uint32_t rows, uint8_t *target, uint32_t target_width, const int32_t *starts,
    const float *weights, uint32_t taps) {
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *row = pixels + y * stride;
        for (uint32_t x = 0; x < target_width; x++) {
            const uint8_t *source = row + (size_t)starts[x] * 4;
            const float *weight = weights + (size_t)x * taps;
            four_floats sum = {0, 0, 0, 0};
            for (uint32_t k = 0; k < taps; k++) {
                four_bytes pixel;
                memcpy(&pixel, source + (size_t)k * 4, 4);
                sum += __builtin_convertvector(pixel, four_floats) * weight[k];
            }
            for (int c = 0; c < 4; c++) *target++ = rounded(sum[c]);
        }
    }
}

void pasteup_resample_down(
    const uint8_t *pixels, size_t row_bytes, uint8_t *target, uint32_t target_height, const int32_t *starts,
    const float *weights, uint32_t taps) {
    enum { strip = 512 };
    float sums[strip];
    for (uint32_t y = 0; y < target_height; y++) {
        for (size_t left = 0; left < row_bytes; left += strip) {
            const size_t count = row_bytes - left < strip ? row_bytes - left : strip;
            memset(sums, 0, sizeof sums);
            for (uint32_t k = 0; k < taps; k++) {
                const uint8_t *source = pixels + ((size_t)starts[y] + k) * row_bytes + left;
                const float weight = weights[(size_t)y * taps + k];
                for (size_t i = 0; i < count; i++) sums[i] += source[i] * weight;
            }
            for (size_t i = 0; i < count; i++) target[left + i] = rounded(sums[i]);
        }
        target += row_bytes;
    }
}

void pasteup_clamp_to_alpha(uint8_t *pixels, size_t count) {
    for (uint8_t *p = pixels; p < pixels + count * 4; p += 4) {
        for (int c = 0; c < 3; c++) {
            if (p[c] > p[3]) p[c] = p[3];
        }
    }
}

static inline uint32_t smaller(uint32_t one, uint32_t other) { return one < other ? one : other; }

/// The means along one row, for one channel.
static void blur_row(const uint8_t *source, uint8_t *target, uint32_t count, uint32_t step, uint32_t radius) {
    const float share = 1.0f / (2 * radius + 1);
    const uint32_t end = count - 1;
    uint32_t sum = source[0] * radius;
    for (uint32_t i = 0; i < radius; i++) sum += source[(size_t)smaller(i, end) * step];
    for (uint32_t i = 0; i < count; i++) {
        sum += source[(size_t)smaller(i + radius, end) * step];
        target[(size_t)i * step] = (uint8_t)(sum * share + 0.5f);
        sum -= source[(size_t)(i > radius ? i - radius : 0) * step];
    }
}

/// The means along `count` columns that lie side by side; walking down them together is kind to the cache.
static void blur_columns(
    const uint8_t *source, uint8_t *target, uint32_t count, uint32_t height, size_t stride, uint32_t radius) {
    const float share = 1.0f / (2 * radius + 1);
    const uint32_t end = height - 1;
    uint32_t sums[256];
    for (uint32_t x = 0; x < count; x++) sums[x] = source[x] * radius;
    for (uint32_t y = 0; y < radius; y++) {
        const uint8_t *row = source + smaller(y, end) * stride;
        for (uint32_t x = 0; x < count; x++) sums[x] += row[x];
    }
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *entering = source + smaller(y + radius, end) * stride;
        const uint8_t *leaving = source + (y > radius ? y - radius : 0) * stride;
        uint8_t *row = target + y * stride;
        for (uint32_t x = 0; x < count; x++) {
            const uint32_t sum = sums[x] + entering[x];
            row[x] = (uint8_t)(int32_t)((float)(int32_t)sum * share + 0.5f);
            sums[x] = sum - leaving[x];
        }
    }
}

void pasteup_box_blur(
    uint8_t *pixels, uint8_t *scratch, uint32_t width, uint32_t height, size_t stride, uint32_t channels,
    uint32_t radius) {
    if (radius == 0 || width == 0 || height == 0) return;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t c = 0; c < channels; c++) {
            blur_row(pixels + y * stride + c, scratch + y * stride + c, width, channels, radius);
        }
    }
    for (uint32_t x = 0; x < width * channels; x += 256) {
        blur_columns(scratch + x, pixels + x, smaller(width * channels - x, 256), height, stride, radius);
    }
}

void pasteup_fill_gradient(
    uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, const float *table, uint32_t table_count,
    float origin, float across, float down, bool dithers) {
    // The classic recursive 8x8 pattern (B. Bayer, 1973).
    static const uint8_t pattern[8][8] = {
        {0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26}, {12, 44, 4, 36, 14, 46, 6, 38},
        {60, 28, 52, 20, 62, 30, 54, 22}, {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
        {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21},
    };
    const float end = (float)(table_count - 1);
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *target = pixels + y * stride;
        const float start = origin + y * down;
        for (uint32_t x = 0; x < width; x++, target += 4) {
            float place = (start + x * across) * end + 0.5f;
            place = place < 0 ? 0 : place > end ? end : place;
            const float *color = table + (size_t)place * 3;
            const float offset = dithers ? (pattern[y & 7][x & 7] + 0.5f) / 64 : 0.5f;
            for (int c = 0; c < 3; c++) target[c] = (uint8_t)(color[c] + offset);
            target[3] = 255;
        }
    }
}
