internal import CPangoCairo

/// Pango's context on the calling thread's own font map.
///
/// Font maps must never be shared between threads: Pango crashes or hangs. The default one belongs to the thread, so a
/// card is composed in one synchronous call.
final class Fonts {
    /// The sizes of letters that are taken, in pixels.
    static let sizes: ClosedRange<Double> = 4...2000

    let context: OpaquePointer
    private let map: UnsafeMutablePointer<PangoFontMap>

    init() {
        map = pango_cairo_font_map_get_default()
        context = pango_font_map_create_context(map)
        // One point is one pixel; no hinting, so that sizes scale evenly.
        pango_cairo_context_set_resolution(context, 72)
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        pango_context_set_round_glyph_positions(context, 0)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

    /// The family that stands in for the one asked for; nil when that one is installed.
    func substitute(for font: Font) -> String? {
        let wanted = font.family.split(separator: ",").first.map { trimmed($0).lowercased() } ?? ""
        let generic = ["sans", "sans-serif", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji"]
        guard !generic.contains(wanted), !hasFamily(wanted) else { return nil }
        guard let loaded = pango_font_map_load_font(map, context, font.description) else { return "no font" }
        defer { g_object_unref(UnsafeMutableRawPointer(loaded)) }
        let description = pango_font_describe(loaded)
        defer { pango_font_description_free(description) }
        return pango_font_description_get_family(description).map { String(cString: $0) } ?? "no font"
    }

    private func hasFamily(_ name: String) -> Bool {
        var families: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
        var count: Int32 = 0
        pango_font_map_list_families(map, &families, &count)
        defer { g_free(families) }
        return (0..<Int(count)).contains { index in
            guard let family = families?[index], let text = pango_font_family_get_name(family) else { return false }
            return String(cString: text).lowercased() == name
        }
    }
}

/// A font description: family, style, size.
final class Font {
    let description: OpaquePointer
    let family: String
    /// In pixels.
    let size: Double

    /// - Parameter layer: for the error.
    init(_ text: CardText, _ layer: CardPart.Layer) throws(CardError) {
        guard let description = pango_font_description_from_string(text.font) else {
            throw .font(CardPart(layer, "font"), text.font)
        }
        self.description = description
        let units = pango_font_description_get_size(description)
        size = text.size ?? (units == 0 ? 44 : Double(units) / Double(PANGO_SCALE))
        if let weight = text.weight { pango_font_description_set_weight(description, PangoWeight(UInt32(weight))) }
        if pango_font_description_get_family(description) == nil {
            pango_font_description_set_family(description, "sans-serif")
        }
        family = String(cString: pango_font_description_get_family(description))
        guard text.font.contains(where: { !$0.isWhitespace }), Fonts.sizes.contains(size) else {
            throw .font(CardPart(layer, "font"), text.font)
        }
    }

    deinit { pango_font_description_free(description) }

    var isSlanted: Bool { pango_font_description_get_style(description) != PANGO_STYLE_NORMAL }

    func setSize(_ size: Double) {
        pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
    }
}

func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
}
