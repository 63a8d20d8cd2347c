internal import CImageCodecs
internal import CWebP
internal import CWebPDemux

extension EncodedImage {
    /// Decodes to sRGB, upright, alpha multiplied in.
    ///
    /// - Parameter needed: the size to which the picture will be made smaller. A large JPEG is then decoded at a half,
    ///   a quarter or an eighth, which is never smaller than `needed`; nil decodes every pixel.
    func decoded(neededSize needed: (width: Int, height: Int)? = nil) throws(ImageError) -> PixelImage {
        let denominator = needed.map { self.denominator(for: $0) } ?? 1
        var image = PixelImage(
            width: (storedWidth + denominator - 1) / denominator,
            height: (storedHeight + denominator - 1) / denominator, hasAlpha: hasAlpha)
        switch format {
        case .jpeg: try decodeJPEG(into: &image, denominator: denominator)
        case .png: try decodePNG(into: &image)
        case .webp: try decodeWebP(into: &image)
        default: throw .notReadable(format)
        }
        convertColors(of: &image)
        return image.turned(orientation)
    }

    private func denominator(for needed: (width: Int, height: Int)) -> Int {
        guard format == .jpeg else { return 1 }
        return [8, 4, 2].first { width / $0 >= needed.width && height / $0 >= needed.height } ?? 1
    }

    private func decodeJPEG(into image: inout PixelImage, denominator: Int) throws(ImageError) {
        try decode(into: &image) { input, output, stride, height, info in
            pasteup_jpeg_decode(
                input.baseAddress!, input.count, UInt32(denominator), output, stride, height, &info)
        }
    }

    private func decodePNG(into image: inout PixelImage) throws(ImageError) {
        try decode(into: &image) { input, output, stride, height, info in
            pasteup_png_decode(input.baseAddress!, input.count, output, stride, height, &info)
        }
    }

    private func decode(
        into image: inout PixelImage,
        _ decoder: (
            UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<UInt8>, Int, UInt32, inout pasteup_image_info
        ) -> pasteup_image_status
    ) throws(ImageError) {
        var info = pasteup_image_info()
        defer { pasteup_image_info_free(&info) }
        let (stride, height) = (image.rowBytes, UInt32(image.height))
        let status = bytes.withUnsafeBufferPointer { input in
            image.pixels.withUnsafeMutableBufferPointer { output in
                decoder(input, output.baseAddress!, stride, height, &info)
            }
        }
        guard status == .ok else { throw ImageError(status, format, info) }
    }

    /// The picture, or the first frame of an animation on its canvas.
    private func decodeWebP(into image: inout PixelImage) throws(ImageError) {
        let (stride, width, height) = (image.rowBytes, image.width, image.height)
        let isDecoded = bytes.withUnsafeBufferPointer { input in
            image.pixels.withUnsafeMutableBufferPointer { output in
                var data = WebPData(bytes: input.baseAddress, size: input.count)
                guard let demuxer = WebPDemux(&data) else { return false }
                defer { WebPDemuxDelete(demuxer) }
                var frame = WebPIterator()
                defer { WebPDemuxReleaseIterator(&frame) }
                guard WebPDemuxGetFrame(demuxer, 1, &frame) != 0, frame.complete != 0 else { return false }
                let (left, top) = (Int(frame.x_offset), Int(frame.y_offset))
                guard left + Int(frame.width) <= width, top + Int(frame.height) <= height else { return false }
                let offset = top * stride + left * 4
                return WebPDecodeBGRAInto(
                    frame.fragment.bytes, frame.fragment.size, output.baseAddress! + offset, output.count - offset,
                    Int32(stride)) != nil
            }
        }
        guard isDecoded else { throw .damaged(.webp, detail: "") }
    }

    private func convertColors(of image: inout PixelImage) {
        let layout: ColorProfile.Layout =
            if let inks { .inks(inks) } else if hasAlpha { .bgra } else if isGrey { .grey } else { .bgrx }
        let profile = profile.flatMap { ColorProfile($0, for: layout) }
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            if let profile {
                profile.convert(pixels)
            } else if let inks {
                pasteup_inks_to_bgrx(pixels.baseAddress!, pixels.count / 4, inks == .inverted)
            }
            if hasAlpha { pasteup_premultiply(pixels.baseAddress!, pixels.count / 4) }
        }
    }
}
