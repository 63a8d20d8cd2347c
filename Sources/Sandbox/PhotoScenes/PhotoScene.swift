/// A picture that the stand-in draws, by the name that media give.
enum PhotoScene: String, Sendable, Hashable, CaseIterable {
    case coffee, mountains, lighthouse, leaves, city, lemons

    /// Draws onto the canvas, whose units are such that it is 1440 wide.
    func draw(on canvas: Canvas) {
        switch self {
        case .coffee: drawCoffee(canvas)
        case .mountains: drawMountains(canvas)
        case .lighthouse: drawLighthouse(canvas)
        case .leaves: drawLeaves(canvas)
        case .city: drawCity(canvas)
        case .lemons: drawLemons(canvas)
        }
    }
}
