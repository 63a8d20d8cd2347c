import CSSColors
import Files
import Testing

@Suite struct CSSColorTests {
    /// Every name and the forms that Pillow's `ImageColor.getrgb` knows, with what it gives (Pillow 13.0).
    @Test func agreesWithPillow() throws {
        let path = FileSystem.join(FileSystem.folder(of: #filePath), "Fixtures/pillow.tsv")
        let lines = String(decoding: try FileSystem.read(path), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 161)
        for line in lines {
            let parts = line.split(separator: "\t")
            let expected = parts[1].split(separator: " ").compactMap { Int($0) }
            let color = try CSSColor(String(parts[0]))
            let found = [color.red, color.green, color.blue, color.alpha].map(Int.init)
            // Pillow rounds some percentages down.
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(parts[0]): \(found), not \(expected)")
        }
    }

    /// Examples of CSS Color Module Level 4, sections 5 to 7.
    @Test(
        arguments: [
            ("rgb(255 0 153)", 255, 0, 153, 255), ("rgb(255 0 153 / 80%)", 255, 0, 153, 204),
            ("RGBA(255, 0, 153, 0.8)", 255, 0, 153, 204), ("rgb(300 -20 0)", 255, 0, 0, 255),
            ("hsl(120deg 100% 25%)", 0, 128, 0, 255), ("hsl(0.5turn 100% 50%)", 0, 255, 255, 255),
            ("hsl(-120 100% 50%)", 0, 0, 255, 255), ("hsla(240, 100%, 50%, .5)", 0, 0, 255, 128),
            ("RebeccaPurple", 102, 51, 153, 255), ("transparent", 0, 0, 0, 0), ("#0000", 0, 0, 0, 0),
        ] as [(String, UInt8, UInt8, UInt8, UInt8)]) func readsTheFormsOfCSS(
            text: String, red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8
        ) throws
    {
        #expect(try CSSColor(text) == CSSColor(red: red, green: green, blue: blue, alpha: alpha))
    }

    @Test(
        arguments: [
            ("ff9500", "Write \"#ff9500\", with the quotes."), ("tomatoe", "Did you mean 'tomato'?"),
            ("#ff95", nil), ("#ggg", "Write it like \"#FF9500\", with the quotes."),
        ] as [(String, String?)]) func saysHowToMendIt(text: String, fix: String?)
    {
        do {
            _ = try CSSColor(text)
            #expect(fix == nil)
        } catch { #expect(error.fix == fix) }
    }

    @Test(arguments: [
        "", "#", "#12345", "rgb()", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(a,b,c)", "hsl(1px,2%,3%)", "lab(1 2 3)",
        "rgb(1,2,3",
        "#ff9500 ", "rgb(nan,0,0)", "цвет", "#１２３",
    ]) func refusesOtherTexts(text: String) {
        #expect(throws: CSSColorError.self) { try CSSColor(text) }
    }
}
