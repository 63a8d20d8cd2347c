internal import Files
internal import VK
internal import Values

/// What was learned of tokens, kept for a day in files that are named for a hash of the token: what a token may do hardly
/// ever changes, and an hourly run should not ask each time.
struct TokenNotes: TokenMemory {
    private static let life = Duration.seconds(86_400)

    let folder: RuntimeFolder
    let now: @Sendable () -> Timestamp

    func value(of token: Secret) -> Value? {
        guard let path = folder.file("token", for: token), let bytes = try? FileSystem.read(path, maxBytes: 4096),
            let note = try? Value(json: bytes), let at = note["at"]?.integer.map(Timestamp.init(milliseconds:))
        else { return nil }
        let age = now() - at
        return age >= .zero && age <= Self.life ? note["facts"] : nil
    }

    /// Without a place for it the note is not kept, and the next process asks again.
    func keep(_ value: Value, of token: Secret) {
        guard let path = folder.file("token", for: token) else { return }
        let note: Value = ["at": .integer(now().milliseconds), "facts": value]
        try? FileSystem.write(Array(note.json().utf8), to: path)
    }
}
