#include "CImageCodecs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/// A sum of bytes times weights as a byte.
static inline uint8_t rounded(int32_t sum, uint32_t bits) {
    const int32_t value = (sum + (1 << bits) / 2) >> bits;
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

#ifdef __SSE2__
/// Two weights, four times over.
static inline __m128i weight_pair(const int16_t *weights) {
    int32_t pair;
    memcpy(&pair, weights, sizeof pair);
    return _mm_set1_epi32(pair);
}

/// Four sums as values from -32768 to 32767, rounded.
static inline __m128i rounded_sums(__m128i sums, uint32_t bits) {
    return _mm_sra_epi32(_mm_add_epi32(sums, _mm_set1_epi32((1 << bits) / 2)), _mm_cvtsi32_si128((int32_t)bits));
}
#endif

/// One target pixel.
static inline void resample_pixel(
    const uint8_t *source, uint8_t *target, const int16_t *weights, uint32_t taps, uint32_t bits) {
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128();
    __m128i sums = zero;
    uint32_t k = 0;
    for (; k + 2 <= taps; k += 2) {
        const __m128i both = _mm_loadl_epi64((const __m128i *)(source + (size_t)k * 4));
        const __m128i channels = _mm_unpacklo_epi8(both, _mm_srli_si128(both, 4));
        sums = _mm_add_epi32(sums, _mm_madd_epi16(_mm_unpacklo_epi8(channels, zero), weight_pair(weights + k)));
    }
    if (k < taps) {
        int32_t pixel;
        memcpy(&pixel, source + (size_t)k * 4, sizeof pixel);
        const __m128i channels = _mm_unpacklo_epi8(_mm_cvtsi32_si128(pixel), zero);
        sums = _mm_add_epi32(
            sums, _mm_madd_epi16(_mm_unpacklo_epi16(channels, zero), _mm_set1_epi32((uint16_t)weights[k])));
    }
    const __m128i words = _mm_packs_epi32(rounded_sums(sums, bits), zero);
    const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, zero));
    memcpy(target, &bytes, sizeof bytes);
#else
    int32_t sums[4] = {0, 0, 0, 0};
    for (uint32_t k = 0; k < taps; k++) {
        for (int c = 0; c < 4; c++) sums[c] += source[(size_t)k * 4 + c] * weights[k];
    }
    for (int c = 0; c < 4; c++) target[c] = rounded(sums[c], bits);
#endif
}

void pasteup_resample_across(
    const uint8_t *pixels, size_t stride, uint32_t rows, uint8_t *target, uint32_t target_width, const int32_t *starts,
    const int16_t *weights, uint32_t taps, uint32_t bits) {
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *row = pixels + y * stride;
        for (uint32_t x = 0; x < target_width; x++, target += 4) {
            resample_pixel(row + (size_t)starts[x] * 4, target, weights + (size_t)x * taps, taps, bits);
        }
    }
}

#ifdef __SSE2__
/// Sixteen bytes of a target row; `source` lies in the first row.
static inline void resample_sixteen(
    const uint8_t *source, size_t row_bytes, uint8_t *target, const int16_t *weights, uint32_t taps,
    uint32_t bits) {
    const __m128i zero = _mm_setzero_si128();
    __m128i sums[4] = {zero, zero, zero, zero};
    for (uint32_t k = 0; k < taps; k += 2) {
        const bool is_last = k + 1 == taps;
        const __m128i one = _mm_loadu_si128((const __m128i *)(source + k * row_bytes));
        const __m128i other = is_last ? zero : _mm_loadu_si128((const __m128i *)(source + (k + 1) * row_bytes));
        const __m128i weight = is_last ? _mm_set1_epi32((uint16_t)weights[k]) : weight_pair(weights + k);
        const __m128i low = _mm_unpacklo_epi8(one, other), high = _mm_unpackhi_epi8(one, other);
        sums[0] = _mm_add_epi32(sums[0], _mm_madd_epi16(_mm_unpacklo_epi8(low, zero), weight));
        sums[1] = _mm_add_epi32(sums[1], _mm_madd_epi16(_mm_unpackhi_epi8(low, zero), weight));
        sums[2] = _mm_add_epi32(sums[2], _mm_madd_epi16(_mm_unpacklo_epi8(high, zero), weight));
        sums[3] = _mm_add_epi32(sums[3], _mm_madd_epi16(_mm_unpackhi_epi8(high, zero), weight));
    }
    const __m128i left = _mm_packs_epi32(rounded_sums(sums[0], bits), rounded_sums(sums[1], bits));
    const __m128i right = _mm_packs_epi32(rounded_sums(sums[2], bits), rounded_sums(sums[3], bits));
    _mm_storeu_si128((__m128i *)target, _mm_packus_epi16(left, right));
}
#endif

void pasteup_resample_down(
    const uint8_t *pixels, size_t row_bytes, uint8_t *target, uint32_t target_height, const int32_t *starts,
    const int16_t *weights, uint32_t taps, uint32_t bits) {
    for (uint32_t y = 0; y < target_height; y++, target += row_bytes, weights += taps) {
        const uint8_t *source = pixels + (size_t)starts[y] * row_bytes;
        size_t i = 0;
#ifdef __SSE2__
        for (; i + 16 <= row_bytes; i += 16) resample_sixteen(source + i, row_bytes, target + i, weights, taps, bits);
#endif
        for (; i < row_bytes; i++) {
            int32_t sum = 0;
            for (uint32_t k = 0; k < taps; k++) sum += source[k * row_bytes + i] * weights[k];
            target[i] = rounded(sum, bits);
        }
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

/// Row `y` of the mask, whose border is repeated.
static inline const uint8_t *mask_row(const uint8_t *mask, uint32_t height, size_t stride, int64_t y) {
    return mask + (size_t)(y < 0 ? 0 : y >= height ? height - 1 : y) * stride;
}

/// Multiplies the colours of `count` pixels by their shares, of 65535.
static void darken_row(uint8_t *pixels, const uint16_t *shares, size_t count) {
    size_t x = 0;
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi16(128);
    const __m128i fourth = _mm_set1_epi32((int32_t)0xff000000u);
    for (; x + 4 <= count; x += 4) {
        const __m128i source = _mm_loadu_si128((const __m128i *)(pixels + x * 4));
        const __m128i share = _mm_loadl_epi64((const __m128i *)(shares + x));
        const __m128i twice = _mm_unpacklo_epi16(share, share);
        __m128i low = _mm_mulhi_epu16(_mm_unpacklo_epi8(zero, source), _mm_unpacklo_epi32(twice, twice));
        __m128i high = _mm_mulhi_epu16(_mm_unpackhi_epi8(zero, source), _mm_unpackhi_epi32(twice, twice));
        low = _mm_srli_epi16(_mm_add_epi16(low, half), 8);
        high = _mm_srli_epi16(_mm_add_epi16(high, half), 8);
        _mm_storeu_si128((__m128i *)(pixels + x * 4), _mm_or_si128(_mm_packus_epi16(low, high), fourth));
    }
#endif
    for (; x < count; x++) {
        for (int c = 0; c < 3; c++) {
            uint8_t *value = &pixels[x * 4 + (size_t)c];
            *value = (uint8_t)((((uint32_t)*value * 256 * shares[x] >> 16) + 128) >> 8);
        }
        pixels[x * 4 + 3] = 255;
    }
}

bool pasteup_darken(
    uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, const uint8_t *mask, uint32_t mask_width,
    uint32_t mask_height, size_t mask_stride, uint32_t reduction, float down, float opacity) {
    // A row of the mask at the height of a target row, with its border once more on each side.
    float *line = calloc(mask_width + 2, sizeof *line);
    uint16_t *shares = malloc(width * sizeof *shares);
    const bool has_memory = line != NULL && shares != NULL;
    for (uint32_t y = 0; has_memory && y < height; y++) {
        const float place = (y + 0.5f - down) / reduction - 0.5f, above = floorf(place), share = place - above;
        const uint8_t *one = mask_row(mask, mask_height, mask_stride, (int64_t)above);
        const uint8_t *other = mask_row(mask, mask_height, mask_stride, (int64_t)above + 1);
        uint32_t first = mask_width, end = 0;
        for (uint32_t j = 0; j < mask_width; j++) {
            line[j + 1] = (one[j] * (1 - share) + other[j] * share) * (opacity / 255);
            if (line[j + 1] == 0) continue;
            if (first > j) first = j;
            end = j + 1;
        }
        if (end == 0) continue;
        line[0] = line[1];
        line[mask_width + 1] = line[mask_width];
        const int64_t from = (int64_t)first * reduction - (reduction + 1) / 2;
        const size_t start = from < 0 ? 0 : (size_t)from;
        size_t stop = start;
        for (uint32_t j = first; j <= end; j++) {
            const float left = line[j], step = (line[j + 1] - left) / reduction;
            // The pixels whose centres lie between those of two of the mask's pixels, the first centre included.
            const int64_t corner = (int64_t)j * reduction - (reduction + 1) / 2;
            const float phase = reduction % 2 == 0 ? 0.5f : 0;
            for (uint32_t k = 0; k < reduction; k++) {
                const int64_t x = corner + k;
                if (x < 0 || x >= width) continue;
                shares[x] = (uint16_t)((1 - (left + step * (k + phase))) * 65535 + 0.5f);
                stop = (size_t)x + 1;
            }
        }
        darken_row(pixels + y * stride + start * 4, shares + start, stop - start);
    }
    free(line);
    free(shares);
    return has_memory;
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
