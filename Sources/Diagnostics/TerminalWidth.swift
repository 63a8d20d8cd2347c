/// How many columns of a terminal a text takes.
///
/// glibc's `wcwidth` depends on the locale and knows no sequences, so this goes by grapheme cluster: a cluster that is
/// drawn as one emoji takes two columns, any other the sum of its scalars' columns.
package enum TerminalWidth {
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if let first = scalars.first, scalars.count > 1, isDrawnAsEmoji(first, scalars) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// 0 for marks that join the character before them, 2 for wide ones, else 1.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if isHangulTail(scalar) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        case .format where scalar.properties.isDefaultIgnorableCodePoint: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    private static func isDrawnAsEmoji(_ first: Unicode.Scalar, _ scalars: Character.UnicodeScalarView) -> Bool {
        guard first.properties.isEmoji else { return false }
        // The keycap sequences (digit, U+FE0F, U+20E3) and text with the emoji selector.
        if scalars.contains("\u{FE0F}") { return true }
        // A flag is two regional indicators; a family or a skin tone begins with a wide emoji.
        let second = scalars[scalars.index(after: scalars.startIndex)]
        return second.properties.isEmojiModifier || isRegionalIndicator(second)
            || (first.properties.isEmojiPresentation && !scalars.contains("\u{FE0E}"))
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Vowels and final consonants that are drawn inside the syllable which a leading consonant opens.
    private static func isHangulTail(_ scalar: Unicode.Scalar) -> Bool {
        (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value)
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        if isRegionalIndicator(scalar) { return false }
        if scalar.properties.isEmojiPresentation { return true }
        return wide.contains { $0.contains(scalar.value) }
    }

    /// East Asian Width W and F (UAX #11, Unicode 16), without the emoji, which have a property of their own.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F2FF,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
