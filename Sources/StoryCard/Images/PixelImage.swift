internal import CImageCodecs

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

extension PixelImage {
    /// A picture of zeroes: transparent, or black.
    init(width: Int, height: Int, hasAlpha: Bool) {
        self.init(
            width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 4), hasAlpha: hasAlpha)
    }

    /// Stored pixels as they are to be shown.
    func turned(_ orientation: Orientation) -> PixelImage {
        guard orientation != .upright else { return self }
        var target = PixelImage(
            width: orientation.swapsSides ? height : width, height: orientation.swapsSides ? width : height,
            hasAlpha: hasAlpha)
        target.pixels.withUnsafeMutableBufferPointer {
            pasteup_turn(pixels, UInt32(width), UInt32(height), Int32(orientation.rawValue), $0.baseAddress!)
        }
        return target
    }
}
