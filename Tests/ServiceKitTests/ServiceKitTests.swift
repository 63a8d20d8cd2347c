import HTTP
import ServiceKit
import StepKit
import Testing
import Values

@Suite struct ServiceWordsTests {
    static let cases: [(String?, String?)] = [
        (nil, nil), ("", nil), (" \n ", nil), ("Access denied", "Access denied"), ("a\r\n\u{7}b", "a b"),
        ("access_token=t0ken! is bad", "access_token=(secret) is bad"), ("t0ken%21", "(secret)"),
        ("a\u{202E}b\u{2067}c", "a b c"),
        ("see https://vk.com/x?hash=1#f now", "see https://vk.com/x?… now"), ("why? because", "why? because"),
        (String(repeating: "я", count: 301), String(repeating: "я", count: 299) + "…"),
    ]

    @Test(arguments: cases)
    func wordsAreFitToBeShown(text: String?, shown: String?) {
        #expect(serviceWords(text, hiding: [Secret("t0ken!")]) == shown)
    }
}

@Suite struct StatusTests {
    static let cases: [(Int, Bool, ErrorClass)] = [
        (500, false, .server), (503, false, .server), (500, true, .inDoubt), (504, true, .inDoubt),
        (408, false, .timeout), (408, true, .inDoubt), (429, false, .rateLimit), (429, true, .rateLimit),
        (401, false, .permission), (403, true, .invalid), (404, false, .invalid), (301, true, .invalid),
        (302, true, .inDoubt), (303, true, .inDoubt), (302, false, .invalid),
    ]

    @Test(arguments: cases)
    func statusHasItsClass(status: Int, isWrite: Bool, expected: ErrorClass) {
        let error = StepError(
            status: HTTPResponse(status: status), of: "VK's wall.post", isWrite: isWrite)
        #expect(error.errorClass == expected)
        #expect(error.code == "HTTP \(status)")
        #expect(error.what == "VK's wall.post was answered with HTTP \(status)")
    }

    static let waits: [(String?, Duration?)] = [
        (nil, nil), ("30", .seconds(30)), ("0", .zero), ("-1", nil), ("soon", nil), ("999999", .seconds(86_400)),
        ("Mon, 30 Nov 2026 18:01:00 GMT", .seconds(60)), ("Mon, 30 Nov 2026 17:00:00 GMT", .zero),
    ]

    @Test(arguments: waits)
    func retryAfterIsSecondsOrADate(header: String?, wait: Duration?) {
        let headers =
            [(name: "Date", value: "Mon, 30 Nov 2026 18:00:00 GMT")]
            + (header.map { [(name: "Retry-After", value: $0)] } ?? [])
        #expect(HTTPResponse(status: 429, headers: headers).retryAfter == wait)
    }

    /// The examples of RFC 9110 §5.6.7, and what is none.
    static let dates: [(String, String?)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"), ("Mon, 30 Feb 2026 08:49:37 GMT", nil),
        ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("", nil),
    ]

    @Test(arguments: dates)
    func dateOfAHeaderIsRead(text: String, expected: String?) {
        #expect(Timestamp(httpDate: text)?.iso8601 == expected)
    }
}

@Suite struct PictureFormatTests {
    static let cases: [([UInt8], PictureFormat?)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png),
        (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif), (Array("RIFF\0\0\0\0WEBP".utf8), .webp),
        (Array("RIFF\0\0\0\0WAVE".utf8), nil), (Array("<html>".utf8), nil), ([], nil), ([0xFF, 0xD8], nil),
        ([0, 0, 0, 0x18] + Array("ftypheic".utf8), nil),
    ]

    @Test(arguments: cases)
    func formatIsToldByTheFirstBytes(head: [UInt8], format: PictureFormat?) {
        #expect(PictureFormat(head: head) == format)
    }
}
