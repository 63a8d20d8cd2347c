#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Guard.h"

/// More than there are steps at once.
#define MAX_GROUPS 4096
/// No group's number: the slot's child has none yet.
#define RESERVED (-1)

/// The groups of the children, 0 where there is none. The guard shares this memory, so that neither a child's start nor
/// its end wakes it; and one guard after another finds all groups in it.
static _Atomic int32_t *groups;

/// Waits until the last writer is gone; then kills the groups that are left.
///
/// It runs in the child of a fork of a process with many threads, so it calls nothing but system calls. The leader of a
/// group is this process's sibling: while its parent lives it stays a zombie until it has been released, and an orphan's
/// group is killed as soon as it is one, so no reused number is hit.
static _Noreturn void keep_guard(int channel) {
    char byte;
    for (;;) {
        ssize_t length = read(channel, &byte, 1);
        if (length == 0 || (length < 0 && errno != EINTR)) break;
    }
    for (size_t slot = 0; slot < MAX_GROUPS; slot++) {
        int32_t group = groups[slot];
        if (group > 0) kill(-group, SIGKILL);
    }
    _exit(0);
}

static pid_t guard_pid;
static int guard_channel = -1;

/// Lets the guard go and waits for it, so that it is no zombie where nobody buries orphans (a container's first process).
static void end_guard(void) {
    close(guard_channel);
    while (waitpid(guard_pid, NULL, 0) < 0 && errno == EINTR) {}
}

int pasteup_guard_start(void) {
    // A parent that ignored this signal hands that down, and the kernel then forgets how children have ended.
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
    if (!groups) {
        void *memory = mmap(
            NULL, MAX_GROUPS * sizeof *groups, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return -1;
        groups = memory;
    }
    // The end comes when the last writer has gone, and each writer sees when the guard has.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    sigset_t all, former;
    sigfillset(&all);
    // The child keeps this mask: what ends a process group or a terminal must not end the guard.
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_NAME, "pasteup-guard");
        setsid();
        if (chdir("/") != 0) _exit(1);
        // Held open, a lock would outlive its process, and a pipe's reader would wait for an end that does not come.
        if (dup2(ends[0], 0) != 0 || close_range(1, ~0U, 0) != 0) _exit(1);
        keep_guard(0);
    }
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    close(ends[0]);
    if (pid < 0) {
        close(ends[1]);
        errno = code;
        return -1;
    }
    if (guard_channel < 0) atexit(end_guard);
    // The one before has been killed, and is a zombie until somebody asks for it.
    if (guard_pid > 0) while (waitpid(guard_pid, NULL, 0) < 0 && errno == EINTR) {}
    guard_pid = pid;
    guard_channel = pasteup_above_standard(ends[1]);
    return guard_channel;
}

int pasteup_guard_reserve(void) {
    for (int slot = 0; slot < MAX_GROUPS; slot++) {
        int32_t none = 0;
        if (atomic_compare_exchange_strong(&groups[slot], &none, RESERVED)) return slot;
    }
    errno = EAGAIN;
    return -1;
}

volatile int32_t *pasteup_guard_place(int slot) { return (volatile int32_t *)&groups[slot]; }

void pasteup_guard_release(int slot) { groups[slot] = 0; }
