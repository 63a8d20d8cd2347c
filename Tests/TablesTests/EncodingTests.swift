import Diagnostics
import Testing

@testable import Tables

/// Bytes are those of Python's codecs.
@Suite struct EncodingTests {
    /// 'стена;текст\n-12;Ёлка «Лето» — №1\n'.encode('cp1251')
    private let windows1251: [UInt8] = [
        0xF1, 0xF2, 0xE5, 0xED, 0xE0, 0x3B, 0xF2, 0xE5, 0xEA, 0xF1, 0xF2, 0x0A, 0x2D, 0x31, 0x32, 0x3B, 0xA8, 0xEB,
        0xEA, 0xE0, 0x20, 0xAB, 0xCB, 0xE5, 0xF2, 0xEE, 0xBB, 0x20, 0x97, 0x20, 0xB9, 0x31, 0x0A,
    ]

    @Test func windows1251IsConvertedAndTold() throws {
        let rows = try table(windows1251)
        #expect(json(rows) == #"[{"стена":"-12","текст":"Ёлка «Лето» — №1"}]"#)
        #expect(
            DiagnosticRenderer().render(rows.notes) == """
                rows.csv:1:1: note: the table is not UTF-8 and was read as Windows-1251, which its letters look like. \
                Save it as 'CSV UTF-8' where a text looks wrong.

                """)
        #expect(rows.source.line(2) == "-12;Ёлка «Лето» — №1")
        #expect(rows.range(row: 0, column: "текст").start.column == 5)
    }

    @Test(arguments: [false, true]) func utf16IsToldByItsMark(isBigEndian: Bool) throws {
        let text = "стена\tтекст\r\n-12\t\"Ёлка\n🎄\"\r\n"
        let bytes = ("\u{FEFF}" + text).utf16.flatMap { unit in
            let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isBigEndian ? pair.reversed() : pair
        }
        let rows = try table(bytes, "Unicode text.TXT")
        #expect(json(rows) == #"[{"стена":"-12","текст":"Ёлка\n🎄"}]"#)
        #expect(rows.notes.isEmpty)
    }

    /// 'стена;текст\n-12;Привет, мир, как дела\n'.encode('koi8_r')
    @Test func koi8IsRefusedByName() {
        #expect(
            renderedErrors([
                0xD3, 0xD4, 0xC5, 0xCE, 0xC1, 0x3B, 0xD4, 0xC5, 0xCB, 0xD3, 0xD4, 0x0A, 0x2D, 0x31, 0x32, 0x3B, 0xF0,
                0xD2, 0xC9, 0xD7, 0xC5, 0xD4, 0x2C, 0x20, 0xCD, 0xC9, 0xD2, 0x2C, 0x20, 0xCB, 0xC1, 0xCB, 0x20, 0xC4,
                0xC5, 0xCC, 0xC1, 0x0A,
            ])?.hasPrefix(
                "rows.csv:1:1: error: the byte 0xD3 is not UTF-8. The file looks like KOI8-R; convert it: iconv -f KOI8-R -t UTF-8.\n"
            )
                == true)
    }

    @Test func damagedUTF8IsNotTakenForAnotherEncoding() {
        var bytes = Array("стена;текст\n-12;Привет\n".utf8)
        bytes.remove(at: 1)
        #expect(
            renderedErrors(bytes)?.hasPrefix(
                "rows.csv:1:1: error: the byte 0xD1 is not UTF-8. The rest of the file is, so it is damaged here. "
                    + "Write the damaged character anew, and save the file as UTF-8.\n") == true)
    }

    /// Windows-1251 has no character 0x98; half a unit is no UTF-16.
    @Test(
        arguments: [
            (
                Array("a\n".utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0x98],
                "rows.csv:2:5: error: the table looks like WINDOWS-1251"
            ),
            ([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x62], "rows.csv:2:1: error: the table looks like UTF-16LE"),
            ([0x61, 0, 0x0A, 0, 0x62, 0], "rows.csv:1:2: error: there is a zero byte, which no text has"),
        ] as [([UInt8], String)]) func whatCannotBeConvertedIsTold(_ bytes: [UInt8], message: String)
    {
        #expect(renderedErrors(bytes)?.hasPrefix(message) == true)
    }
}
