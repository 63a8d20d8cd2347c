/// A zone's file in the format of RFC 9636 (before: RFC 8536), versions 1 to 4.
struct TZif {
    private var transitions: [Int64] = []
    private var kinds: [TimeKind] = []
    private var first: TimeKind
    private var rule: ZoneRule?

    func zone(_ name: String) -> TimeZone {
        TimeZone(name: name, transitions: transitions, kinds: kinds, first: first, rule: rule)
    }

    /// Nil for a file that is cut, or whose numbers do not fit each other.
    init?(_ bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        guard let header = Header(&reader) else { return nil }
        guard header.version > 0 else {
            guard let block = Block(header, timeSize: 4, &reader) else { return nil }
            (transitions, kinds, first) = (block.transitions, block.kinds, block.first)
            return
        }
        // The first block is for readers of version 1 alone (section 3.2).
        guard reader.skip(header.size(timeSize: 4)), let header = Header(&reader),
            let block = Block(header, timeSize: 8, &reader)
        else { return nil }
        (transitions, kinds, first) = (block.transitions, block.kinds, block.first)
        guard let footer = reader.line() else { return nil }
        guard !footer.isEmpty else { return }
        guard let rule = ZoneRule(footer) else { return nil }
        self.rule = rule
    }

    /// Section 3.1.
    private struct Header {
        let version: UInt8
        let utIndicators: Int
        let standardIndicators: Int
        let leapSeconds: Int
        let times: Int
        let types: Int
        let characters: Int

        init?(_ reader: inout BigEndianReader) {
            guard reader.bytes(4).map({ Array($0) }) == Array("TZif".utf8), let version = reader.bytes(1)?.first,
                reader.skip(15), let ut = reader.integer(4), let standard = reader.integer(4),
                let leap = reader.integer(4), let times = reader.integer(4), let types = reader.integer(4),
                let characters = reader.integer(4)
            else { return nil }
            self.version = version == 0 ? 0 : 2
            utIndicators = Int(ut)
            standardIndicators = Int(standard)
            leapSeconds = Int(leap)
            self.times = Int(times)
            self.types = Int(types)
            self.characters = Int(characters)
            let counts = [ut, standard, leap, times, types, characters]
            guard counts.allSatisfy({ (0...100_000).contains($0) }), types > 0, characters > 0 else { return nil }
        }

        func size(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4) + standardIndicators
                + utIndicators
        }
    }

    /// Section 3.2.
    private struct Block {
        var transitions: [Int64] = []
        var kinds: [TimeKind] = []
        let first: TimeKind

        init?(_ header: Header, timeSize: Int, _ reader: inout BigEndianReader) {
            for _ in 0..<header.times {
                guard let time = reader.integer(timeSize), transitions.last.map({ $0 < time }) ?? true else {
                    return nil
                }
                transitions.append(time)
            }
            guard let indexes = reader.bytes(header.times) else { return nil }
            var types: [(offset: Int, isSummer: Bool, name: Int)] = []
            for _ in 0..<header.types {
                guard let offset = reader.integer(4), (-100_000...100_000).contains(offset),
                    let rest = reader.bytes(2).map({ Array($0) }), Int(rest[1]) < header.characters
                else { return nil }
                types.append((Int(offset), rest[0] != 0, Int(rest[1])))
            }
            guard let names = reader.bytes(header.characters).map({ Array($0) }) else { return nil }
            let all = types.map { type in
                TimeKind(
                    offset: type.offset, isSummer: type.isSummer,
                    abbreviation: String(decoding: names[type.name...].prefix { $0 != 0 }, as: UTF8.self))
            }
            guard indexes.allSatisfy({ Int($0) < all.count }),
                reader.skip(header.leapSeconds * (timeSize + 4) + header.standardIndicators + header.utIndicators)
            else { return nil }
            kinds = indexes.map { all[Int($0)] }
            first = all[0]
        }
    }
}

private struct BigEndianReader {
    private let content: [UInt8]
    private var index = 0

    init(_ content: [UInt8]) { self.content = content }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, index + count <= content.count else { return nil }
        defer { index += count }
        return content[index..<index + count]
    }

    mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

    /// A signed number of so many bytes.
    mutating func integer(_ size: Int) -> Int64? {
        guard let bytes = bytes(size) else { return nil }
        let unsigned = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: unsigned)) : Int64(bitPattern: unsigned)
    }

    /// What stands between two line feeds.
    mutating func line() -> String? {
        guard bytes(1)?.first == 0x0A, let end = content[index...].firstIndex(of: 0x0A) else { return nil }
        defer { index = end + 1 }
        return String(decoding: content[index..<end], as: UTF8.self)
    }
}
