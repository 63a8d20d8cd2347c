internal import Glibc

extension CSSColor {
    /// - Parameters:
    ///   - name: lower case.
    ///   - arguments: what stands between the parentheses; commas and blanks both divide, `/` comes before alpha.
    init?(function name: String, arguments: String) {
        let parts = arguments.split { $0 == "," || $0 == "/" || $0.isWhitespace }.map(String.init)
        guard parts.count == 3 || parts.count == 4 else { return nil }
        let alpha = parts.count == 4 ? Part(parts[3])?.share : 1
        guard let alpha else { return nil }
        switch name {
        case "rgb", "rgba":
            let channels = parts.prefix(3).compactMap { Part($0)?.channel }
            guard channels.count == 3 else { return nil }
            self.init(channels[0], channels[1], channels[2], alpha)
        case "hsl", "hsla":
            guard let hue = Part(parts[0])?.degrees, let saturation = Part(parts[1])?.percentage,
                let lightness = Part(parts[2])?.percentage
            else { return nil }
            // CSS Color 4, section 7.1.
            let reach = saturation * min(lightness, 1 - lightness)
            func channel(_ offset: Double) -> Double {
                let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
                return lightness - reach * max(-1, min(place - 3, 9 - place, 1))
            }
            self.init(channel(0), channel(8), channel(4), alpha)
        default: return nil
        }
    }

    /// From channels of 0 to 1; what lies beyond is cut off.
    private init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
        func byte(_ share: Double) -> UInt8 { UInt8((min(max(share, 0), 1) * 255).rounded()) }
        self.init(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha))
    }
}

/// A number with a unit.
private struct Part {
    let number: Double
    let unit: Substring

    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        guard let number = Double(digits), number.isFinite else { return nil }
        self.number = number
        unit = text[digits.endIndex...]
    }

    var percentage: Double? { unit == "%" || unit.isEmpty ? min(max(number / 100, 0), 1) : nil }

    /// Of 255, or a percentage.
    var channel: Double? { unit.isEmpty ? number / 255 : unit == "%" ? number / 100 : nil }

    /// Of 1, or a percentage.
    var share: Double? { unit.isEmpty ? number : unit == "%" ? number / 100 : nil }

    /// From 0 to 360.
    var degrees: Double? {
        let factor: Double
        switch unit {
        case "", "deg": factor = 1
        case "grad": factor = 0.9
        case "rad": factor = 180 / .pi
        case "turn": factor = 360
        default: return nil
        }
        let rest = (number * factor).truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}
