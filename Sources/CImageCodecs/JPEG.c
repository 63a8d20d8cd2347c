#include "CImageCodecs.h"
#include "Info.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

/// A decoder's hang is avoided by refusing more scans than this; 100 is the number Skia uses. Real files have about ten.
static const int most_scans = 100;

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf jump;
    pasteup_image_status status;
    /// Damage to the colour profile alone is not fatal.
    bool reads_profile;
    char message[JMSG_LENGTH_MAX];
} errors;

static void fail(j_common_ptr codec) {
    errors *e = (errors *)codec->err;
    e->base.format_message(codec, e->message);
    switch (e->base.msg_code) {
    case JERR_OUT_OF_MEMORY: e->status = pasteup_image_no_memory; break;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOTIMPL: e->status = pasteup_image_unsupported; break;
    default: e->status = pasteup_image_damaged;
    }
    longjmp(e->jump, 1);
}

/// A warning (level below zero) means that libjpeg goes on with made-up data, a grey half as a rule.
static void warn(j_common_ptr codec, int level) {
    errors *e = (errors *)codec->err;
    if (level < 0 && !e->reads_profile) fail(codec);
}

static void print_nothing(j_common_ptr codec) { (void)codec; }

static void watch_scans(j_common_ptr codec) {
    errors *e = (errors *)codec->err;
    if (!codec->is_decompressor || ((j_decompress_ptr)codec)->input_scan_number <= most_scans) return;
    snprintf(e->message, sizeof e->message, "more than %d scans", most_scans);
    e->status = pasteup_image_unsupported;
    longjmp(e->jump, 1);
}

static struct jpeg_error_mgr *set_up(errors *e) {
    memset(e, 0, sizeof *e);
    jpeg_std_error(&e->base);
    e->base.error_exit = fail;
    e->base.emit_message = warn;
    e->base.output_message = print_nothing;
    return &e->base;
}

typedef struct {
    struct jpeg_decompress_struct codec;
    struct jpeg_progress_mgr progress;
    errors errors;
    JOCTET *profile;
} decoder;

static void start(decoder *d, const uint8_t *bytes, size_t count) {
    jpeg_create_decompress(&d->codec);
    d->progress.progress_monitor = watch_scans;
    d->codec.progress = &d->progress;
    jpeg_mem_src(&d->codec, bytes, count);
}

static void keep_exif(const struct jpeg_decompress_struct *codec, pasteup_image_info *info) {
    for (jpeg_saved_marker_ptr m = codec->marker_list; m != NULL; m = m->next) {
        if (m->marker != JPEG_APP0 + 1 || m->data_length < 6 || memcmp(m->data, "Exif\0", 6) != 0) continue;
        info->exif_count = m->data_length - 6;
        info->exif = pasteup_copy_bytes(m->data + 6, info->exif_count);
        return;
    }
}

static void keep_profile(decoder *d, pasteup_image_info *info) {
    unsigned length = 0;
    d->errors.reads_profile = true;
    if (jpeg_read_icc_profile(&d->codec, &d->profile, &length)) {
        info->profile = d->profile;
        info->profile_count = length;
        d->profile = NULL;
    }
    d->errors.reads_profile = false;
}

static pasteup_image_status end(decoder *d, pasteup_image_info *info) {
    if (d->errors.status != pasteup_image_ok) {
        snprintf(info->message, sizeof info->message, "%s", d->errors.message);
    }
    free(d->profile);
    jpeg_destroy_decompress(&d->codec);
    pasteup_image_status status = d->errors.status;
    free(d);
    return status;
}

pasteup_image_status pasteup_jpeg_read_info(const uint8_t *bytes, size_t count, pasteup_image_info *info) {
    decoder *d = calloc(1, sizeof *d);
    if (d == NULL) return pasteup_image_no_memory;
    d->codec.err = set_up(&d->errors);
    if (setjmp(d->errors.jump) == 0) {
        start(d, bytes, count);
        jpeg_save_markers(&d->codec, JPEG_APP0 + 1, 0xFFFF);
        jpeg_save_markers(&d->codec, JPEG_APP0 + 2, 0xFFFF);
        jpeg_read_header(&d->codec, TRUE);
        keep_exif(&d->codec, info);
        keep_profile(d, info);
    }
    info->width = d->codec.image_width;
    info->height = d->codec.image_height;
    info->is_grey = d->codec.num_components == 1;
    info->is_cmyk = d->codec.num_components == 4;
    info->is_inverted = d->codec.saw_Adobe_marker;
    return end(d, info);
}

pasteup_image_status pasteup_jpeg_decode(
    const uint8_t *bytes, size_t count, unsigned denominator, uint8_t *pixels, size_t stride, uint32_t height,
    pasteup_image_info *info) {
    decoder *d = calloc(1, sizeof *d);
    if (d == NULL) return pasteup_image_no_memory;
    d->codec.err = set_up(&d->errors);
    if (setjmp(d->errors.jump) == 0) {
        start(d, bytes, count);
        jpeg_read_header(&d->codec, TRUE);
        d->codec.out_color_space = d->codec.num_components == 4 ? JCS_CMYK : JCS_EXT_BGRX;
        d->codec.scale_num = 1;
        d->codec.scale_denom = denominator;
        jpeg_start_decompress(&d->codec);
        if (d->codec.output_height != height || d->codec.output_width * 4 > stride) ERREXIT(&d->codec, JERR_BAD_STATE);
        while (d->codec.output_scanline < height) {
            JSAMPROW row = pixels + d->codec.output_scanline * stride;
            jpeg_read_scanlines(&d->codec, &row, 1);
        }
        jpeg_finish_decompress(&d->codec);
    }
    return end(d, info);
}

typedef struct {
    struct jpeg_compress_struct codec;
    errors errors;
    unsigned char *output;
    unsigned long output_count;
} encoder;

pasteup_image_status pasteup_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride, int quality, bool full_chroma,
    uint8_t **output, size_t *output_count) {
    encoder *e = calloc(1, sizeof *e);
    if (e == NULL) return pasteup_image_no_memory;
    e->codec.err = set_up(&e->errors);
    if (setjmp(e->errors.jump) == 0) {
        jpeg_create_compress(&e->codec);
        jpeg_mem_dest(&e->codec, &e->output, &e->output_count);
        e->codec.image_width = width;
        e->codec.image_height = height;
        e->codec.input_components = 4;
        e->codec.in_color_space = JCS_EXT_BGRX;
        jpeg_set_defaults(&e->codec);
        jpeg_set_quality(&e->codec, quality, TRUE);
        if (full_chroma) e->codec.comp_info[0].h_samp_factor = e->codec.comp_info[0].v_samp_factor = 1;
        jpeg_start_compress(&e->codec, TRUE);
        while (e->codec.next_scanline < height) {
            JSAMPROW row = (JSAMPROW)(pixels + e->codec.next_scanline * stride);
            jpeg_write_scanlines(&e->codec, &row, 1);
        }
        jpeg_finish_compress(&e->codec);
    }
    jpeg_destroy_compress(&e->codec);
    pasteup_image_status status = e->errors.status;
    if (status == pasteup_image_ok) {
        *output = e->output;
        *output_count = e->output_count;
    } else {
        free(e->output);
    }
    free(e);
    return status;
}
