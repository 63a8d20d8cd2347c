internal import Diagnostics
internal import Files
internal import Patterns
internal import StepKit
internal import Tables
internal import TimeZones
internal import Values

/// Where a value comes from, and so how it is read.
struct InputSite {
    /// Absolute; where relative paths begin.
    let folder: String
    /// Where clocks hang that dates without a zone are read off.
    let zone: TimeZone
    /// Whether it is a cell of a spreadsheet, which writes numbers and truth in its own ways.
    var isCell = false
    /// Used in place of the files themselves.
    var copies = FileCopies()
}

extension InputDeclaration {
    /// The value as the type has it.
    func fit(_ value: Value, _ site: InputSite) throws(TypeMismatch) -> Value {
        if value.isNull { return .null }
        switch type {
        case .date:
            guard let text = value.string, let fitted = InputDeclaration.date(text, site.zone) else {
                throw TypeMismatch(problem: "is \(value.quoted), not a date")
            }
            try checkBounds(of: .string(fitted), site.zone)
            return .string(fitted)
        case .file:
            guard let path = try ValueType.file.fit(value).string else { return .null }
            let absolute = FileSystem.join(site.folder, path)
            if let copy = site.copies[absolute] { return .string(copy) }
            guard FileSystem.exists(absolute) else {
                throw TypeMismatch(problem: "is '\(path)', and there is no such file")
            }
            guard !FileSystem.isFolder(absolute) else {
                throw TypeMismatch(problem: "is '\(path)', a folder and not a file")
            }
            return .string(absolute)
        case .list:
            guard case .string(let text) = value else { return try type.valueType.fit(value) }
            return try InputDeclaration.elements(of: text)
        case .string:
            let fitted = try type.valueType.fit(value)
            if let pattern, let text = fitted.string, pattern.occurs(in: text) == false {
                throw TypeMismatch(problem: "is \(value.quoted), which the pattern '\(pattern.source)' does not match")
            }
            return fitted
        case .integer, .number, .boolean:
            let fitted = try type.valueType.fit(site.isCell ? InputDeclaration.plain(value, type) : value)
            try checkBounds(of: fitted, site.zone)
            return fitted
        case .choice, .table: return try type.valueType.fit(value)
        }
    }

    private func checkBounds(of value: Value, _ zone: TimeZone) throws(TypeMismatch) {
        if let least = order(minimum, zone), let number = order(value, zone), number < least {
            throw TypeMismatch(
                problem: "is \(value.string ?? value.json()), less than \(minimum.string ?? minimum.json())")
        }
        if let most = order(maximum, zone), let number = order(value, zone), number > most {
            throw TypeMismatch(
                problem: "is \(value.string ?? value.json()), more than \(maximum.string ?? maximum.json())")
        }
    }

    /// A number by which values of the type are in order.
    private func order(_ value: Value, _ zone: TimeZone) -> Double? {
        value.double ?? value.string.flatMap(DateText.init).map { Double($0.seconds(in: zone)) }
    }

    /// A date in the one form that it is kept in; nil for a text that is none.
    static func date(_ text: String, _ zone: TimeZone) -> String? {
        guard let date = DateText(text) else { return nil }
        let day = try? TimeFormat("%F")
        guard date.hasTime else { return day?.text(of: date.time, offset: 0) }
        let format = try? TimeFormat("%FT%T%:z")
        if let offset = date.offset { return format?.text(of: date.time, offset: offset) }
        return format?.text(at: date.seconds(in: zone), in: zone)
    }

    /// A list that is written as text: JSON when it begins with `[`, else with commas between the elements.
    static func elements(of text: String) throws(TypeMismatch) -> Value {
        let first = text.utf8.first { $0 != UInt8(ascii: " ") }
        if first == UInt8(ascii: "[") {
            do throws(JSONError) { return try Value(json: text) } catch {
                throw TypeMismatch(problem: "begins with '[' and is not JSON: \(error.description)")
            }
        }
        return .array(text.split(separator: ",", omittingEmptySubsequences: false).map { .string(withoutBlanks($0)) })
    }

    /// A number or a truth value as the rest of the program writes it: "1,5" is a number, "ИСТИНА" is true.
    private static func plain(_ value: Value, _ type: InputType) -> Value {
        guard let text = value.string.map({ withoutBlanks($0[...]) }) else { return value }
        switch type {
        case .boolean:
            let words = ["true": "true", "false": "false", "истина": "true", "ложь": "false"]
            return .string(words[text.lowercased()] ?? text)
        case .number:
            let hasComma = text.utf8.count { $0 == UInt8(ascii: ",") } == 1 && !text.utf8.contains(UInt8(ascii: "."))
            return .string(hasComma ? String(text.map { $0 == "," ? "." : $0 }) : text)
        default: return .string(text)
        }
    }

    private static func withoutBlanks(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// How to mend a value that does not fit; nil where nothing can be said.
    func repair(_ text: String?, as form: (String) -> String) -> String? {
        if type == .file { return nil }
        if case .choice(let options) = type, let text, let near = nearest(text, among: options) {
            return "Did you mean '\(near)'?"
        }
        return form(type == .integer ? text.flatMap(InputDeclaration.ownerID) ?? example : example)
    }

    /// The owner id that an address of VK means: "club12" and "public12" are -12, "id12" is 12.
    private static func ownerID(_ address: String) -> String? {
        for (word, sign) in [("club", "-"), ("public", "-"), ("id", "")] where address.hasPrefix(word) {
            let digits = address.dropFirst(word.utf8.count)
            if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return sign + digits }
        }
        return nil
    }

    /// A value of the type, for showing how to write one.
    var example: String {
        switch type {
        case .string: "'…'"
        case .integer: minimum.integer.map(String.init) ?? "12"
        case .number: "1.5"
        case .boolean: "true"
        case .date: "2026-12-01"
        case .file: "photo.jpg"
        case .list: "one,two"
        case .choice(let options): options.first ?? ""
        case .table: "rows.csv"
        }
    }
}
