import Glibc

/// Sets a variable of this process's environment; only for a process of its own.
func setEnvironment(_ name: String, _ value: String) {
    setenv(name, value, 1)
}
