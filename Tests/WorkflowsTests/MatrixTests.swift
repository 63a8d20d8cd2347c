import Testing
import Values

@testable import Workflows

@Suite struct MatrixTests {
    private let lists: [(name: String, elements: [Value])] = [("wall", [-1, -2]), ("text", ["a", "b"])]

    @Test func lastListGoesRoundFastest() throws {
        let items = try Matrix.items(lists)
        #expect(
            items == [
                ["wall": -1, "text": "a"], ["wall": -1, "text": "b"], ["wall": -2, "text": "a"],
                ["wall": -2, "text": "b"],
            ])
    }

    @Test func excludeTakesAwayWhatHasAllItsMembers() throws {
        let items = try Matrix.items(lists, exclude: [["wall": -1, "text": "a"], ["text": "b"], [:]])
        #expect(items == [["wall": -2, "text": "a"]])
    }

    /// The example of GitHub's documentation, "Expanding or adding matrix configurations" (2024).
    @Test func includeAddsToWhatItFitsAndElseAnItem() throws {
        let items = try Matrix.items(
            [("fruit", ["apple", "pear"]), ("animal", ["cat", "dog"])],
            include: [
                ["color": "green"], ["color": "pink", "animal": "cat"], ["fruit": "apple", "shape": "circle"],
                ["fruit": "banana"], ["fruit": "banana", "animal": "cat"],
            ])
        #expect(
            items == [
                ["fruit": "apple", "animal": "cat", "color": "pink", "shape": "circle"],
                ["fruit": "apple", "animal": "dog", "color": "green", "shape": "circle"],
                ["fruit": "pear", "animal": "cat", "color": "pink"],
                ["fruit": "pear", "animal": "dog", "color": "green"],
                ["fruit": "banana"], ["fruit": "banana", "animal": "cat"],
            ])
    }

    @Test func listWithoutElementsMakesNoItems() throws {
        #expect(try Matrix.items([("a", [1, 2]), ("b", [])]) == [])
    }

    @Test func tooManyItemsAreRefusedBeforeTheyAreMade() {
        let list = [Value](repeating: 1, count: 10_000)
        #expect(throws: Matrix.TooManyItems(count: 100_000_000)) { try Matrix.items([("a", list), ("b", list)]) }
    }
}
