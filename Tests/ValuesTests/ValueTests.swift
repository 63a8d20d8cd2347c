import Testing
import Values

@Suite struct ValueTests {
    @Test func objectsAreEqualInAnyOrder() {
        let one: Value = ["a": 1, "b": [2]]
        let other: Value = ["b": [2], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1])
    }

    @Test func keysAreComparedByteForByte() {
        var object = ValueObject()
        object["é"] = 1
        object["e\u{301}"] = 2
        #expect(object.count == 2)
        #expect(object["é"] == 1)
        object["é"] = nil
        #expect(object.count == 1)
        #expect(object.values == [2])
    }

    @Test func aReplacedMemberKeepsItsPlace() {
        var object: ValueObject = ["a": 1, "b": 2, "c": 3]
        object["b"] = 9
        #expect(object.map(\.key) == ["a", "b", "c"])
        #expect(object.values == [1, 9, 3])
        object["a"] = nil
        object["a"] = 4
        #expect(object.keys == ["b", "c", "a"])
    }

    /// Few members are looked through, many are found by a table: both must be the same to whoever asks.
    @Test(arguments: [1, 7, 8, 9, 10, 100])
    func objectOfAnySizeKeepsItsMembersInOrder(count: Int) {
        let names = (0..<count).map { "name\($0)" }
        var object = ValueObject(names.map { ($0, Value.string($0)) })
        object["é"] = 1
        object["e\u{301}"] = 2
        #expect(object.keys == names + ["é", "e\u{301}"])
        #expect(names.allSatisfy { object[$0] == .string($0) })
        #expect((object["é"], object["e\u{301}"], object["none"]) == (1, 2, nil))
        object["name0"] = 3
        #expect(object.values.first == 3)
        object["name0"] = nil
        #expect(object.keys == names.dropFirst() + ["é", "e\u{301}"])
        #expect((object["é"], object["e\u{301}"], object["name0"]) == (1, 2, nil))
        let other = ValueObject(object.reversed().map { ($0.key, $0.value) })
        #expect(object == other)
        #expect(object.hashValue == other.hashValue)
        for name in names { object[name] = nil }
        #expect(object == ["é": 1, "e\u{301}": 2])
    }

    @Test func wholeDoublesAreIntegersWhenAskedFor() {
        #expect(Value.double(3).integer == 3)
        #expect(Value.double(3.5).integer == nil)
        #expect(Value.double(1e19).integer == nil)
        #expect(Value.string("3").integer == nil)
    }

    @Test func elementsOutOfRangeAreNil() {
        let list: Value = [1]
        #expect(list[0] == 1)
        #expect(list[1] == nil)
        #expect(list[-1] == nil)
        #expect(list["a"] == nil)
    }
}
