#pragma once
#include <stddef.h>
#include <sys/types.h>

/// Starting programs so that none outlives this process.

/// Where a start failed.
enum pasteup_spawn_stage {
    PASTEUP_SPAWN_STARTED = 0,
    /// No process, pipe or memory was to be had.
    PASTEUP_SPAWN_RESOURCES,
    /// The guard has gone: another one is to be made.
    PASTEUP_SPAWN_GUARD,
    /// The folder cannot be entered.
    PASTEUP_SPAWN_FOLDER,
    /// The program cannot be executed.
    PASTEUP_SPAWN_EXECUTE,
};

/// What to start. The pointers are used during the call only.
struct pasteup_spawn_request {
    const char *_Nonnull path;
    char *_Nullable const *_Nonnull arguments;
    char *_Nullable const *_Nonnull environment;
    const char *_Nonnull folder;
    /// From `pasteup_guard_start`.
    int guard;
    /// The bytes of standard input; none gives `/dev/null`.
    const void *_Nullable input;
    size_t input_count;
};

/// What was started. Every descriptor is the caller's and closes on exec.
struct pasteup_child {
    pid_t pid;
    /// Readable as soon as the process has ended.
    int process;
    /// Where the guard finds its group.
    int slot;
    /// The reading ends of standard output and standard error; reading does not block.
    int output;
    int errors;
};

/// Makes the guard: a process that kills the groups of all children as soon as this process is gone, however it went.
///
/// Not to be called from two threads at once.
///
/// - Returns: the descriptor that keeps the guard, also for the children that have not become their programs yet; -1 and
///   `errno` when there is none.
int pasteup_guard_start(void);

/// Starts a program in a process group of its own, which the guard knows before the program's first instruction.
///
/// The child has the given arguments, environment and folder, the default action for every signal, none of them blocked,
/// and no descriptor but 0, 1 and 2.
///
/// - Returns: the stage that failed, with its error number in `code`; `PASTEUP_SPAWN_STARTED` when none has.
int pasteup_spawn(
    const struct pasteup_spawn_request *_Nonnull request, struct pasteup_child *_Nonnull child, int *_Nonnull code);

/// Has the guard forget the group, which is gone. To be called before its leader is reaped: after that the number may be
/// another's.
void pasteup_guard_release(int slot);

/// A descriptor that `pasteup_wake` makes readable; -1 and `errno` when there is none.
int pasteup_waker(void);
void pasteup_wake(int waker);
