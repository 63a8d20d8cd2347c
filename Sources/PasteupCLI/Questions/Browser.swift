internal import Glibc
internal import Threading

/// The user's browser.
enum Browser {
    /// Asks the desktop to open an address (`xdg-open`). Nothing happens where there is no desktop.
    static func open(_ address: String) {
        onThread {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            var words = [strdup("xdg-open"), strdup(address), nil]
            defer { for word in words { free(word) } }
            var process = pid_t()
            guard posix_spawnp(&process, "xdg-open", &actions, nil, &words, environ) == 0 else { return }
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
    }
}
