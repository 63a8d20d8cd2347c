/// A colour with its opacity, each part from 0 to 1.
struct Color: Sendable {
    var red, green, blue, alpha: Double

    /// - Parameter hex: 0xRRGGBB.
    init(_ hex: UInt32, _ alpha: Double = 1) {
        red = Double(hex >> 16 & 255) / 255
        green = Double(hex >> 8 & 255) / 255
        blue = Double(hex & 255) / 255
        self.alpha = alpha
    }

    func mixed(with other: Color, _ share: Double) -> Color {
        var color = self
        color.red += (other.red - red) * share
        color.green += (other.green - green) * share
        color.blue += (other.blue - blue) * share
        color.alpha += (other.alpha - alpha) * share
        return color
    }

    func faded(_ alpha: Double) -> Color {
        var color = self
        color.alpha = alpha
        return color
    }
}

struct Point: Sendable {
    var x, y: Double
    init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// What a shape is filled with.
enum Paint {
    case flat(Color)
    case linear(Point, Point, [(Double, Color)])
    case radial(Point, Double, [(Double, Color)])
}
