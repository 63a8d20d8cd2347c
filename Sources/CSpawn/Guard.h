#pragma once

/// The descriptor, moved above 2: a process that was started without standard streams gets these numbers from any call,
/// and a child's own would overwrite them. Closes the old one; -1 and `errno` when it cannot be moved.
int pasteup_above_standard(int file);
