internal import Glibc

extension PhotoScene {
    /// A city across the water, at night.
    func drawCity(_ canvas: Canvas) {
        let (width, height) = (canvas.width, canvas.height)
        let shore = height * 0.63
        canvas.cover(
            .linear(
                Point(0, 0), Point(0, shore),
                [(0, Color(0x070B1F)), (0.45, Color(0x1B1B45)), (0.78, Color(0x5A2F63)), (1, Color(0xD06A63))]))
        for _ in 0..<120 {
            let y = height * canvas.random.next(in: 0.0...0.34)
            canvas.circle(Point(canvas.random.next(in: 0.0...1440), y), canvas.random.next(in: 0.7...2.2))
            canvas.fill(Color(0xFFFFFF, canvas.random.next(in: 0.1...0.7) * (1 - y / (height * 0.36))))
        }
        canvas.glow(Point(width * 0.5, shore), 900, Color(0xFF9A6B, 0.5))
        var lights: [(Point, Color)] = []
        for layer in 0..<3 { lights += drawBuildings(canvas, layer: layer, shore: shore) }
        drawWater(canvas, shore: shore, lights)
        drawBokeh(canvas)
        canvas.vignette(0.5)
        canvas.grain(0.11)
    }

    private func drawBuildings(_ canvas: Canvas, layer: Int, shore: Double) -> [(Point, Color)] {
        let depth = Double(layer) / 2
        let color = Color(0x6B3D6B).mixed(with: Color(0x0B0A1E), 0.35 + 0.6 * depth)
        var lights: [(Point, Color)] = []
        var x = -30.0
        while x < 1460 {
            let wide = canvas.random.next(in: 60.0...150)
            let middle = 1 - abs(x - 720) / 900
            let tall = canvas.height * (0.10 + 0.24 * canvas.random.next(in: 0.2...1) * middle) * (1.25 - 0.5 * depth)
            let top = shore - tall
            canvas.rectangle(x, top, wide, tall)
            canvas.fill(
                .linear(
                    Point(0, top), Point(0, shore),
                    [(0, color), (1, color.mixed(with: Color(0xE0786A), 0.3 * (1 - depth)))]))
            if canvas.random.next(in: 0.0...1) < 0.3 {
                canvas.rectangle(x + wide / 2 - 2, top - 54, 4, 56)
                canvas.fill(color)
                canvas.glow(Point(x + wide / 2, top - 54), 22, Color(0xFF5A4A, 0.9))
            }
            let warm = canvas.random.next(in: 0.0...1) < 0.75
            for row in stride(from: top + 14, to: shore - 16, by: 19) {
                for column in stride(from: x + 9, to: x + wide - 12, by: 15)
                where canvas.random.next(in: 0.0...1) < 0.30 + 0.16 * depth {
                    let light = (warm ? Color(0xFFD08A) : Color(0xBFE3FF)).mixed(
                        with: Color(0xFF9E5A), canvas.random.next(in: 0.0...0.6))
                    canvas.rectangle(column, row, 7, 10)
                    canvas.fill(light.faded(canvas.random.next(in: 0.35...0.95) * (0.5 + 0.5 * depth)))
                    if canvas.random.next(in: 0.0...1) < 0.12 { lights.append((Point(column, row), light)) }
                }
            }
            x += wide + canvas.random.next(in: 2.0...16)
        }
        return lights
    }

    private func drawWater(_ canvas: Canvas, shore: Double, _ lights: [(Point, Color)]) {
        let height = canvas.height
        canvas.rectangle(0, shore, canvas.width, height - shore)
        canvas.fill(
            .linear(
                Point(0, shore), Point(0, height),
                [(0, Color(0x54304F)), (0.25, Color(0x251C40)), (1, Color(0x060818))]))
        canvas.soft(7, alpha: 0.95, screens: true) { soft in
            for (place, color) in lights {
                let length = (shore - place.y) * 0.9 + 160
                let x = place.x
                for step in 0..<10 {
                    let y = shore + 6 + Double(step) / 10 * length + canvas.random.next(in: -8.0...8)
                    soft.ellipse(Point(x + canvas.random.next(in: -7.0...7), y), 10 + Double(step) * 1.6, 6)
                    soft.fill(color.faded(0.40 * (1 - Double(step) / 10)))
                }
            }
        }
        for _ in 0..<420 {
            let depth = canvas.random.next(in: 0.0...1)
            canvas.ellipse(
                Point(canvas.random.next(in: 0.0...1440), shore + depth * (height - shore)), 20 + depth * 90,
                1 + depth * 2.5)
            canvas.fill(Color(0x04050F, 0.16))
        }
        canvas.rectangle(0, shore - 5, canvas.width, 9)
        canvas.fill(Color(0x090818))
        for x in stride(from: 18.0, to: 1440, by: 48) {
            canvas.glow(Point(x, shore - 7), 34, Color(0xFFC27A, 0.95))
        }
    }

    private func drawBokeh(_ canvas: Canvas) {
        let tones: [UInt32] = [0xFFB45E, 0xFF7A59, 0x7FD6E8, 0xFFD99A, 0xE86FA0]
        for _ in 0..<30 {
            let place = Point(
                canvas.random.next(in: -30.0...1470),
                canvas.height * (1.02 - 0.26 * pow(canvas.random.next(in: 0.0...1), 1.6)))
            let radius = canvas.random.next(in: 26.0...92)
            let color = Color(tones[canvas.random.next(in: 0...tones.count - 1)])
            canvas.screened {
                canvas.circle(place, radius)
                canvas.fill(
                    .radial(
                        place, radius,
                        [
                            (0, color.faded(0.16)), (0.86, color.faded(0.27)), (0.95, color.faded(0.38)),
                            (1, color.faded(0)),
                        ]))
            }
        }
    }
}
