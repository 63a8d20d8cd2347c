#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Guard.h"

#define STACK_BYTES (16 << 10)
/// The kernel's signals, and the size of its set of them: glibc hides two of its own.
#define LAST_SIGNAL 64
#define KERNEL_SET_BYTES 8

struct start {
    const struct pasteup_spawn_request *request;
    volatile int32_t *group;
    int input, output, errors;
    int stage, code;
};

#if defined(__clang__)
#define NO_SANITIZERS __attribute__((no_sanitize("thread", "address", "undefined")))
#else
#define NO_SANITIZERS
#endif

/// The child, from its birth to the program. It shares the parent's memory, and the parent's thread stands still
/// meanwhile, as with vfork: it makes system calls and touches nothing of the parent's but `start`.
///
/// Raw calls keep the sanitizers' wrappers out, which would note in the parent's memory what the child does to itself.
NO_SANITIZERS static int become_program(void *argument) {
    struct start *start = argument;
    const struct pasteup_spawn_request *request = start->request;
    // A handler would run in the parent's memory.
    static const uint64_t default_action[4] = {0};
    for (int number = 1; number <= LAST_SIGNAL; number++) {
        syscall(SYS_rt_sigaction, number, default_action, NULL, KERNEL_SET_BYTES);
    }
    start->stage = PASTEUP_SPAWN_RESOURCES;
    if (syscall(SYS_setpgid, 0, 0) != 0) goto failed;
    start->stage = PASTEUP_SPAWN_GUARD;
    // The guard acts when the last of these descriptors is closed: this one is open until the program has begun.
    *start->group = (int32_t)syscall(SYS_getpid);
    char byte;
    if (syscall(SYS_recvfrom, request->guard, &byte, 1, MSG_DONTWAIT | MSG_PEEK, NULL, NULL) == 0) {
        errno = EPIPE;
        goto failed;
    }
    start->stage = PASTEUP_SPAWN_RESOURCES;
    if (syscall(SYS_dup3, start->input, 0, 0) != 0 || syscall(SYS_dup3, start->output, 1, 0) != 1
        || syscall(SYS_dup3, start->errors, 2, 0) != 2 || syscall(SYS_close_range, 3, ~0U, 0) != 0) {
        goto failed;
    }
    start->stage = PASTEUP_SPAWN_FOLDER;
    if (syscall(SYS_chdir, request->folder) != 0) goto failed;
    start->stage = PASTEUP_SPAWN_EXECUTE;
    uint64_t none = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, KERNEL_SET_BYTES);
    syscall(SYS_execve, request->path, request->arguments, request->environment);
failed:
    start->code = errno;
    syscall(SYS_exit, 127);
    return 127;
}

int pasteup_above_standard(int file) {
    if (file < 0 || file > 2) return file;
    int moved = fcntl(file, F_DUPFD_CLOEXEC, 3);
    int code = errno;
    close(file);
    errno = code;
    return moved;
}

/// A pipe whose reading end does not block.
static int make_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    for (int end = 0; end < 2; end++) ends[end] = pasteup_above_standard(ends[end]);
    return ends[0] < 0 || ends[1] < 0 ? -1 : fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

/// A file without a name that holds the bytes, so that nobody has to feed them to the program while it runs.
static int make_input(const void *bytes, size_t count) {
    if (count == 0) return pasteup_above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
    int file = pasteup_above_standard(memfd_create("stdin", MFD_CLOEXEC));
    if (file < 0) return -1;
    size_t written = 0;
    while (written < count) {
        ssize_t length = write(file, (const char *)bytes + written, count - written);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) goto failed;
        written += (size_t)length;
    }
    if (lseek(file, 0, SEEK_SET) == 0) return file;
failed:;
    int code = errno;
    close(file);
    errno = code;
    return -1;
}

static void close_all(int *files, size_t count) {
    for (size_t place = 0; place < count; place++) {
        if (files[place] >= 0) close(files[place]);
        files[place] = -1;
    }
}

/// Starts the process and waits until it has become the program, or has failed to.
///
/// - Parameter process: becomes a descriptor of it.
static pid_t clone_child(struct start *start, int *process) {
    // The thread stands still until the child has stopped using this memory. A stack grows downwards on every machine
    // that Swift runs on.
    _Alignas(16) char stack[STACK_BYTES];
    uint64_t all = ~(uint64_t)0, former;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &former, KERNEL_SET_BYTES);
    pid_t pid = clone(
        become_program, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, start, process);
    int code = errno;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &former, NULL, KERNEL_SET_BYTES);
    errno = code;
    return pid;
}

int pasteup_spawn(const struct pasteup_spawn_request *request, struct pasteup_child *child, int *code) {
    enum { IN, OUT, OUT_WRITING, ERR, ERR_WRITING, PROCESS, COUNT };
    int files[COUNT] = {-1, -1, -1, -1, -1, -1};
    struct start start = {.request = request, .stage = PASTEUP_SPAWN_RESOURCES};
    pid_t pid = -1;
    int slot = pasteup_guard_reserve();
    if (slot < 0) goto failed;
    files[IN] = make_input(request->input, request->input_count);
    if (files[IN] < 0 || make_pipe(files + OUT) != 0 || make_pipe(files + ERR) != 0) goto failed;
    start.group = pasteup_guard_place(slot);
    start.input = files[IN];
    start.output = files[OUT_WRITING];
    start.errors = files[ERR_WRITING];
    pid = clone_child(&start, &files[PROCESS]);
    if (pid < 0) goto failed;
    if (start.code != 0) {
        errno = start.code;
        goto failed;
    }
    start.stage = PASTEUP_SPAWN_RESOURCES;
    files[PROCESS] = pasteup_above_standard(files[PROCESS]);
    if (files[PROCESS] < 0) goto failed;
    *child = (struct pasteup_child){
        .pid = pid, .process = files[PROCESS], .slot = slot, .output = files[OUT], .errors = files[ERR]};
    files[OUT] = files[ERR] = files[PROCESS] = -1;
    close_all(files, COUNT);
    return PASTEUP_SPAWN_STARTED;
failed:
    *code = errno;
    if (pid > 0) {
        kill(-pid, SIGKILL);
        pasteup_guard_release(slot);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    } else if (slot >= 0) {
        pasteup_guard_release(slot);
    }
    close_all(files, COUNT);
    return start.stage;
}

int pasteup_waker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void pasteup_wake(int waker) {
    uint64_t one = 1;
    while (write(waker, &one, sizeof one) < 0 && errno == EINTR) {}
}
