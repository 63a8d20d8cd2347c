internal import Diagnostics
internal import Glibc
internal import Testing

@testable import YAML

/// Files beside this one, under `Fixtures`.
struct Fixture: CustomTestStringConvertible, Sendable {
    let folder: String
    /// Without its ending.
    let name: String

    var testDescription: String { name }

    private static let root: String = {
        let file = #filePath
        return String(file[..<file.lastIndex(of: "/")!]) + "/Fixtures/"
    }()

    /// Every `.yaml` file of a folder, sorted.
    static func all(in folder: String) -> [Fixture] {
        guard let stream = opendir(root + folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".yaml") { names.append(String(name.dropLast(5))) }
        }
        return names.sorted().map { Fixture(folder: folder, name: $0) }
    }

    func bytes(_ ending: String) -> [UInt8]? {
        guard let file = fopen(path(ending), "r") else { return nil }
        defer { fclose(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return content }
            content += buffer[..<count]
        }
    }

    /// Compares with the file of that ending; with `RECORD_SNAPSHOTS=1` writes it, and fails.
    func expect(_ text: String, _ ending: String) {
        if getenv("RECORD_SNAPSHOTS") != nil {
            let file = fopen(path(ending), "w")!
            fputs(text, file)
            fclose(file)
            Issue.record("recorded \(name)\(ending)")
        } else {
            #expect(bytes(ending).map { String(decoding: $0, as: UTF8.self) } == text)
        }
    }

    private func path(_ ending: String) -> String { Self.root + folder + "/" + name + ending }
}

/// What a reader sees of a file's errors; nil when there are none.
func renderedErrors(_ bytes: [UInt8], file: String) -> String? {
    do {
        _ = try YAMLDocument.load(bytes: bytes, file: file)
        return nil
    } catch {
        return DiagnosticRenderer(sources: [SourceText(file: file, bytes: bytes)]).render(error)
    }
}

func load(_ text: String) throws -> YAMLDocument { try YAMLDocument.load(text: text, file: "test.yaml") }
