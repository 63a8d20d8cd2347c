/// Which encoding bytes that are not UTF-8 are probably in.
package enum TextEncodingGuess {
    /// The encoding by its name for `iconv`: "WINDOWS-1251", "KOI8-R", "WINDOWS-1252"; nil where nothing speaks for any.
    ///
    /// Single high bytes between letters are Western European; runs of them are Cyrillic, whose small letters, the most
    /// frequent ones, lie at 0xE0…0xFF in Windows-1251 and at 0xC0…0xDF in KOI8-R.
    ///
    /// - Parameter index: the first byte that is not UTF-8; the 2000 bytes from it are looked at.
    package static func encoding(of bytes: some RandomAccessCollection<UInt8>, at index: Int) -> String? {
        let sample = bytes.dropFirst(index).prefix(2000)
        var high = 0
        var upper = 0
        var neighbours = 0
        var previousIsHigh = false
        for byte in sample {
            let isHigh = byte >= 0xC0
            if isHigh {
                high += 1
                if byte >= 0xE0 { upper += 1 }
                if previousIsHigh { neighbours += 1 }
            }
            previousIsHigh = isHigh
        }
        guard high > 0 else { return nil }
        if neighbours * 2 < high { return "WINDOWS-1252" }
        return upper * 2 >= high ? "WINDOWS-1251" : "KOI8-R"
    }
}
