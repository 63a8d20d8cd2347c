internal import Diagnostics

/// Bytes that are no text YAML may be written in.
struct EncodingFault: Error {
    enum Kind: Error {
        /// Named by its family: "UTF-16", "UTF-32".
        case wideUnits(String)
        /// The guess is an encoding by its name for `iconv`.
        case invalidUTF8(byte: UInt8, guess: String?)
        case cutOff
        case control(UInt32)
        case lineSeparator(UInt32)
        case byteOrderMark
    }

    let kind: Kind
    let place: Mark
}

/// Checks what libyaml would report poorly, or read as YAML 1.1 did.
enum Encoding {
    /// The content behind a byte order mark.
    static func check(_ bytes: [UInt8]) throws(EncodingFault) -> ArraySlice<UInt8> {
        if let family = wideUnits(bytes) {
            throw EncodingFault(kind: .wideUnits(family), place: Mark(line: 1, column: 1))
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let failure = content.withUnsafeBufferPointer { firstFault(in: $0) }
        if let failure { throw failure }
        return content
    }

    private static func wideUnits(_ bytes: [UInt8]) -> String? {
        let head = Array(bytes.prefix(4))
        if head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        guard head.count == 4 else { return nil }
        // YAML 1.2.2, section 5.2: the first character is ASCII, so its zeros tell the encoding.
        switch (head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0) {
        case (false, true, true, true), (true, true, true, false): return "UTF-32"
        case (false, true, false, true), (true, false, true, false): return "UTF-16"
        default: return nil
        }
    }

    private static func firstFault(in bytes: UnsafeBufferPointer<UInt8>) -> EncodingFault? {
        var line = 1
        var column = 1
        var index = 0
        var hasUTF8 = false
        while index < bytes.count {
            let byte = bytes[index]
            var value = UInt32(byte)
            var length = 1
            if byte >= 0x80 {
                switch decode(bytes, at: index) {
                case .success(let scalar):
                    (value, length) = (scalar.value, scalar.length)
                    hasUTF8 = true
                case .failure(var kind):
                    // A file that was UTF-8 up to here is damaged, not written in another encoding.
                    if hasUTF8, case .invalidUTF8(let byte, _) = kind { kind = .invalidUTF8(byte: byte, guess: nil) }
                    return EncodingFault(kind: kind, place: Mark(line: line, column: column))
                }
            }
            if let kind = fault(of: value) { return EncodingFault(kind: kind, place: Mark(line: line, column: column)) }
            index += length
            if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return nil
    }

    /// YAML 1.2.2, sections 5.1 (printable characters), 5.2 (byte order mark) and 5.4: NEL and the Unicode separators
    /// break lines in YAML 1.1, and in libyaml, but not in 1.2.
    private static func fault(of value: UInt32) -> EncodingFault.Kind? {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E: nil
        case 0x85, 0x2028, 0x2029: .lineSeparator(value)
        case 0xFEFF: .byteOrderMark
        case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: .control(value)
        default: nil
        }
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> Result<(value: UInt32, length: Int), EncodingFault.Kind> {
        let first = bytes[index]
        let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0 else { return .failure(invalid(bytes, at: index)) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            guard index + offset < bytes.count else { return .failure(.cutOff) }
            let next = bytes[index + offset]
            guard next & 0xC0 == 0x80 else { return .failure(invalid(bytes, at: index)) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        let isOverlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000)
        guard !isOverlong, Unicode.Scalar(value) != nil else { return .failure(invalid(bytes, at: index)) }
        return .success((value, length))
    }

    private static func invalid(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> EncodingFault.Kind {
        .invalidUTF8(byte: bytes[index], guess: TextEncodingGuess.encoding(of: bytes, at: index))
    }
}

extension EncodingFault {
    func diagnostic(file: String) -> Diagnostic {
        let range = SourceRange(start: SourceLocation(file: file, line: place.line, column: place.column))
        switch kind {
        case .wideUnits(let family):
            return Diagnostic(
                at: range, "the file is \(family)", why: "Workflow files are UTF-8",
                fix: "Save it as UTF-8, or convert it: iconv -f \(family) -t UTF-8")
        case .invalidUTF8(let byte, let guess):
            return Diagnostic(
                at: range, "the byte \(hex(UInt32(byte), 2)) is not UTF-8", why: "Workflow files are UTF-8",
                fix: guess.map { "The file looks like \($0); convert it: iconv -f \($0) -t UTF-8" }
                    ?? "Write the damaged character anew, and save the file as UTF-8")
        case .cutOff:
            return Diagnostic(
                at: range, "the file ends in the middle of a character",
                why: "It was probably cut off while it was copied", fix: "Fetch it again")
        case .control(let value):
            return Diagnostic(
                at: range, "the control character U+\(hex(value, 4).dropFirst(2)) is not allowed in YAML",
                fix: "Remove it, or write it in double quotes as \"\(escape(value))\"")
        case .lineSeparator(let value):
            return Diagnostic(
                at: range, "the line separator U+\(hex(value, 4).dropFirst(2)) is not allowed here",
                why: "Whether it ends a line depends on the version of YAML",
                fix: "Break the line with Enter, or write it in double quotes as \"\(escape(value))\"")
        case .byteOrderMark:
            return Diagnostic(
                at: range, "a byte order mark (U+FEFF) stands in the middle of the file",
                why: "It is invisible, and belongs at the very beginning; files that were joined have one inside",
                fix: "Remove it")
        }
    }

    private func hex(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private func escape(_ value: UInt32) -> String {
        value <= 0xFF ? "\\x" + hex(value, 2).dropFirst(2) : "\\u" + hex(value, 4).dropFirst(2)
    }
}
