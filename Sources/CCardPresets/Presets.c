#include "CCardPresets.h"
#include <stddef.h>

// #embed is C23; clang takes it in older modes, too, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char polaroid[] = {
#embed "Presets/polaroid.yaml"
    , 0};
static const char full_bleed[] = {
#embed "Presets/full-bleed.yaml"
    , 0};
static const char quote[] = {
#embed "Presets/quote.yaml"
    , 0};
static const char announcement[] = {
#embed "Presets/announcement.yaml"
    , 0};

static const pasteup_card_preset presets[] = {
    {"polaroid", polaroid},
    {"full-bleed", full_bleed},
    {"quote", quote},
    {"announcement", announcement},
};

const pasteup_card_preset *pasteup_card_preset_at(int index) {
    return index >= 0 && (size_t)index < sizeof presets / sizeof *presets ? &presets[index] : NULL;
}
