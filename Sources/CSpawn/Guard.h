#pragma once
#include <stdint.h>

/// The descriptor, moved above 2: a process that was started without standard streams gets these numbers from any call,
/// and a child's own would overwrite them. Closes the old one; -1 and `errno` when it cannot be moved.
int pasteup_above_standard(int file);

/// A place for a group's number; -1 and `errno` when all are taken.
int pasteup_guard_reserve(void);

/// Where the child writes its group's number: one write of a machine word, which the guard sees whole.
volatile int32_t *pasteup_guard_place(int slot);
