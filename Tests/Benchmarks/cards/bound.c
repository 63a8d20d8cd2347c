/* The least that a card costs: decodes a JPEG and encodes 1080x1920 at quality 90, with libjpeg-turbo alone.
   bound PHOTO FILE [ROUNDS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static unsigned char *read_file(const char *path, unsigned long *count) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) exit(2);
    fseek(file, 0, SEEK_END);
    *count = (unsigned long)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*count);
    if (bytes == NULL || fread(bytes, 1, *count, file) != *count) exit(2);
    fclose(file);
    return bytes;
}

static void once(const unsigned char *bytes, unsigned long count, const char *path) {
    struct jpeg_error_mgr errors;
    struct jpeg_decompress_struct in;
    in.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&in);
    jpeg_mem_src(&in, bytes, count);
    jpeg_read_header(&in, TRUE);
    in.out_color_space = JCS_EXT_BGRX;
    jpeg_start_decompress(&in);
    const size_t stride = (size_t)in.output_width * 4;
    unsigned char *pixels = malloc(stride * in.output_height);
    while (in.output_scanline < in.output_height) {
        JSAMPROW row = pixels + stride * in.output_scanline;
        jpeg_read_scanlines(&in, &row, 1);
    }
    const unsigned width = in.output_width, height = in.output_height;
    jpeg_finish_decompress(&in);
    jpeg_destroy_decompress(&in);

    struct jpeg_compress_struct out;
    out.err = jpeg_std_error(&errors);
    jpeg_create_compress(&out);
    unsigned char *result = NULL;
    unsigned long size = 0;
    jpeg_mem_dest(&out, &result, &size);
    out.image_width = 1080;
    out.image_height = 1920;
    out.input_components = 4;
    out.in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(&out);
    jpeg_set_quality(&out, 90, TRUE);
    jpeg_start_compress(&out, TRUE);
    unsigned char *wide = calloc(1080, 4);
    while (out.next_scanline < 1920) {
        memcpy(wide, pixels + stride * (out.next_scanline % height), (width < 1080 ? width : 1080) * 4);
        jpeg_write_scanlines(&out, &wide, 1);
    }
    jpeg_finish_compress(&out);
    jpeg_destroy_compress(&out);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(result, 1, size, file) != size) exit(2);
    fclose(file);
    free(wide);
    free(result);
    free(pixels);
}

int main(int count, char **words) {
    if (count < 3) return 2;
    unsigned long size;
    unsigned char *bytes = read_file(words[1], &size);
    for (int round = count > 3 ? atoi(words[3]) : 1; round > 0; round--) once(bytes, size, words[2]);
    free(bytes);
    return 0;
}
