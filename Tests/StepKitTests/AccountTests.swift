import StepKit
import Testing

@Suite struct AccountTests {
    @Test(arguments: [
        ("vk", "account 'vk'"), ("shop/vk", "account 'vk' of step 'shop'"), ("a/b/vk", "account 'vk' of step 'a/b'"),
    ]) func accountOfAPartIsNamedWithItsStep(name: String, phrase: String) {
        #expect(Account.phrase(name) == phrase)
    }
}
