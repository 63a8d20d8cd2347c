internal import CCrypto

/// SHA-256 (FIPS 180-4), by OpenSSL's libcrypto.
public enum SHA256 {
    /// The digest's 32 bytes.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        bytes.withUnsafeBufferPointer { input in
            digest.withUnsafeMutableBufferPointer { output in
                _ = pasteup_sha256(input.baseAddress, input.count, output.baseAddress!)
            }
        }
        return digest
    }

    /// The digest of the text's UTF-8, as 64 lower-case hexadecimal digits.
    public static func hex(_ text: String) -> String { hex(Array(text.utf8)) }

    /// The digest as 64 lower-case hexadecimal digits.
    public static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in digest(bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
