internal import CImageCodecs
internal import CWebP
internal import CWebPDemux

/// A picture's file in memory, its header read.
struct EncodedImage {
    let bytes: [UInt8]
    let format: ImageFormat
    /// In pixels, as stored.
    let storedWidth: Int
    let storedHeight: Int
    let orientation: Orientation
    let hasAlpha: Bool
    let isGrey: Bool
    /// Nil unless the pixels are inks.
    let inks: Inks?
    /// The embedded ICC profile.
    let profile: [UInt8]?

    enum Inks {
        /// 255 is full ink.
        case plain
        /// 0 is full ink, as Adobe's programs store it.
        case inverted
    }

    /// In pixels, as shown upright.
    var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
    var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

    init(_ bytes: [UInt8]) throws(ImageError) {
        guard !bytes.isEmpty else { throw .empty }
        switch imageFormat(magic: bytes) {
        case .jpeg: try self.init(.jpeg, bytes, read: pasteup_jpeg_read_info)
        case .png: try self.init(.png, bytes, read: pasteup_png_read_info)
        case .webp: try self.init(webP: bytes)
        case .some(let format): throw .notReadable(format)
        case nil: throw .unknownFormat
        }
    }

    private init(
        _ format: ImageFormat, _ bytes: [UInt8],
        read: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<pasteup_image_info>) -> pasteup_image_status
    ) throws(ImageError) {
        var info = pasteup_image_info()
        defer { pasteup_image_info_free(&info) }
        let status = bytes.withUnsafeBufferPointer { read($0.baseAddress!, $0.count, &info) }
        // A header with dimensions is good for checking limits, even when what follows it is cut off.
        if status != .ok, info.width == 0 || info.height == 0 { throw ImageError(status, format, info) }
        self.bytes = bytes
        self.format = format
        storedWidth = Int(info.width)
        storedHeight = Int(info.height)
        orientation = Orientation(exif: copy(info.exif, info.exif_count) ?? [])
        hasAlpha = info.has_alpha
        isGrey = info.is_grey
        inks = info.is_cmyk ? (info.is_inverted ? .inverted : .plain) : nil
        profile = copy(info.profile, info.profile_count)
    }

    private init(webP bytes: [UInt8]) throws(ImageError) {
        var features = WebPBitstreamFeatures()
        let status = bytes.withUnsafeBufferPointer { WebPGetFeatures($0.baseAddress!, $0.count, &features) }
        guard status == VP8_STATUS_OK else { throw .damaged(.webp, detail: "") }
        self.bytes = bytes
        format = .webp
        storedWidth = Int(features.width)
        storedHeight = Int(features.height)
        hasAlpha = features.has_alpha != 0
        isGrey = false
        inks = nil
        profile = webPChunk("ICCP", in: bytes)
        let exif = webPChunk("EXIF", in: bytes) ?? []
        // Some writers keep the mark that belongs to JPEG's APP1.
        orientation = Orientation(exif: exif.starts(with: "Exif\0\0".utf8) ? Array(exif.dropFirst(6)) : exif)
    }
}

extension ImageError {
    init(_ status: pasteup_image_status, _ format: ImageFormat, _ info: pasteup_image_info) {
        let detail = withUnsafeBytes(of: info.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self =
            switch status {
            case .unsupported: .unsupported(format, detail: detail)
            case .no_memory: .outOfMemory
            case .ok, .damaged: .damaged(format, detail: detail)
            }
    }
}

/// The payload of the first such chunk; nil when there is none, or the container is damaged.
private func webPChunk(_ name: String, in bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { buffer in
        var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
        guard let demuxer = WebPDemux(&data) else { return nil }
        defer { WebPDemuxDelete(demuxer) }
        var iterator = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        guard WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
        return copy(iterator.chunk.bytes, iterator.chunk.size)
    }
}

private func copy(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8]? {
    bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
}
