internal import Glibc

extension PhotoScene {
    /// A cup of coffee on a wooden table, from above.
    func drawCoffee(_ canvas: Canvas) {
        drawTable(canvas)
        drawCloth(canvas)
        let center = Point(690, canvas.height * 0.5)
        drawSaucer(canvas, center)
        drawCup(canvas, center)
        drawBeans(canvas, around: center)
        drawSteam(canvas, center)
        canvas.screened {
            canvas.cover(
                .radial(Point(180, 100), canvas.height * 1.05, [(0, Color(0xFFE2B0, 0.34)), (1, Color(0xFFE2B0, 0))]))
        }
        canvas.vignette(0.45)
        canvas.grain(0.09)
    }

    private func drawTable(_ canvas: Canvas) {
        let plank = 360.0
        for index in 0..<4 {
            let x = Double(index) * plank
            let tone = Color(0x7A5036).mixed(with: Color(0x5C3A26), canvas.random.next(in: 0.0...1))
            canvas.rectangle(x, 0, plank, canvas.height)
            canvas.fill(
                .linear(
                    Point(x, 0), Point(x + plank, 0),
                    [
                        (0, tone.mixed(with: Color(0x3A2216), 0.25)), (0.12, tone), (0.9, tone),
                        (1, tone.mixed(with: Color(0x2A170E), 0.4)),
                    ]))
            let ridge = Ridge(&canvas.random)
            for line in 0..<70 {
                let offset = x + Double(line) / 70 * plank + canvas.random.next(in: -3.0...3)
                let dark = canvas.random.next(in: 0.0...1) < 0.72
                canvas.begin()
                for y in stride(from: -20.0, through: canvas.height + 20, by: 24) {
                    let bend = ridge.height(at: y / 620 + Double(line) * 0.035, octaves: 2) * 26
                    canvas.line(Point(min(max(offset + bend, x), x + plank), y))
                }
                canvas.stroke(
                    .flat((dark ? Color(0x2E1A10) : Color(0xB98358)).faded(canvas.random.next(in: 0.03...0.16))),
                    width: canvas.random.next(in: 1.0...4))
            }
            canvas.rectangle(x + plank - 4, 0, 5, canvas.height)
            canvas.fill(Color(0x1A0E08, 0.85))
            canvas.rectangle(x + plank + 1, 0, 2, canvas.height)
            canvas.fill(Color(0xC79A70, 0.22))
        }
    }

    private func drawCloth(_ canvas: Canvas) {
        let corner = Point(1130, canvas.height * 0.99)
        let path: (Canvas) -> Void = { target in
            target.placed(at: corner, angle: -0.62) {
                target.rectangle(-520, -330, 1300, 900, radius: 10)
            }
        }
        canvas.soft(34, alpha: 0.6) { soft in
            soft.placed(at: Point(-16, 26)) {
                path(soft)
                soft.fill(Color(0x120806))
            }
        }
        path(canvas)
        canvas.fill(
            .linear(
                Point(700, canvas.height * 0.7), Point(1440, canvas.height),
                [(0, Color(0xDCE3E4)), (1, Color(0xB9C6CB))]))
        canvas.placed(at: corner, angle: -0.62) {
            for index in 0..<4 {
                canvas.rectangle(-520, -286 + Double(index) * 26, 1300, index == 0 || index == 3 ? 6 : 10)
                canvas.fill(Color(0x41627C, 0.75))
            }
            for index in 0..<220 {
                canvas.rectangle(-520, -330 + Double(index) * 5, 1300, 1.4)
                canvas.fill(Color(0x8899A2, 0.16))
            }
            for index in 0..<260 {
                canvas.rectangle(-520 + Double(index) * 5, -330, 1.2, 900)
                canvas.fill(Color(0xFFFFFF, 0.13))
            }
        }
    }

    private func drawSaucer(_ canvas: Canvas, _ center: Point) {
        canvas.soft(40, alpha: 0.75) { soft in
            soft.circle(Point(center.x + 46, center.y + 62), 470)
            soft.fill(Color(0x0D0603))
        }
        canvas.circle(center, 470)
        canvas.fill(
            .linear(
                Point(center.x - 340, center.y - 380), Point(center.x + 340, center.y + 380),
                [(0, Color(0xFBF7F0)), (0.55, Color(0xE9E1D6)), (1, Color(0xCFC3B4))]))
        canvas.circle(center, 462)
        canvas.stroke(.flat(Color(0xFFFFFF, 0.65)), width: 4)
        canvas.circle(center, 352)
        canvas.fill(
            .linear(
                Point(center.x - 250, center.y - 280), Point(center.x + 250, center.y + 280),
                [(0, Color(0xCFC4B6)), (0.5, Color(0xE6DED2)), (1, Color(0xF6F1E8))]))
    }

    private func drawCup(_ canvas: Canvas, _ center: Point) {
        canvas.soft(30, alpha: 0.62) { soft in
            soft.circle(Point(center.x + 40, center.y + 54), 300)
            soft.fill(Color(0x1C0E06))
        }
        canvas.placed(at: center, angle: 0.62) {
            canvas.rectangle(250, -34, 196, 68, radius: 32)
            canvas.fill(
                .linear(
                    Point(0, -34), Point(0, 34), [(0, Color(0xFFFDF8)), (0.5, Color(0xEDE5DA)), (1, Color(0xBDB0A0))]))
        }
        canvas.circle(center, 304)
        canvas.fill(
            .linear(
                Point(center.x - 220, center.y - 220), Point(center.x + 220, center.y + 220),
                [(0, Color(0xFFFFFF)), (0.5, Color(0xF3EDE4)), (1, Color(0xD5CABC))]))
        canvas.circle(center, 282)
        canvas.fill(
            .linear(
                Point(center.x - 200, center.y - 210), Point(center.x + 200, center.y + 210),
                [(0, Color(0x9C8C7B)), (0.45, Color(0xCFC3B4)), (1, Color(0xFBF6EE))]))
        let surface = Point(center.x + 5, center.y + 7)
        canvas.circle(surface, 258)
        canvas.fill(
            .radial(
                surface, 258,
                [
                    (0, Color(0xC08A52)), (0.62, Color(0xA96F3B)), (0.86, Color(0x7B4520)), (0.96, Color(0x4C2610)),
                    (1, Color(0x361808)),
                ]))
        canvas.circle(surface, 254)
        canvas.clipped {
            drawRosetta(canvas, surface)
            for _ in 0..<46 {
                let angle = canvas.random.next(in: 0.0...6.28)
                let distance = canvas.random.next(in: 214.0...250)
                let bubble = Point(surface.x + cos(angle) * distance, surface.y + sin(angle) * distance)
                canvas.circle(bubble, canvas.random.next(in: 1.5...5))
                canvas.stroke(.flat(Color(0xE9C79A, 0.5)), width: 1.3)
            }
            canvas.circle(Point(surface.x - 60, surface.y - 80), 300)
            canvas.fill(
                .radial(
                    Point(surface.x - 110, surface.y - 140), 190, [(0, Color(0xFFFFFF, 0.20)), (1, Color(0xFFFFFF, 0))])
            )
        }
    }

    /// Milk poured into leaves, one inside the other, cut through by a stem.
    private func drawRosetta(_ canvas: Canvas, _ center: Point) {
        let milk = Color(0xF7E6CB)
        canvas.placed(at: Point(center.x, center.y + 8), angle: -0.5) {
            for index in (0..<6).reversed() {
                let share = Double(index) / 5
                let top = -150 + share * 178
                let reach = 78 + 96 * sin(share * 2.2 + 0.35)
                let depth = 66 + 26 * share
                canvas.begin()
                canvas.move(Point(0, top + depth + 64))
                canvas.curve(
                    Point(-reach * 0.6, top + depth + 30), Point(-reach * 1.15, top + depth * 0.4),
                    Point(-reach * 0.8, top - 30))
                canvas.curve(Point(-reach * 0.5, top - 62), Point(-26, top - 10), Point(0, top + 30))
                canvas.curve(Point(26, top - 10), Point(reach * 0.5, top - 62), Point(reach * 0.8, top - 30))
                canvas.curve(
                    Point(reach * 1.15, top + depth * 0.4), Point(reach * 0.6, top + depth + 30),
                    Point(0, top + depth + 64))
                canvas.close()
                canvas.fill(.flat(milk.faded(0.96)), keepsPath: true)
                canvas.stroke(.flat(Color(0x9A6231, 0.85)), width: 15)
            }
            canvas.begin()
            canvas.move(Point(0, -190))
            canvas.curve(Point(5, -60), Point(-5, 90), Point(0, 205))
            canvas.stroke(.flat(Color(0x9A6231, 0.8)), width: 7)
        }
    }

    private func drawBeans(_ canvas: Canvas, around center: Point) {
        let places: [(Double, Double, Double)] = [
            (-540, -560, 0.4), (-470, -640, 1.9), (-395, -575, -0.6), (480, -560, 0.9), (560, -470, 2.5),
            (-560, 560, 1.2),
            (-470, 640, -0.3), (250, -690, 0.2), (-610, -430, 2.2), (590, -640, 1.4),
        ]
        for (x, y, angle) in places {
            let point = Point(center.x + x, center.y + y * canvas.height / 1800)
            canvas.soft(12, alpha: 0.6) { soft in
                soft.placed(at: Point(point.x + 9, point.y + 13), angle: angle) {
                    soft.ellipse(Point(0, 0), 40, 28)
                    soft.fill(Color(0x0A0402))
                }
            }
            canvas.placed(at: point, angle: angle) {
                canvas.ellipse(Point(0, 0), 40, 28)
                canvas.fill(
                    .radial(Point(-12, -10), 52, [(0, Color(0x8A5632)), (0.6, Color(0x51301B)), (1, Color(0x2A160B))]))
                canvas.begin()
                canvas.move(Point(-37, 2))
                canvas.curve(Point(-14, -11), Point(12, 12), Point(37, -2))
                canvas.stroke(.flat(Color(0x1B0D06, 0.9)), width: 5)
            }
        }
    }

    private func drawSteam(_ canvas: Canvas, _ center: Point) {
        canvas.soft(34, alpha: 0.5, screens: true) { soft in
            for (shift, lean) in [(-95.0, 60.0), (20.0, -70.0), (110.0, 50.0)] {
                soft.begin()
                soft.move(Point(center.x + shift, center.y + 20))
                soft.curve(
                    Point(center.x + shift + lean * 1.7, center.y - 150),
                    Point(center.x + shift - lean * 2, center.y - 300),
                    Point(center.x + shift + lean, center.y - 520))
                soft.stroke(
                    .linear(
                        Point(0, center.y + 20), Point(0, center.y - 520),
                        [(0, Color(0xFFFFFF, 0)), (0.35, Color(0xFFFFFF, 0.42)), (1, Color(0xFFFFFF, 0))]), width: 44)
            }
        }
    }
}
