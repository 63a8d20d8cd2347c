/// What a file is, by its first bytes. The name of a file is never asked.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg, png, webp
    case gif, heic, avif, tiff, bmp, svg, pdf, video
    /// A web page: what servers send in place of a picture that has gone, or that needs a login.
    case html
    /// An answer of an API, saved as if it were the picture.
    case json

    /// Whether this module decodes it.
    public var isReadable: Bool { self == .jpeg || self == .png || self == .webp }

    /// The name with its article, for a sentence: "a GIF".
    public var name: String {
        switch self {
        case .jpeg: "a JPEG"
        case .png: "a PNG"
        case .webp: "a WebP"
        case .gif: "a GIF"
        case .heic: "a HEIC picture"
        case .avif: "an AVIF picture"
        case .tiff: "a TIFF"
        case .bmp: "a BMP"
        case .svg: "an SVG drawing"
        case .pdf: "a PDF"
        case .video: "a video"
        case .html: "a web page (HTML)"
        case .json: "a JSON text"
        }
    }
}

/// The format of a file that begins with `bytes`; nil when it is none of those known. 512 bytes are enough.
public func imageFormat(magic bytes: some Collection<UInt8>) -> ImageFormat? {
    let head = Array(bytes.prefix(512))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
    if head.starts(with: "GIF8".utf8) { return .gif }
    if head.starts(with: "BM".utf8), head.dropFirst(6).starts(with: [0, 0, 0, 0]) { return .bmp }
    if head.starts(with: "II*\0".utf8) || head.starts(with: "MM\0*".utf8) { return .tiff }
    if head.starts(with: "%PDF-".utf8) { return .pdf }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .video }
    if head.dropFirst(4).starts(with: "ftyp".utf8) { return isoMediaFormat(head) }
    return textFormat(head)
}

/// HEIC, AVIF and MP4 share a container; the brands in its first box tell them apart (ISO/IEC 14496-12, 4.3).
private func isoMediaFormat(_ head: [UInt8]) -> ImageFormat {
    let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let box = head.prefix(min(max(length, 12), head.count))
    for start in stride(from: 8, to: box.count - 3, by: 4) where start != 12 {
        switch String(decoding: box[start..<start + 4], as: UTF8.self) {
        case "avif", "avis": return .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": return .heic
        default: continue
        }
    }
    return .video
}

private func textFormat(_ head: [UInt8]) -> ImageFormat? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.dropFirst(head.starts(with: mark) ? 3 : 0).drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    switch text.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "<"):
        let lower = String(decoding: text, as: UTF8.self).lowercased()
        if lower.contains("<svg") { return .svg }
        return ["<!doctype html", "<html", "<head", "<body"].contains { lower.contains($0) } ? .html : nil
    default: return nil
    }
}
