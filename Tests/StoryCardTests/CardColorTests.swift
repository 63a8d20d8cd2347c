import StoryCard
import Testing

@Suite struct CardColorTests {
    @Test(
        arguments: [
            ("#FF9500", [255, 149, 0, 255]), ("#ff3b30", [255, 59, 48, 255]), ("#fff", [255, 255, 255, 255]),
            ("#1a2", [17, 170, 34, 255]), ("#1a28", [17, 170, 34, 136]), ("#00000080", [0, 0, 0, 128]),
        ] as [(String, [UInt8])]) func readsHexadecimalColours(text: String, channels: [UInt8]) throws
    {
        let color = try CardColor.parse(text)
        #expect([color.red, color.green, color.blue, color.alpha] == channels)
    }

    @Test(
        arguments: [
            (
                nil,
                "the colour is missing. In YAML, '#' after a space starts a comment, so a colour without quotes vanishes. "
                    + "Write it in quotes: \"#FF9500\"."
            ),
            (
                "",
                "the colour is missing. In YAML, '#' after a space starts a comment, so a colour without quotes vanishes. "
                    + "Write it in quotes: \"#FF9500\"."
            ),
            ("FF9500", "'FF9500' is not a colour. A colour begins with '#'. Write \"#FF9500\", with the quotes."),
            (
                "#12345",
                "'#12345' is not a colour. A colour is #rgb, #rrggbb or #rrggbbaa, in hexadecimal digits. "
                    + "Write it like \"#FF9500\", with the quotes."
            ),
            (
                "#ggg",
                "'#ggg' is not a colour. A colour is #rgb, #rrggbb or #rrggbbaa, in hexadecimal digits. "
                    + "Write it like \"#FF9500\", with the quotes."
            ),
        ] as [(String?, String)]) func explainsWhatIsNoColour(text: String?, message: String) throws
    {
        let error = try #require(throws: CardColorError.self) { try CardColor.parse(text) }
        #expect(error.description == message)
    }
}
