#pragma once

/// A preset of cards: its name, and its YAML, UTF-8, ended by a zero.
typedef struct {
    const char *_Nonnull name;
    const char *_Nonnull yaml;
} pasteup_card_preset;

/// The preset of that position, in the order of the help; a NULL pointer beyond the last.
const pasteup_card_preset *_Nullable pasteup_card_preset_at(int index);
