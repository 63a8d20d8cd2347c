import StoryCard
import Testing

@testable import Sandbox

@Suite struct PhotoSceneTests {
    @Test(arguments: PhotoScene.allCases)
    func sameSeedGivesSamePhoto(scene: PhotoScene) throws {
        func draw(_ seed: String) -> PixelImage {
            let canvas = Canvas(width: 144, height: 180, seed: seed)
            scene.draw(on: canvas)
            return canvas.image()
        }
        let photo = draw("one")
        #expect(photo == draw("one"))
        #expect(photo != draw("two"))
        // A photo, not a plane: many colours.
        #expect(
            Set(stride(from: 0, to: photo.pixels.count, by: 4).map { Array(photo.pixels[$0..<$0 + 3]) }).count > 1000)
    }

    @Test(arguments: [(false, 1440, 1800), (true, 1080, 1080)])
    func photosHaveInstagramsSizes(isSquare: Bool, width: Int, height: Int) throws {
        let header = try readImageHeader(try PhotoStudio.draw(.mountains, isSquare: isSquare, seed: "1"))
        #expect(header == ImageHeader(format: .jpeg, width: width, height: height))
    }
}
