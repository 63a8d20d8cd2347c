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
