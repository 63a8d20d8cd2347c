internal import CLCMS2

/// An embedded ICC profile, ready to convert rows of pixels to sRGB.
///
/// Relative colorimetric with black point compensation, as browsers do.
final class ColorProfile {
    /// How the pixels lie in memory; four bytes each.
    enum Layout {
        case bgra, bgrx
        /// Blue, green and red are equal; only the first is read.
        case grey
        case inks(EncodedImage.Inks)
    }

    private let transform: cmsHTRANSFORM
    private let layout: Layout

    /// Nil when the profile is damaged, does not fit the pixels, or changes nothing.
    init?(_ bytes: [UInt8], for layout: Layout) {
        guard let profile = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return nil }
        defer { cmsCloseProfile(profile) }
        var layout = layout
        let space = cmsGetColorSpace(profile)
        // A grey picture may carry a profile for colours.
        if case .grey = layout, space == cmsSigRgbData { layout = .bgrx }
        guard space == layout.space, let target = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(target) }
        guard
            let transform = cmsCreateTransform(
                profile, layout.type, target, pasteup_type_bgra_8, UInt32(INTENT_RELATIVE_COLORIMETRIC), layout.flags)
        else { return nil }
        self.transform = transform
        self.layout = layout
        if space == cmsSigRgbData, changesNothing { return nil }
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts in place. Alpha is kept, and not yet multiplied into the colours.
    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        let base = pixels.baseAddress!
        guard case .grey = layout else {
            return cmsDoTransform(transform, base, base, UInt32(pixels.count / 4))
        }
        let chunk = 4096
        var greys = [UInt8](repeating: 0, count: chunk)
        for start in stride(from: 0, to: pixels.count / 4, by: chunk) {
            let count = min(chunk, pixels.count / 4 - start)
            for i in 0..<count { greys[i] = base[(start + i) * 4] }
            cmsDoTransform(transform, greys, base + start * 4, UInt32(count))
        }
    }

    /// Most files carry sRGB itself: converting them would cost time, and gain rounding errors.
    private var changesNothing: Bool {
        let levels: [UInt8] = [0, 50, 100, 150, 200, 255]
        var samples: [UInt8] = []
        for blue in levels { for green in levels { for red in levels { samples += [blue, green, red, 255] } } }
        var converted = samples
        converted.withUnsafeMutableBufferPointer { convert($0) }
        return zip(samples, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}

extension ColorProfile.Layout {
    fileprivate var space: cmsColorSpaceSignature {
        switch self {
        case .bgra, .bgrx: cmsSigRgbData
        case .grey: cmsSigGrayData
        case .inks: cmsSigCmykData
        }
    }

    fileprivate var type: UInt32 {
        switch self {
        case .bgra, .bgrx: pasteup_type_bgra_8
        case .grey: pasteup_type_gray_8
        case .inks(.plain): pasteup_type_cmyk_8
        case .inks(.inverted): pasteup_type_cmyk_8_rev
        }
    }

    fileprivate var flags: UInt32 {
        let compensates = UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION)
        if case .bgra = self { return compensates | UInt32(cmsFLAGS_COPY_ALPHA) }
        return compensates
    }
}
