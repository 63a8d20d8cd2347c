/// How stored rows and columns are to be shown: the EXIF tag Orientation (Exif 2.32, 4.6.4, tag 0x0112).
enum Orientation: UInt8, CaseIterable {
    case upright = 1
    case mirrored, turned180, flipped
    case transposed, turnedRight, transversed, turnedLeft

    var swapsSides: Bool { rawValue >= 5 }

    /// Reads a TIFF block. Anything amiss in it counts as upright.
    init(exif: [UInt8]) {
        self = Orientation.value(in: exif).flatMap { Orientation(rawValue: UInt8(truncatingIfNeeded: $0)) } ?? .upright
    }

    private static func value(in exif: [UInt8]) -> Int? {
        let isLittle = exif.starts(with: "II*\0".utf8)
        guard isLittle || exif.starts(with: "MM\0*".utf8) else { return nil }
        func number(at offset: Int, bytes: Int) -> Int? {
            guard offset >= 0, offset + bytes <= exif.count else { return nil }
            let digits = exif[offset..<offset + bytes]
            return isLittle ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return nil }
        for entry in 0..<count {
            let start = directory + 2 + entry * 12
            guard let tag = number(at: start, bytes: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            let short = 3
            guard number(at: start + 2, bytes: 2) == short, let value = number(at: start + 8, bytes: 2) else {
                return nil
            }
            return (1...8).contains(value) ? value : nil
        }
        return nil
    }
}
