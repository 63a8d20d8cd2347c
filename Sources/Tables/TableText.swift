internal import Diagnostics
internal import Glibc
internal import YAML

/// A table's text as UTF-8.
struct TableText {
    /// Without a byte order mark.
    let bytes: [UInt8]
    /// Tells of a conversion that was a guess.
    let notes: [Diagnostic]

    /// Recognises, in this order: UTF-8, UTF-16 by its byte order mark (as Excel writes "Unicode text"), and
    /// Windows-1251 (as Excel writes "CSV" on a Russian machine) by its letters.
    init(_ file: TableFile) throws(DiagnosticsError) {
        let bytes = file.bytes
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let name = bytes[0] == 0xFF ? "UTF-16LE" : "UTF-16BE"
            self.bytes = try transcode(bytes[2...], from: name, file)
            notes = []
        } else if let fault = firstUTF8Fault(in: bytes) {
            guard !fault.isDamage, TextEncodingGuess.encoding(of: bytes, at: fault.offset) == "WINDOWS-1251" else {
                throw DiagnosticsError([fault.diagnostic(file)])
            }
            self.bytes = try transcode(bytes[...], from: "WINDOWS-1251", file)
            notes = [
                Diagnostic(
                    .note, at: file.range(line: 1, column: 1),
                    "the table is not UTF-8 and was read as Windows-1251, which its letters look like",
                    fix: "Save it as 'CSV UTF-8' where a text looks wrong")
            ]
        } else {
            self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
            notes = []
        }
        if let zero = self.bytes.firstIndex(of: 0) {
            throw DiagnosticsError([
                Diagnostic(
                    at: file.range(place(of: zero, in: self.bytes)), "there is a zero byte, which no text has",
                    why: "The file is damaged, of another kind, or UTF-16 without a byte order mark",
                    fix: "Save it again as CSV UTF-8")
            ])
        }
    }
}

/// Where a text stops being UTF-8.
private struct UTF8Fault {
    let offset: Int
    let place: Place
    /// Whether most characters beyond ASCII are UTF-8, so that the file is UTF-8 with an error in it.
    let isDamage: Bool
    let guess: String?

    func diagnostic(_ file: TableFile) -> Diagnostic {
        let byte = String(file.bytes[offset], radix: 16, uppercase: true)
        return Diagnostic(
            at: file.range(place), "the byte 0x\(byte) is not UTF-8",
            why: isDamage ? "The rest of the file is, so it is damaged here" : nil,
            fix: guess.map { "The file looks like \($0); convert it: iconv -f \($0) -t UTF-8" }
                ?? "Write the damaged character anew, and save the file as UTF-8")
    }
}

private func firstUTF8Fault(in bytes: [UInt8]) -> UTF8Fault? {
    var first: Int?
    var faults = 0
    var wideCharacters = 0
    bytes.withUnsafeBufferPointer { bytes in
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index += 1
            } else if let length = lengthOfWideCharacter(at: index, in: bytes) {
                wideCharacters += 1
                index += length
            } else {
                first = first ?? index
                faults += 1
                index += 1
            }
        }
    }
    guard let first else { return nil }
    let isDamage = wideCharacters > faults
    return UTF8Fault(
        offset: first, place: place(of: first, in: bytes), isDamage: isDamage,
        guess: isDamage ? nil : TextEncodingGuess.encoding(of: bytes, at: first))
}

/// The bytes of a character beyond ASCII in UTF-8 (RFC 3629 §4), nil where there is none.
private func lengthOfWideCharacter(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let first = bytes[index]
    let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, index + length <= bytes.count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
        guard bytes[index + offset] & 0xC0 == 0x80 else { return nil }
        value = value << 6 | UInt32(bytes[index + offset] & 0x3F)
    }
    let isOverlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000)
    return isOverlong || Unicode.Scalar(value) == nil ? nil : length
}

/// Line and column of a byte, from 1; bytes that continue a character are not counted.
private func place(of offset: Int, in bytes: [UInt8]) -> Place {
    var place = Place(line: 1, column: 1)
    for index in 0..<offset {
        let byte = bytes[index]
        if byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
            place = Place(line: place.line + 1, column: 1)
        } else if byte & 0xC0 != 0x80, byte != 0x0D {
            place.column += 1
        }
    }
    return place
}

/// Converts to UTF-8 by the system's `iconv`.
private func transcode(
    _ bytes: ArraySlice<UInt8>, from encoding: String, _ file: TableFile
) throws(DiagnosticsError) -> [UInt8] {
    guard let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else {
        throw DiagnosticsError([
            Diagnostic(
                at: file.range(line: 1, column: 1), "the table is \(encoding), which this machine cannot convert",
                why: systemWords(errno), fix: "Save it as UTF-8")
        ])
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No character of these encodings takes more than three bytes for each of theirs.
    var output = [CChar](repeating: 0, count: 3 * input.count + 4)
    let result = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
            var from = source.baseAddress
            var to = target.baseAddress
            var left = source.count
            var room = target.count
            let failed = iconv(converter, &from, &left, &to, &room) == -1
            return (isWhole: !failed && left == 0, read: source.count - left, made: target.count - room)
        }
    }
    let text = output[..<result.made].map { UInt8(bitPattern: $0) }
    guard result.isWhole else {
        throw DiagnosticsError([
            Diagnostic(
                at: file.range(place(of: text.count, in: text)),
                "the table looks like \(encoding) and has bytes here that no character of it has",
                fix: "Save it as UTF-8")
        ])
    }
    return text
}

private func systemWords(_ code: Int32) -> String? {
    code == EINVAL ? "Its C library lacks the table of that encoding" : nil
}
