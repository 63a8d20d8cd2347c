import CSSColors

@testable import StoryCard

/// How different two pictures look; see `CardGoldenTests`. Pictures of other sizes differ endlessly.
func pictureDifference(_ one: [UInt8], _ other: [UInt8]) -> (mean: Double, worst: Double) {
    guard let first = try? blocks(one), let second = try? blocks(other), first.count == second.count else {
        return (.infinity, .infinity)
    }
    let distances = zip(first, second).map { $0.distance(to: $1) * 100 }
    return (distances.reduce(0, +) / Double(max(distances.count, 1)), distances.max() ?? 0)
}

/// The mean colours of blocks of 6x6 pixels of the picture at 180 pixels' width.
private func blocks(_ bytes: [UInt8]) throws -> [Oklab] {
    let whole = try EncodedImage(bytes).decoded()
    let (width, side) = (180, 6)
    let image = whole.resized(toWidth: width, height: whole.height * width / whole.width)
    var blocks: [Oklab] = []
    for top in stride(from: 0, through: image.height - side, by: side) {
        for left in stride(from: 0, through: image.width - side, by: side) {
            var sum = Oklab(lightness: 0, a: 0, b: 0)
            for y in top..<top + side {
                for x in left..<left + side {
                    let at = (y * image.width + x) * 4
                    let pixel = (image.pixels[at + 2], image.pixels[at + 1], image.pixels[at])
                    sum = sum + Oklab(CardColor(red: pixel.0, green: pixel.1, blue: pixel.2))
                }
            }
            blocks.append(sum.divided(by: Double(side * side)))
        }
    }
    return blocks
}
