internal import CImageCodecs
internal import CLCMS2
internal import CPangoCairo
internal import CWebP

/// A finished card.
public struct ComposedCard: Sendable, Hashable {
    /// The file's content, sRGB and without metadata.
    public var bytes: [UInt8]
    public var format: CardFormat
    public var width: Int
    public var height: Int
    /// Of `bytes`, 64 lower-case hexadecimal digits.
    public var sha256: String
    /// What the author should know though the card was made: a font that is missing, a text that was cut.
    public var warnings: [String]
    /// Whether a font or a character's glyph was missing: with more fonts installed it would look otherwise.
    public var lacksFonts: Bool
    /// The paths of the fonts' files that it was written with, sorted; with others it may look otherwise.
    public var fontFiles: [String]
}

/// Draws cards. The same spec and files give the same bytes on the same machine.
public enum CardComposer {
    /// The libraries that draw, read and write, by which the same spec may give other bytes.
    public static let libraryVersions: String = {
        let cairo = String(cString: cairo_version_string())
        let pango = String(cString: pango_version_string())
        let codecs = String(cString: pasteup_codec_versions())
        return "cairo \(cairo), pango \(pango), \(codecs), webp \(WebPGetEncoderVersion()), "
            + "lcms \(cmsGetEncodedCMMversion())"
    }()

    /// Composes a card.
    ///
    /// Blocks, for about 0.1 s: call it on a thread of its own. Any number of threads may compose at the same time;
    /// many cards on one thread are quicker than each on a new one, since the fonts stay loaded.
    ///
    /// - Parameter guides: whether the margins, the zones of a story's controls and the texts' boxes are drawn over it.
    public static func compose(_ spec: CardSpec, guides: Bool = false) throws(CardError) -> ComposedCard {
        try spec.check()
        var composition = try Composition(spec)
        return try composition.composed(guides: guides)
    }
}
