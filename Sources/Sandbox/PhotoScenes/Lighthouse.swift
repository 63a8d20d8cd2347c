internal import Glibc

extension PhotoScene {
    /// A lighthouse on its rock, and the sea in the evening.
    func drawLighthouse(_ canvas: Canvas) {
        let (width, height) = (canvas.width, canvas.height)
        let horizon = height * 0.62
        canvas.cover(
            .linear(
                Point(0, 0), Point(0, horizon),
                [
                    (0, Color(0x16325C)), (0.38, Color(0x41658F)), (0.68, Color(0xC08F9E)), (0.86, Color(0xF3B08A)),
                    (1, Color(0xFFDDA6)),
                ]))
        drawStars(canvas)
        let sun = Point(width * 0.24, horizon - 26)
        canvas.glow(sun, 820, Color(0xFFB07A, 0.7))
        canvas.soft(26, alpha: 0.7) { soft in
            for _ in 0..<20 {
                let y = height * canvas.random.next(in: 0.2...0.55)
                soft.ellipse(
                    Point(canvas.random.next(in: -100.0...1540), y), canvas.random.next(in: 120.0...430),
                    canvas.random.next(in: 5.0...20))
                soft.fill(Color(0x6E6C94).mixed(with: Color(0xFFC4A0), y / (height * 0.55)).faded(0.62))
            }
        }
        canvas.glow(sun, 260, Color(0xFFF0CF, 0.95))
        canvas.circle(sun, 62)
        canvas.fill(Color(0xFFF6DD))
        drawSea(canvas, horizon: horizon, sun: sun)
        let lamp = drawRockAndTower(canvas, horizon: horizon)
        drawBeam(canvas, lamp)
        drawGulls(canvas)
        canvas.vignette(0.4)
        canvas.grain(0.09)
    }

    private func drawStars(_ canvas: Canvas) {
        for _ in 0..<70 {
            let y = canvas.height * canvas.random.next(in: 0.0...0.26)
            canvas.circle(Point(canvas.random.next(in: 0.0...1440), y), canvas.random.next(in: 0.8...2.4))
            canvas.fill(Color(0xFFFFFF, canvas.random.next(in: 0.15...0.75) * (1 - y / (canvas.height * 0.3))))
        }
    }

    private func drawSea(_ canvas: Canvas, horizon: Double, sun: Point) {
        let height = canvas.height
        canvas.rectangle(0, horizon, canvas.width, height - horizon)
        canvas.fill(
            .linear(
                Point(0, horizon), Point(0, height),
                [(0, Color(0xE5A68C)), (0.1, Color(0xA9838F)), (0.4, Color(0x44618A)), (1, Color(0x102744))]))
        for _ in 0..<900 {
            let depth = pow(canvas.random.next(in: 0.0...1), 1.7)
            let y = horizon + 3 + depth * (height - horizon)
            let length = 14 + depth * 150 * canvas.random.next(in: 0.4...1)
            let x = canvas.random.next(in: -80.0...1440)
            let isLight = canvas.random.next(in: 0.0...1) < 0.5
            canvas.ellipse(Point(x, y), length, 0.9 + depth * 3.4)
            canvas.fill((isLight ? Color(0xF6C7A6) : Color(0x14294A)).faded(isLight ? 0.10 + 0.08 * (1 - depth) : 0.16))
        }
        canvas.screened {
            for _ in 0..<420 {
                let depth = pow(canvas.random.next(in: 0.0...1), 1.5)
                let spread = 50 + depth * 250
                let x = sun.x + (canvas.random.next(in: -1.0...1) + canvas.random.next(in: -1.0...1)) / 2 * spread
                canvas.ellipse(Point(x, horizon + 3 + depth * (height - horizon) * 0.9), 9 + depth * 46, 1 + depth * 3)
                canvas.fill(Color(0xFFD9A6, 0.42 * (1 - depth * 0.65)))
            }
        }
    }

    /// Returns the lamp's place.
    private func drawRockAndTower(_ canvas: Canvas, horizon: Double) -> Point {
        let ridge = Ridge(&canvas.random)
        let height = canvas.height
        func ground(_ x: Double) -> Double {
            let rise = min(1, max(0, (x - 560) / 420))
            return horizon + height * 0.12 - rise * rise * (3 - 2 * rise) * height * 0.16 - ridge.height(
                at: x / 170, octaves: 5) * height * 0.022
        }
        let edge = stride(from: 560.0, through: 1440, by: 5).map { Point($0, ground($0)) }
        let foot = stride(from: 1440.0, through: 520, by: -12).map { x in
            Point(
                x,
                horizon + height * 0.16 + (x - 520) / 920 * height * 0.12 + ridge.height(at: x / 60 + 90, octaves: 3)
                    * 14)
        }
        canvas.soft(18, alpha: 0.55) { soft in
            soft.polygon(
                foot.map { Point($0.x, $0.y + 26) } + [
                    Point(560, horizon + height * 0.13), Point(1440, horizon + height * 0.13),
                ])
            soft.fill(Color(0x0B1A30))
        }
        canvas.polygon(edge + foot)
        canvas.fill(
            .linear(
                Point(560, horizon), Point(1100, height * 0.86),
                [(0, Color(0x6B5560)), (0.4, Color(0x362F46)), (1, Color(0x151528))]))
        canvas.polygon(edge + foot)
        canvas.clipped {
            for _ in 0..<340 {
                let x = canvas.random.next(in: 540.0...1440)
                let down = pow(canvas.random.next(in: 0.0...1), 1.4) * 420
                let length = canvas.random.next(in: 20.0...120)
                canvas.begin()
                for share in stride(from: 0.0, through: 1, by: 0.25) {
                    canvas.line(Point(x + length * share, ground(x + length * share) + down * (1 + 0.12 * share)))
                }
                let isLight = canvas.random.next(in: 0.0...1) < 0.5
                canvas.stroke(
                    .flat(
                        (isLight ? Color(0xF0B394) : Color(0x080914)).faded(isLight ? 0.16 * (1 - down / 520) : 0.28)),
                    width: canvas.random.next(in: 2.0...7))
            }
        }
        return drawTower(canvas, foot: Point(1075, ground(1075) + 26), tall: height * 0.36)
    }

    private func drawTower(_ canvas: Canvas, foot: Point, tall: Double) -> Point {
        let (wide, narrow) = (tall * 0.115, tall * 0.075)
        let top = foot.y - tall
        func half(_ y: Double) -> Double { narrow + (wide - narrow) * (y - top) / tall }
        func section(_ from: Double, _ to: Double, _ light: Color, _ dark: Color) {
            canvas.polygon([
                Point(foot.x - half(from), from), Point(foot.x + half(from), from), Point(foot.x + half(to), to),
                Point(foot.x - half(to), to),
            ])
            canvas.fill(
                .linear(Point(foot.x - wide, 0), Point(foot.x + wide, 0), [(0, light), (0.35, light), (1, dark)]))
        }
        section(top, foot.y, Color(0xFFF1E0), Color(0x8C87A0))
        for band in 0..<3 {
            let from = top + tall * (0.14 + Double(band) * 0.29)
            section(from, from + tall * 0.145, Color(0xE2573F), Color(0x6E2A3C))
        }
        for window in 0..<2 {
            canvas.rectangle(foot.x - 9, top + tall * (0.32 + Double(window) * 0.29), 18, 34, radius: 8)
            canvas.fill(Color(0x2A2740))
        }
        let house = narrow * 0.72
        canvas.rectangle(foot.x - narrow - 16, top - 12, narrow * 2 + 32, 16, radius: 4)
        canvas.fill(Color(0x2B2740))
        canvas.rectangle(foot.x - house, top - 86, house * 2, 76)
        canvas.fill(.linear(Point(0, top - 86), Point(0, top - 10), [(0, Color(0xFFE9B0)), (1, Color(0xFFC46B))]))
        for bar in 0...4 {
            canvas.rectangle(foot.x - house + Double(bar) * house / 2 - 2, top - 86, 4, 76)
            canvas.fill(Color(0x2B2740, 0.85))
        }
        canvas.polygon([
            Point(foot.x - house - 12, top - 84), Point(foot.x, top - 140), Point(foot.x + house + 12, top - 84),
        ])
        canvas.fill(
            .linear(Point(foot.x - house, 0), Point(foot.x + house, 0), [(0, Color(0xD9513D)), (1, Color(0x5C2536))]))
        canvas.rectangle(foot.x - 3, top - 168, 6, 32)
        canvas.fill(Color(0x2B2740))
        for post in stride(from: -narrow - 14, through: narrow + 14, by: 12) {
            canvas.rectangle(foot.x + post - 1.5, top - 36, 3, 26)
            canvas.fill(Color(0x2B2740, 0.9))
        }
        canvas.rectangle(foot.x - narrow - 16, top - 38, narrow * 2 + 32, 4)
        canvas.fill(Color(0x2B2740))
        return Point(foot.x, top - 48)
    }

    private func drawBeam(_ canvas: Canvas, _ lamp: Point) {
        canvas.soft(24, alpha: 0.9, screens: true) { soft in
            soft.polygon([
                Point(lamp.x, lamp.y - 12), Point(-200, lamp.y - 330), Point(-200, lamp.y - 60),
                Point(lamp.x, lamp.y + 12),
            ])
            soft.fill(
                .linear(
                    lamp, Point(-200, lamp.y - 180),
                    [(0, Color(0xFFE9B8, 0.75)), (0.5, Color(0xFFE9B8, 0.2)), (1, Color(0xFFE9B8, 0))]))
        }
        canvas.glow(lamp, 230, Color(0xFFE7B0, 0.95))
        canvas.glow(lamp, 70, Color(0xFFFFFF, 1))
    }

    private func drawGulls(_ canvas: Canvas) {
        for (x, y, size) in [(420.0, 0.30, 34.0), (500.0, 0.275, 24.0), (330.0, 0.345, 20.0), (640.0, 0.33, 16.0)] {
            let point = Point(x, y * canvas.height)
            canvas.begin()
            canvas.move(Point(point.x - size, point.y - size * 0.1))
            canvas.curve(
                Point(point.x - size * 0.6, point.y - size * 0.5), Point(point.x - size * 0.2, point.y - size * 0.3),
                point)
            canvas.curve(
                Point(point.x + size * 0.2, point.y - size * 0.34), Point(point.x + size * 0.6, point.y - size * 0.55),
                Point(point.x + size, point.y - size * 0.2))
            canvas.stroke(.flat(Color(0x2A3352, 0.85)), width: max(2, size / 8))
        }
    }
}
