#pragma once
#include <jansson.h>

// json_typeof is a macro.
static inline json_type pasteup_json_type(const json_t *_Nonnull value) { return json_typeof(value); }

// json_error_code reads the last byte of a fixed array, which Swift sees as a tuple.
static inline int pasteup_json_error_is_overflow(const json_error_t *_Nonnull error) {
    return json_error_code(error) == json_error_numeric_overflow;
}
