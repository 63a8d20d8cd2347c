import Testing
import Values

@testable import PasteupCLI

/// The address at which VK's check of a person ends (dev.vk.com, "Errors", 17).
@Suite struct ValidationAddressTests {
    @Test(
        arguments: [
            (
                "https://oauth.vk.com/blank.html#success=1&access_token=vk1.a.Bc_-9&user_id=7",
                .passed(Secret("vk1.a.Bc_-9"))
            ),
            (" https://oauth.vk.ru/blank.html#user_id=7&access_token=abc&success=1\n", .passed(Secret("abc"))),
            ("https://oauth.vk.com/blank.html#fail=1", .failed),
            ("https://oauth.vk.com/blank.html#success=0&access_token=abc&fail=1", .failed),
            ("https://oauth.vk.com/blank.html#success=1", .unknown),
            ("https://oauth.vk.com/blank.html#success=1&access_token=", .unknown),
            ("https://oauth.vk.com/blank.html#success=1&access_token=a%20b", .unknown),
            ("https://oauth.vk.com/blank.html?success=1&access_token=abc", .unknown),
            ("vk1.a.abc", .unknown), ("", .unknown), ("#", .unknown),
        ] as [(String, ValidationAddress.Ending)])
    func endingIsRead(text: String, expected: ValidationAddress.Ending) {
        #expect(ValidationAddress.ending(of: text) == expected)
    }
}
