internal import CSSColors
internal import Glibc

/// The colours that a card's picture is rich in, found when the first is asked for.
final class Palette {
    private let path: String?
    private let images: ImageFiles
    private var picture: PixelImage?

    init(pictureOf spec: CardSpec, images: ImageFiles) {
        self.images = images
        if case .image(let background) = spec.background, let path = background.path {
            self.path = path
        } else {
            path = spec.stickers.first?.image
        }
    }

    /// The colour itself; of `auto` the dominant one of the picture's part.
    ///
    /// - Parameters:
    ///   - half: from 0, the upper half, to 1, the lower one; nil is the whole picture.
    ///   - part: for the error when there is no picture.
    func color(_ paint: CardPaint, half: Double? = nil, for part: CardPart) throws(CardError) -> CardColor {
        if case .color(let color) = paint { return color }
        let picture = try small(for: part)
        let middle = picture.height / 2
        switch half {
        case nil: return dominantColor(picture, rows: 0..<picture.height)
        case .some(let half) where half < 0.5: return dominantColor(picture, rows: 0..<max(middle, 1))
        default:
            let (upper, lower) = (
                dominantColor(picture, rows: 0..<max(middle, 1)), dominantColor(picture, rows: middle..<picture.height)
            )
            // Two colours that hardly differ make a dull gradient.
            return Oklab(upper).distance(to: Oklab(lower)) < 0.1 ? Oklab(lower).darker.color : lower
        }
    }

    private static let side = 48

    private func small(for part: CardPart) throws(CardError) -> PixelImage {
        if let picture { return picture }
        guard let path else { throw .noPicture(part) }
        let side = Palette.side
        let image = try images.decoded(path, width: Double(side) * 2, height: Double(side) * 2)
            .resized(toWidth: side, height: side)
        picture = image
        return image
    }
}

/// The middle of the largest of five groups of colours ("k-means"), vivid ones preferred, neither glaring nor black.
private func dominantColor(_ image: PixelImage, rows: Range<Int>) -> CardColor {
    let points = (rows.lowerBound * image.width..<rows.upperBound * image.width).compactMap { index -> Oklab? in
        let pixel = image.pixels[index * 4..<index * 4 + 4]
        let first = pixel.startIndex
        if image.hasAlpha, pixel[first + 3] < 250 { return nil }
        return Oklab(CardColor(red: pixel[first + 2], green: pixel[first + 1], blue: pixel[first]))
    }.sorted { $0.lightness < $1.lightness }
    guard !points.isEmpty else { return .bareBackground }
    var centers = (0..<5).map { points[min(points.count * (2 * $0 + 1) / 10, points.count - 1)] }
    var counts = [Int](repeating: 0, count: centers.count)
    for _ in 0..<12 {
        var sums = [Oklab](repeating: Oklab(lightness: 0, a: 0, b: 0), count: centers.count)
        counts = counts.map { _ in 0 }
        for point in points {
            let nearest = centers.indices.min { centers[$0].distance(to: point) < centers[$1].distance(to: point) } ?? 0
            counts[nearest] += 1
            sums[nearest] = sums[nearest] + point
        }
        for index in centers.indices where counts[index] > 0 {
            centers[index] = sums[index].divided(by: Double(counts[index]))
        }
    }
    func weight(_ index: Int) -> Double { Double(counts[index]) * (0.25 + min(centers[index].chroma * 8, 1)) }
    let best = centers.indices.max { weight($0) < weight($1) } ?? 0
    return centers[best].calm.color
}

/// A colour by how it is seen: equal distances look about equally different (B. Ottosson, "A perceptual color space for
/// image processing", 2020, whose matrices these are).
struct Oklab {
    var lightness: Double
    var a: Double
    var b: Double

    init(lightness: Double, a: Double, b: Double) {
        (self.lightness, self.a, self.b) = (lightness, a, b)
    }

    init(_ color: CardColor) {
        let (red, green, blue) = (linear(color.red), linear(color.green), linear(color.blue))
        let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
        a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
        b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    }

    var color: CardColor {
        func cubed(_ x: Double) -> Double { x * x * x }
        let l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
        return CardColor(
            red: encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            green: encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            blue: encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))
    }

    var chroma: Double { (a * a + b * b).squareRoot() }

    /// Kept from glaring and from black, so that pictures and letters stand out from it.
    var calm: Oklab {
        let share = chroma > 0.15 ? 0.15 / chroma : 1
        return Oklab(lightness: min(max(lightness, 0.38), 0.80), a: a * share, b: b * share)
    }

    var darker: Oklab { Oklab(lightness: lightness * 0.68, a: a * 0.9, b: b * 0.9) }

    func distance(to other: Oklab) -> Double {
        let (x, y, z) = (lightness - other.lightness, a - other.a, b - other.b)
        return (x * x + y * y + z * z).squareRoot()
    }

    static func + (one: Oklab, other: Oklab) -> Oklab {
        Oklab(lightness: one.lightness + other.lightness, a: one.a + other.a, b: one.b + other.b)
    }

    func divided(by count: Double) -> Oklab { Oklab(lightness: lightness / count, a: a / count, b: b / count) }
}

extension CardColor {
    /// From 0 to 1, for contrasts (WCAG 2.2, "relative luminance").
    var luminance: Double { 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) }

    /// From 1, none, to 21 (WCAG 2.2, "contrast ratio").
    func contrast(to other: CardColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}

/// sRGB's transfer curve (IEC 61966-2-1).
private func linear(_ byte: UInt8) -> Double {
    let value = Double(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

private func encoded(_ linear: Double) -> UInt8 {
    let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    return UInt8((min(max(value, 0), 1) * 255).rounded())
}
