/// The text with every byte but the unreserved ones of RFC 3986 §2.3 as `%XX`.
///
/// - Parameter spaceAsPlus: the blank as `+`, as `application/x-www-form-urlencoded` has it.
public func percentEncoded(_ text: String, spaceAsPlus: Bool = false) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            output.append(byte)
        case UInt8(ascii: " ") where spaceAsPlus:
            output.append(UInt8(ascii: "+"))
        default:
            output.append(UInt8(ascii: "%"))
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        }
    }
    return String(decoding: output, as: UTF8.self)
}
