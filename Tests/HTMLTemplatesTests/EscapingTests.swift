import HTMLTemplates
import Testing

@Suite struct EscapingTests {
    private static let entities: [UInt8: String] = [
        UInt8(ascii: "&"): "&amp;", UInt8(ascii: "<"): "&lt;", UInt8(ascii: ">"): "&gt;",
        UInt8(ascii: "\""): "&quot;", UInt8(ascii: "'"): "&#39;",
    ]

    private func escaped(_ text: String) -> [UInt8] {
        var html = HTMLBuffer()
        html.text(text)
        return html.bytes
    }

    @Test func `of all bytes below 128 only the five special ones are escaped`() {
        for byte in UInt8.min..<128 {
            let text = String(UnicodeScalar(byte))
            let expected = Self.entities[byte] ?? text
            #expect(escaped(text) == Array(expected.utf8), "byte \(byte)")
            #expect(escaped("a\(text)b\(text)") == Array("a\(expected)b\(expected)".utf8), "byte \(byte)")
        }
    }

    @Test func `a special character is found at every position of a text of every length`() {
        for length in 1...40 {
            for index in 0..<length {
                for (byte, entity) in Self.entities {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[index] = byte
                    var expected = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    expected.replaceSubrange(index...index, with: entity.utf8)
                    #expect(escaped(String(decoding: text, as: UTF8.self)) == expected, "\(length), \(index)")
                }
            }
        }
    }

    @Test(arguments: [0, 1, -1, 9, 10, 99, 1_000_000_007, Int64.max, Int64.min])
    func `a number is written in decimal digits`(number: Int64) {
        var html = HTMLBuffer()
        html.number(number)
        #expect(html.bytes == Array("\(number)".utf8))
    }

    @Test func `no byte of a multi-byte character is taken for a special one`() {
        for scalar in (UInt32(128)...0x10FFFF).compactMap(UnicodeScalar.init) where scalar.value % 1_009 == 0
        {
            let text = String(scalar)
            #expect(escaped(text) == Array(text.utf8))
        }
    }

    @Test(arguments: ["\u{0301}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{0600}", "\r\n"])
    func `a special character is escaped even if it combines with the next one`(mark: String) {
        for (byte, entity) in Self.entities {
            let sign = String(UnicodeScalar(byte))
            #expect(escaped(sign + mark) == Array((entity + mark).utf8))
            #expect(escaped(mark + sign) == Array((mark + entity).utf8))
        }
    }

    @Test func `long texts and texts in other storage are escaped the same way`() {
        let long = String(repeating: "<ä&\"'>", count: 20_000)
        let entities = String(repeating: "&lt;ä&amp;&quot;&#39;&gt;", count: 20_000)
        #expect(escaped(long) == Array(entities.utf8))
        var html = HTMLBuffer()
        html.text(long.dropFirst(1).prefix(5))
        #expect(html.bytes == Array("ä&amp;&quot;&#39;&gt;".utf8))
    }

    @Test func `every kind of text is escaped, except trusted HTML`() {
        let evil = "<a href='\"\u{301}&'>"
        let entities = "&lt;a href=&#39;&quot;\u{301}&amp;&#39;&gt;"
        #expect(
            Texts(text: evil, part: evil[...], missing: evil).text()
                == "<p title=\"\(entities)\">\(entities)|\(entities)|\(entities)|-1000||9007199254740993|true|up|"
                + "<B>&amp;</B>|</p>\n")
        #expect(
            Texts(missingNumber: 0, flag: false, direction: .down, missingTrusted: Shouting(html: "<I>"))
                .text()
                == "<p title=\"\">|||-1000|0|9007199254740993|false|down|<B>&amp;</B>|<I></p>\n")
    }
}
