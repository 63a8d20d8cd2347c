internal import Glibc

extension PhotoScene {
    /// Slices of lemon on blue linen, from above.
    func drawLemons(_ canvas: Canvas) {
        drawLinen(canvas)
        let scale = canvas.height / 1440
        let places: [(Double, Double, Double)] = [
            (360, 380, 1.18), (1010, 300, 0.95), (720, 800, 1.3), (1220, 790, 1.02), (230, 1010, 0.98),
            (1000, 1240, 1.1),
            (470, 1330, 0.9), (1370, 1290, 0.8), (60, 620, 0.75),
        ]
        for (index, (x, y, size)) in places.enumerated() {
            drawSlice(canvas, at: Point(x, y * scale), radius: 205 * size)
            if index % 3 == 1 {
                drawMint(canvas, at: Point(x - 250 * size, y * scale + 130 * size), angle: Double(index))
            }
        }
        drawMint(canvas, at: Point(700, 330 * scale), angle: 0.6)
        drawMint(canvas, at: Point(520, 1130 * scale), angle: 2.6)
        canvas.screened {
            canvas.cover(
                .radial(Point(150, 80), canvas.height * 1.2, [(0, Color(0xFFF4DC, 0.36)), (1, Color(0xFFF4DC, 0))]))
        }
        canvas.vignette(0.32)
        canvas.grain(0.08)
    }

    private func drawLinen(_ canvas: Canvas) {
        canvas.cover(
            .linear(
                Point(0, 0), Point(canvas.width, canvas.height),
                [(0, Color(0x8FB3C9)), (0.5, Color(0x6A94B0)), (1, Color(0x466F8E))]))
        for direction in 0..<2 {
            for _ in 0..<900 {
                let isVertical = direction == 0
                let place = canvas.random.next(in: 0.0...(isVertical ? 1440 : canvas.height))
                let start = canvas.random.next(in: -200.0...(isVertical ? canvas.height : 1440))
                let length = canvas.random.next(in: 80.0...420)
                if isVertical {
                    canvas.rectangle(place, start, 2, length)
                } else {
                    canvas.rectangle(start, place, length, 2)
                }
                canvas.fill(
                    (canvas.random.next(in: 0.0...1) < 0.5 ? Color(0xFFFFFF) : Color(0x1F4058)).faded(
                        canvas.random.next(in: 0.02...0.10)))
            }
        }
        canvas.soft(70, alpha: 0.35) { soft in
            for _ in 0..<7 {
                let x = canvas.random.next(in: -200.0...1440)
                let y = canvas.random.next(in: 0.0...canvas.height)
                soft.begin()
                soft.move(Point(x, y))
                soft.curve(Point(x + 260, y - 120), Point(x + 420, y + 160), Point(x + 800, y - 60))
                soft.stroke(
                    .flat((canvas.random.next(in: 0.0...1) < 0.5 ? Color(0xFFFFFF) : Color(0x163246)).faded(0.7)),
                    width: 60)
            }
        }
    }

    private func drawSlice(_ canvas: Canvas, at place: Point, radius: Double) {
        canvas.soft(24, alpha: 0.6) { soft in
            soft.circle(Point(place.x + 20, place.y + 30), radius)
            soft.fill(Color(0x0B2233))
        }
        canvas.circle(place, radius)
        canvas.fill(
            .linear(
                Point(place.x - radius, place.y - radius), Point(place.x + radius, place.y + radius),
                [(0, Color(0xFFE04A)), (0.6, Color(0xF5BE1E)), (1, Color(0xD99A0C))]))
        canvas.circle(place, radius * 0.93)
        canvas.fill(.radial(place, radius, [(0, Color(0xFFFBE6)), (0.8, Color(0xFFF7D6)), (1, Color(0xFBE9A0))]))
        let turn = canvas.random.next(in: 0.0...6.28)
        let count = canvas.random.next(in: 8...10)
        for index in 0..<count {
            drawSegment(
                canvas, place, radius * 0.83, angle: turn + Double(index) / Double(count) * 2 * .pi,
                spread: .pi / Double(count))
        }
        canvas.circle(place, radius * 0.07)
        canvas.fill(Color(0xFFF8DC))
        canvas.circle(place, radius * 0.93)
        canvas.clipped {
            canvas.circle(place, radius)
            let light = Point(place.x - radius * 0.4, place.y - radius * 0.5)
            canvas.fill(.radial(light, radius * 0.95, [(0, Color(0xFFFFFF, 0.38)), (1, Color(0xFFFFFF, 0))]))
        }
    }

    private func drawSegment(_ canvas: Canvas, _ center: Point, _ radius: Double, angle: Double, spread: Double) {
        canvas.placed(at: center, angle: angle) {
            let inner = radius * 0.13
            let half = spread * 0.86
            func point(_ distance: Double, _ angle: Double) -> Point {
                Point(cos(angle) * distance, sin(angle) * distance)
            }
            canvas.begin()
            canvas.move(Point(inner, 0))
            canvas.curve(
                point(radius * 0.5, -half * 0.95), point(radius * 0.9, -half * 1.02), point(radius * 0.98, -half * 0.72)
            )
            canvas.curve(
                point(radius * 1.02, -half * 0.3), point(radius * 1.02, half * 0.3), point(radius * 0.98, half * 0.72))
            canvas.curve(point(radius * 0.9, half * 1.02), point(radius * 0.5, half * 0.95), Point(inner, 0))
            canvas.close()
            canvas.fill(
                .radial(Point(0, 0), radius, [(0, Color(0xFFEFA0)), (0.5, Color(0xFCD94F)), (1, Color(0xF2BC22))]),
                keepsPath: true)
            canvas.clipped {
                for _ in 0..<34 {
                    let distance = canvas.random.next(in: 0.22...0.95) * radius
                    let lean = canvas.random.next(in: -0.9...0.9) * half
                    canvas.placed(at: point(distance, lean), angle: lean) {
                        canvas.ellipse(Point(0, 0), canvas.random.next(in: 8.0...24), canvas.random.next(in: 2.0...5))
                        canvas.fill(
                            (canvas.random.next(in: 0.0...1) < 0.6 ? Color(0xFFFCE0) : Color(0xE3A60F)).faded(0.34))
                    }
                }
            }
        }
    }

    private func drawMint(_ canvas: Canvas, at place: Point, angle: Double) {
        for (turn, size) in [(0.0, 1.0), (1.25, 0.8), (-1.2, 0.85)] {
            let outline: (Canvas) -> Void = { target in
                target.begin()
                target.move(Point(0, 0))
                target.curve(Point(-66, -30), Point(-64, -130), Point(0, -190))
                target.curve(Point(64, -130), Point(66, -30), Point(0, 0))
                target.close()
            }
            canvas.soft(14, alpha: 0.5) { soft in
                soft.placed(at: Point(place.x + 12, place.y + 18), angle: angle + turn, scale: size) {
                    outline(soft)
                    soft.fill(Color(0x0B2233))
                }
            }
            canvas.placed(at: place, angle: angle + turn, scale: size) {
                outline(canvas)
                canvas.fill(
                    .linear(
                        Point(-60, -100), Point(60, -90),
                        [(0, Color(0x8FCB62)), (0.5, Color(0x4E9A41)), (0.52, Color(0x3F8638)), (1, Color(0x2C6B2F))]))
                outline(canvas)
                canvas.clipped {
                    for step in 0..<7 {
                        let y = -20 - Double(step) * 24
                        for side in [-1.0, 1] {
                            canvas.begin()
                            canvas.move(Point(0, y))
                            canvas.line(Point(side * 54, y - 34))
                            canvas.stroke(.flat(Color(0xD7F0B0, 0.30)), width: 2.5)
                        }
                    }
                    canvas.begin()
                    canvas.move(Point(0, 0))
                    canvas.line(Point(0, -184))
                    canvas.stroke(.flat(Color(0xD7F0B0, 0.6)), width: 3.5)
                }
            }
        }
    }
}
