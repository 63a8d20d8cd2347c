#include "CCardPresets.h"
#include <stddef.h>

// #embed is C23; clang takes it in older modes, too, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char polaroid_story[] = {
#embed "Presets/polaroid.story.yaml"
    , 0};
static const char polaroid_portrait[] = {
#embed "Presets/polaroid.portrait.yaml"
    , 0};
static const char polaroid_square[] = {
#embed "Presets/polaroid.square.yaml"
    , 0};
static const char polaroid_link[] = {
#embed "Presets/polaroid.link.yaml"
    , 0};
static const char full_bleed_story[] = {
#embed "Presets/full-bleed.story.yaml"
    , 0};
static const char full_bleed_portrait[] = {
#embed "Presets/full-bleed.portrait.yaml"
    , 0};
static const char full_bleed_square[] = {
#embed "Presets/full-bleed.square.yaml"
    , 0};
static const char full_bleed_link[] = {
#embed "Presets/full-bleed.link.yaml"
    , 0};
static const char quote_story[] = {
#embed "Presets/quote.story.yaml"
    , 0};
static const char quote_portrait[] = {
#embed "Presets/quote.portrait.yaml"
    , 0};
static const char quote_square[] = {
#embed "Presets/quote.square.yaml"
    , 0};
static const char quote_link[] = {
#embed "Presets/quote.link.yaml"
    , 0};
static const char announcement_story[] = {
#embed "Presets/announcement.story.yaml"
    , 0};
static const char announcement_portrait[] = {
#embed "Presets/announcement.portrait.yaml"
    , 0};
static const char announcement_square[] = {
#embed "Presets/announcement.square.yaml"
    , 0};
static const char announcement_link[] = {
#embed "Presets/announcement.link.yaml"
    , 0};

static const pasteup_card_preset presets[] = {
    {"polaroid", "story", polaroid_story},
    {"polaroid", "portrait", polaroid_portrait},
    {"polaroid", "square", polaroid_square},
    {"polaroid", "link", polaroid_link},
    {"full-bleed", "story", full_bleed_story},
    {"full-bleed", "portrait", full_bleed_portrait},
    {"full-bleed", "square", full_bleed_square},
    {"full-bleed", "link", full_bleed_link},
    {"quote", "story", quote_story},
    {"quote", "portrait", quote_portrait},
    {"quote", "square", quote_square},
    {"quote", "link", quote_link},
    {"announcement", "story", announcement_story},
    {"announcement", "portrait", announcement_portrait},
    {"announcement", "square", announcement_square},
    {"announcement", "link", announcement_link},
};

const pasteup_card_preset *pasteup_card_preset_at(int index) {
    return index >= 0 && (size_t)index < sizeof presets / sizeof *presets ? &presets[index] : NULL;
}
