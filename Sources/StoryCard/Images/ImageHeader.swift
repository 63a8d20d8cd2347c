/// What a picture's header says.
public struct ImageHeader: Sendable, Hashable {
    public var format: ImageFormat
    /// In pixels, as shown upright: the EXIF orientation is taken into account.
    public var width: Int
    public var height: Int

    public init(format: ImageFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }
}

/// Reads a picture's header; no pixel is decoded, and no limit but the file format's own is checked.
///
/// - Parameter bytes: the whole file.
public func readImageHeader(_ bytes: [UInt8]) throws(ImageError) -> ImageHeader {
    let info = try EncodedImage(bytes)
    return ImageHeader(format: info.format, width: info.width, height: info.height)
}

/// The largest picture that is taken. The numbers are those of VK's photo uploads.
package struct ImageLimits: Sendable, Hashable {
    package var maxBytes = 50_000_000
    /// Of width and height together, in pixels.
    package var maxSides = 14_000
    /// Of the longer side to the shorter.
    package var maxRatio = 20

    package init() {}

    package func check(_ header: ImageHeader) throws(ImageError) {
        let (width, height) = (header.width, header.height)
        guard width + height <= maxSides else {
            throw .tooLarge(width: width, height: height, limit: maxSides)
        }
        guard max(width, height) <= maxRatio * min(width, height) else {
            throw .tooNarrow(width: width, height: height, limit: maxRatio)
        }
    }
}
