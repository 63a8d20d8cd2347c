internal import Glibc

extension PhotoScene {
    /// Ranges in the haze, one behind the other, at sunset.
    func drawMountains(_ canvas: Canvas) {
        let (width, height) = (canvas.width, canvas.height)
        let horizon = height * 0.6
        canvas.cover(
            .linear(
                Point(0, 0), Point(0, horizon),
                [
                    (0, Color(0x2A2455)), (0.3, Color(0x6A3F78)), (0.55, Color(0xC75B6E)), (0.78, Color(0xF2935C)),
                    (1, Color(0xFFD58A)),
                ]))
        let sun = Point(width * canvas.random.next(in: 0.56...0.7), height * 0.43)
        canvas.glow(sun, 900, Color(0xFFB36B, 0.75))
        canvas.glow(sun, 330, Color(0xFFE2A8, 0.9))
        drawClouds(canvas)
        canvas.circle(sun, 74)
        canvas.fill(.radial(sun, 74, [(0, Color(0xFFFBEA)), (0.8, Color(0xFFF0C4)), (1, Color(0xFFE3A0))]))
        let layers = 6
        for layer in 0..<layers {
            let depth = Double(layer) / Double(layers - 1)
            drawRange(canvas, depth: depth, base: horizon - height * 0.06 + height * 0.33 * pow(depth, 1.25))
        }
        drawPines(canvas)
        canvas.vignette(0.42)
        canvas.grain(0.10)
    }

    private func drawClouds(_ canvas: Canvas) {
        canvas.soft(22, alpha: 0.55) { soft in
            for _ in 0..<16 {
                let y = canvas.height * canvas.random.next(in: 0.06...0.4)
                let x = canvas.random.next(in: -100.0...1540)
                soft.ellipse(
                    Point(x, y), canvas.random.next(in: 160.0...420), canvas.random.next(in: 4.0...15))
                soft.fill(Color(0xFFC9A0).mixed(with: Color(0xB56A8C), 1 - y / (canvas.height * 0.4)).faded(0.8))
            }
        }
    }

    private func drawRange(_ canvas: Canvas, depth: Double, base: Double) {
        let ridge = Ridge(&canvas.random)
        let height = canvas.height
        let amplitude = height * (0.055 + 0.055 * depth)
        let points = stride(from: 0.0, through: canvas.width, by: 4).map { x in
            let wave = ridge.height(at: x / canvas.width * (2.6 + depth * 1.6) + depth * 11, octaves: 6)
            return Point(x, base - wave * amplitude)
        }
        let far = Color(0xE58F70)
        let near = Color(0x1B1430)
        let color = far.mixed(with: Color(0x7C4468), min(1, depth * 1.8)).mixed(with: near, max(0, depth * 1.5 - 0.5))
        canvas.polygon([Point(0, height)] + points + [Point(canvas.width, height)])
        canvas.fill(
            .linear(
                Point(0, base - amplitude), Point(0, base + height * 0.2),
                [(0, color), (1, color.mixed(with: Color(0xF6B48A), 0.42 * (1 - depth)))]))
        guard depth < 0.95 else { return }
        canvas.soft(60, alpha: 0.5 * (1 - depth)) { soft in
            soft.ellipse(
                Point(canvas.random.next(in: 300.0...1100), base + height * 0.075), 900, height * 0.03)
            soft.fill(Color(0xFFD9B8))
        }
    }

    private func drawPines(_ canvas: Canvas) {
        let height = canvas.height
        let ridge = Ridge(&canvas.random)
        let ground = stride(from: 0.0, through: canvas.width, by: 8).map { x in
            Point(x, height * 0.93 - ridge.height(at: x / 420, octaves: 3) * height * 0.03)
        }
        let dark = Color(0x100B1E)
        canvas.polygon([Point(0, height)] + ground + [Point(canvas.width, height)])
        canvas.fill(dark)
        for _ in 0..<70 {
            let x = canvas.random.next(in: 0.0...1440)
            // Tall at the sides, so that the view between them stays open.
            let side = abs(x - 760) / 760
            let size = (50 + 190 * side * side) * canvas.random.next(in: 0.6...1.15)
            let foot = height * 0.93 - ridge.height(at: x / 420, octaves: 3) * height * 0.03 + 12
            drawPine(canvas, foot: Point(x, foot), size: size, dark)
        }
    }

    private func drawPine(_ canvas: Canvas, foot: Point, size: Double, _ color: Color) {
        var left: [Point] = []
        var right: [Point] = []
        let tiers = 9
        for tier in 0..<tiers {
            let share = Double(tier + 1) / Double(tiers)
            let y = foot.y - size + size * share
            let reach = size * 0.19 * share * canvas.random.next(in: 0.8...1.15)
            left += [Point(foot.x - reach, y), Point(foot.x - reach * 0.45, y - size * 0.012)]
            right += [Point(foot.x + reach, y), Point(foot.x + reach * 0.45, y - size * 0.012)]
        }
        canvas.polygon([Point(foot.x, foot.y - size)] + right + left.reversed())
        canvas.fill(color)
    }
}
