#pragma once

/// A preset of cards as it is drawn at one size: both names, and its YAML, UTF-8, ended by a zero.
typedef struct {
    const char *_Nonnull name;
    const char *_Nonnull size;
    const char *_Nonnull yaml;
} pasteup_card_preset;

/// The one of that position, those of one preset together, in the order of the help; a NULL pointer beyond the last.
const pasteup_card_preset *_Nullable pasteup_card_preset_at(int index);
