#pragma once
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>

// The path of the font's file; NULL when it has none. The check of the font's type is a macro.
static inline const char *pasteup_font_file(PangoFont *font) {
    FcChar8 *path = NULL;
    if (!PANGO_IS_FC_FONT(font)) return NULL;
    FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
    return FcPatternGetString(pattern, FC_FILE, 0, &path) == FcResultMatch ? (const char *)path : NULL;
}
