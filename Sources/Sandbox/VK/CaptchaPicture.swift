internal import Glibc

/// The pictures of VK's old captcha, as PNG, 260 x 100.
enum CaptchaPicture {
    /// The text, crooked, among lines.
    static func png(text: String) -> [UInt8] {
        // The width of 1440 units stands for 260 pixels.
        let canvas = Canvas(width: 260, height: 100, seed: "\(UInt64.random(in: 0 ... .max))")
        canvas.cover(.linear(Point(0, 0), Point(1440, canvas.height), [(0, Color(0xF4F6FA)), (1, Color(0xDDE4EE))]))
        for _ in 0..<9 { drawLine(canvas, Color(0x6A7FA0, 0.5), width: 9) }
        let step = min(240, 1200 / Double(max(1, text.count)))
        for (index, character) in text.enumerated() {
            let place = Point(
                150 + Double(index) * step, canvas.height * 0.68 + canvas.random.next(in: -55.0...55))
            let ink = Color(0x2B4468).mixed(with: Color(0x5A3F63), canvas.random.next(in: 0.0...1))
            canvas.placed(
                at: place, angle: canvas.random.next(in: -0.38...0.38), scale: canvas.random.next(in: 0.9...1.2)
            ) {
                canvas.text(String(character), at: Point(0, 0), size: min(290, step * 1.25), .flat(ink))
            }
        }
        for _ in 0..<3 { drawLine(canvas, Color(0x2B4468, 0.75), width: 11) }
        return canvas.png()
    }

    /// What VK's picture shows beside the new form.
    static func unsupported() -> [UInt8] {
        let canvas = Canvas(width: 260, height: 100, seed: "")
        canvas.cover(.flat(Color(0xEDF0F5)))
        canvas.text("picture not", at: Point(330, canvas.height * 0.45), size: 130, .flat(Color(0x7A8799)))
        canvas.text("supported", at: Point(380, canvas.height * 0.75), size: 130, .flat(Color(0x7A8799)))
        return canvas.png()
    }

    private static func drawLine(_ canvas: Canvas, _ color: Color, width: Double) {
        func y() -> Double { canvas.random.next(in: 0...canvas.height) }
        canvas.begin()
        canvas.move(Point(0, y()))
        canvas.curve(Point(480, y()), Point(960, y()), Point(1440, y()))
        canvas.stroke(.flat(color), width: width)
    }
}
