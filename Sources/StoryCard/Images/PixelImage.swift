/// A picture in memory: sRGB, 8 bits a channel, in the order blue, green, red, alpha.
package struct PixelImage: Sendable, Hashable {
    package var width: Int
    package var height: Int
    /// Rows from the top, `width * 4` bytes each. Alpha is multiplied into the colours; where `hasAlpha` is false,
    /// the fourth byte means nothing.
    package var pixels: [UInt8]
    package var hasAlpha: Bool

    package init(width: Int, height: Int, pixels: [UInt8], hasAlpha: Bool = false) {
        precondition(pixels.count == width * height * 4, "rows of width * 4 bytes")
        self.width = width
        self.height = height
        self.pixels = pixels
        self.hasAlpha = hasAlpha
    }

    var rowBytes: Int { width * 4 }
}
