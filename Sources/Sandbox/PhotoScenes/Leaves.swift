internal import Glibc

extension PhotoScene {
    /// Autumn leaves on a dark table, out of focus further down.
    func drawLeaves(_ canvas: Canvas) {
        canvas.cover(
            .linear(
                Point(0, 0), Point(canvas.width, canvas.height),
                [(0, Color(0x4A3B38)), (0.5, Color(0x2C2427)), (1, Color(0x181418))]))
        for (blur, count, scale) in [(16.0, 34, 0.95), (6.0, 26, 1.15)] {
            canvas.soft(blur) { soft in
                soft.random = canvas.random
                for _ in 0..<count { scatter(soft, scale: scale, dimming: blur > 10 ? 0.5 : 0.25) }
                canvas.random = soft.random
            }
            canvas.cover(.flat(Color(0x120C10, 0.22)))
        }
        for _ in 0..<24 {
            let place = Point(
                canvas.random.next(in: -40.0...1480), canvas.random.next(in: -40.0...(canvas.height + 40)))
            leaf(
                canvas, at: place, angle: canvas.random.next(in: 0.0...6.28), scale: canvas.random.next(in: 0.95...1.5),
                withShadow: true)
        }
        canvas.glow(Point(120, 60), 1500, Color(0xFFCF8A, 0.42))
        canvas.vignette(0.55)
        canvas.grain(0.10)
    }

    private func scatter(_ canvas: Canvas, scale: Double, dimming: Double) {
        let place = Point(canvas.random.next(in: -60.0...1500), canvas.random.next(in: -60.0...(canvas.height + 60)))
        leaf(
            canvas, at: place, angle: canvas.random.next(in: 0.0...6.28),
            scale: scale * canvas.random.next(in: 0.8...1.2),
            dimming: dimming)
    }

    private static let tones: [(UInt32, UInt32)] = [
        (0xF2B134, 0xC9621B), (0xE8792B, 0xA3321A), (0xD9482B, 0x7E1A1F), (0xF4CC5A, 0xB98420), (0xB9562A, 0x5E2416),
        (0xC7A13A, 0x6B6A24),
    ]

    private func leaf(
        _ canvas: Canvas, at place: Point, angle: Double, scale: Double, dimming: Double = 0, withShadow: Bool = false
    ) {
        let (light, dark) = Self.tones[canvas.random.next(in: 0...Self.tones.count - 1)]
        let shade = Color(0x120C10)
        let (lightColor, darkColor) = (
            Color(light).mixed(with: shade, dimming), Color(dark).mixed(with: shade, dimming)
        )
        let isMaple = canvas.random.next(in: 0.0...1) < 0.45
        let outline = isMaple ? Self.maple : Self.ovate(&canvas.random)
        if withShadow {
            canvas.soft(14, alpha: 0.62) { soft in
                soft.placed(at: Point(place.x + 14, place.y + 22), angle: angle, scale: scale) {
                    Self.trace(soft, outline)
                    soft.fill(Color(0x050204))
                }
            }
        }
        canvas.placed(at: place, angle: angle, scale: scale) {
            canvas.begin()
            canvas.move(Point(0, 118))
            canvas.curve(Point(4, 150), Point(-8, 170), Point(-2, 205))
            canvas.stroke(.flat(darkColor.mixed(with: shade, 0.3)), width: 6)
            Self.trace(canvas, outline)
            canvas.fill(
                .linear(
                    Point(-90, -130), Point(90, 130),
                    [(0, lightColor), (0.5, lightColor.mixed(with: darkColor, 0.4)), (1, darkColor)]))
            Self.trace(canvas, outline)
            canvas.clipped {
                for _ in 0..<26 {
                    canvas.circle(
                        Point(canvas.random.next(in: -130.0...130), canvas.random.next(in: -150.0...130)),
                        canvas.random.next(in: 4.0...34))
                    canvas.fill((canvas.random.next(in: 0.0...1) < 0.5 ? lightColor : darkColor).faded(0.14))
                }
                veins(canvas, isMaple: isMaple, lightColor.mixed(with: Color(0xFFF0C0), 0.35).faded(0.6))
            }
        }
    }

    private func veins(_ canvas: Canvas, isMaple: Bool, _ color: Color) {
        func vein(_ from: Point, _ to: Point, _ width: Double) {
            canvas.begin()
            canvas.move(from)
            canvas.curve(
                Point(from.x + (to.x - from.x) * 0.4, from.y + (to.y - from.y) * 0.25),
                Point(from.x + (to.x - from.x) * 0.7, from.y + (to.y - from.y) * 0.7), to)
            canvas.stroke(.flat(color), width: width)
        }
        vein(Point(0, 118), Point(0, -160), 3.6)
        if isMaple {
            for side in [-1.0, 1] {
                vein(Point(0, 96), Point(side * 118, -58), 3)
                vein(Point(0, 104), Point(side * 120, 56), 2.4)
            }
        }
        for step in 0..<7 {
            let y = 90 - Double(step) * 33
            for side in [-1.0, 1] { vein(Point(0, y), Point(side * (isMaple ? 40 : 86), y - (isMaple ? 42 : 58)), 1.6) }
        }
    }

    /// Pointed at both ends, with small teeth.
    private static func ovate(_ random: inout SeededRandom) -> [Point] {
        let wide = random.next(in: 62.0...86)
        func side(_ sign: Double) -> [Point] {
            (0...22).map { step in
                let share = Double(step) / 22
                let reach = wide * pow(sin(.pi * pow(share, 0.82)), 0.9) + (step % 2 == 0 ? 0 : 4.5)
                return Point(sign * (step == 0 || step == 22 ? 0 : reach), 120 - share * 268)
            }
        }
        return side(1) + side(-1).reversed()
    }

    /// Half of a maple leaf's edge, from its stem to its tip, then mirrored.
    private static let maple: [Point] = {
        let half: [(Double, Double)] = [
            (6, 118), (34, 96), (78, 112), (74, 88), (128, 64), (108, 48), (124, 22), (92, 22), (140, -30), (114, -34),
            (128, -78), (92, -64), (86, -44), (52, -26), (66, -86), (46, -82), (40, -118), (24, -106), (0, -168),
        ]
        return half.map { Point($0.0, $0.1) } + half.dropLast().reversed().map { Point(-$0.0, $0.1) }
    }()

    private static func trace(_ canvas: Canvas, _ outline: [Point]) { canvas.polygon(outline) }
}
