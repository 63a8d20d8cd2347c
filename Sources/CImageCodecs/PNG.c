#include "CImageCodecs.h"
#include "Info.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

/// The most memory one chunk that is not pixels may take: a colour profile is below 1 MB as a rule.
static const png_alloc_size_t most_chunk_bytes = 8 << 20;

typedef struct {
    png_structp png;
    png_infop info;
    jmp_buf jump;
    pasteup_image_status status;
    char message[200];

    const uint8_t *input;
    size_t input_count;

    uint8_t *output;
    size_t output_count, output_capacity;
} codec;

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

const char *pasteup_codec_versions(void) {
    return "jpeg " TEXT(LIBJPEG_TURBO_VERSION) ", png " PNG_LIBPNG_VER_STRING;
}

static void fail(png_structp png, png_const_charp message) {
    codec *c = png_get_error_ptr(png);
    c->status = pasteup_image_damaged;
    snprintf(c->message, sizeof c->message, "%s", message);
    longjmp(c->jump, 1);
}

static void warn(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    codec *c = png_get_io_ptr(png);
    if (count > c->input_count) png_error(png, "premature end of PNG file");
    memcpy(target, c->input, count);
    c->input += count;
    c->input_count -= count;
}

static pasteup_image_status end_reading(codec *c, pasteup_image_info *info) {
    if (c->status != pasteup_image_ok) snprintf(info->message, sizeof info->message, "%s", c->message);
    png_destroy_read_struct(&c->png, &c->info, NULL);
    pasteup_image_status status = c->status;
    free(c);
    return status;
}

/// A reader that has not read yet, or NULL. Text chunks are passed over: a small one may unpack to gigabytes.
static codec *start_reading(const uint8_t *bytes, size_t count) {
    codec *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->input = bytes;
    c->input_count = count;
    c->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, c, fail, warn);
    if (c->png != NULL) c->info = png_create_info_struct(c->png);
    if (c->info == NULL) {
        png_destroy_read_struct(&c->png, NULL, NULL);
        free(c);
        return NULL;
    }
    png_set_read_fn(c->png, c, read_bytes);
    png_set_user_limits(c->png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(c->png, most_chunk_bytes);
    static const png_byte passed_over[] = "tEXt\0zTXt\0iTXt\0sPLT";
    png_set_keep_unknown_chunks(c->png, PNG_HANDLE_CHUNK_NEVER, passed_over, 4);
    return c;
}

static void keep_profile(codec *c, pasteup_image_info *info) {
    png_charp name;
    int compression;
    png_bytep profile;
    png_uint_32 count;
    if (png_get_iCCP(c->png, c->info, &name, &compression, &profile, &count) == 0) return;
    info->profile = pasteup_copy_bytes(profile, count);
    info->profile_count = info->profile == NULL ? 0 : count;
}

static void keep_exif(codec *c, pasteup_image_info *info) {
    png_bytep exif;
    png_uint_32 count;
    if (png_get_eXIf_1(c->png, c->info, &count, &exif) == 0) return;
    info->exif = pasteup_copy_bytes(exif, count);
    info->exif_count = info->exif == NULL ? 0 : count;
}

pasteup_image_status pasteup_png_read_info(const uint8_t *bytes, size_t count, pasteup_image_info *info) {
    codec *c = start_reading(bytes, count);
    if (c == NULL) return pasteup_image_no_memory;
    if (setjmp(c->jump) == 0) {
        png_read_info(c->png, c->info);
        int type = png_get_color_type(c->png, c->info);
        info->is_grey = (type & PNG_COLOR_MASK_COLOR) == 0;
        info->has_alpha = (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(c->png, c->info, PNG_INFO_tRNS);
        keep_profile(c, info);
        keep_exif(c, info);
    }
    info->width = png_get_image_width(c->png, c->info);
    info->height = png_get_image_height(c->png, c->info);
    return end_reading(c, info);
}

pasteup_image_status pasteup_png_decode(
    const uint8_t *bytes, size_t count, uint8_t *pixels, size_t stride, uint32_t height, pasteup_image_info *info) {
    codec *c = start_reading(bytes, count);
    if (c == NULL) return pasteup_image_no_memory;
    if (setjmp(c->jump) == 0) {
        png_read_info(c->png, c->info);
        png_set_expand(c->png);
        png_set_scale_16(c->png);
        png_set_gray_to_rgb(c->png);
        png_set_bgr(c->png);
        png_set_add_alpha(c->png, 255, PNG_FILLER_AFTER);
        int passes = png_set_interlace_handling(c->png);
        png_read_update_info(c->png, c->info);
        if (png_get_image_height(c->png, c->info) != height || png_get_rowbytes(c->png, c->info) > stride) {
            png_error(c->png, "size changed while reading");
        }
        for (int pass = 0; pass < passes; pass++) {
            for (uint32_t y = 0; y < height; y++) png_read_row(c->png, pixels + y * stride, NULL);
        }
        png_read_end(c->png, NULL);
    }
    return end_reading(c, info);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    codec *c = png_get_io_ptr(png);
    if (c->output_count + count > c->output_capacity) {
        size_t capacity = c->output_capacity * 2 + count;
        uint8_t *output = realloc(c->output, capacity);
        if (output == NULL) png_error(png, "out of memory");
        c->output = output;
        c->output_capacity = capacity;
    }
    memcpy(c->output + c->output_count, bytes, count);
    c->output_count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

pasteup_image_status pasteup_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, uint8_t **output, size_t *output_count) {
    codec *c = calloc(1, sizeof *c);
    if (c == NULL) return pasteup_image_no_memory;
    c->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, c, fail, warn);
    if (c->png != NULL) c->info = png_create_info_struct(c->png);
    if (c->info == NULL) {
        png_destroy_write_struct(&c->png, NULL);
        free(c);
        return pasteup_image_no_memory;
    }
    if (setjmp(c->jump) == 0) {
        png_set_write_fn(c->png, c, write_bytes, flush_nothing);
        png_set_IHDR(
            c->png, c->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
            PNG_FILTER_TYPE_DEFAULT);
        png_write_info(c->png, c->info);
        png_set_bgr(c->png);
        png_set_filler(c->png, 0, PNG_FILLER_AFTER);
        for (uint32_t y = 0; y < height; y++) png_write_row(c->png, pixels + y * stride);
        png_write_end(c->png, NULL);
    }
    png_destroy_write_struct(&c->png, &c->info);
    pasteup_image_status status = c->status;
    if (status == pasteup_image_ok) {
        *output = c->output;
        *output_count = c->output_count;
    } else {
        // The only fault a memory writer meets.
        status = pasteup_image_no_memory;
        free(c->output);
    }
    free(c);
    return status;
}
