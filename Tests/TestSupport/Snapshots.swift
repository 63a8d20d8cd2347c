internal import Files
internal import Glibc

/// Texts kept beside the tests, against which results are compared whole.
public enum Snapshot {
    /// What is wrong with a text that should be the file's; nil when nothing is.
    ///
    /// With `RECORD_SNAPSHOTS=1` in the environment a file that differs is written anew; the comparison fails all the same,
    /// so that no run which records passes.
    public static func problem(_ text: String, at path: String) -> String? {
        let expected = (try? FileSystem.read(path)).map { String(decoding: $0, as: UTF8.self) }
        if let expected, expected.utf8.elementsEqual(text.utf8) { return nil }
        if getenv("RECORD_SNAPSHOTS").map({ String(cString: $0) }) == "1" {
            do {
                try FileSystem.write(Array(text.utf8), to: path, mode: 0o644)
                return "recorded '\(path)'"
            } catch {
                return "cannot record: \(error)"
            }
        }
        guard let expected else {
            return "there is no '\(path)'; record it with RECORD_SNAPSHOTS=1. The text is:\n\(text)"
        }
        return "'\(path)' differs.\n\(difference(expected, text))"
    }

    /// The lines from the first to the last that differ.
    private static func difference(_ expected: String, _ actual: String) -> String {
        var old = expected.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var new = actual.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let first = old.first, first == new.first {
            old.removeFirst()
            new.removeFirst()
        }
        while let last = old.last, last == new.last {
            old.removeLast()
            new.removeLast()
        }
        return (old.map { "- " + $0 } + new.map { "+ " + $0 }).joined(separator: "\n")
    }
}

/// The folder `Fixtures` beside a test's source file.
public func fixturesFolder(beside file: String) -> String {
    FileSystem.join(FileSystem.folder(of: file), "Fixtures")
}
