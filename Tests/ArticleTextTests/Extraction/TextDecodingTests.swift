import Foundation
import Testing

@testable import ArticleText

@Suite struct TextDecodingTests {
    private func decode(_ bytes: [UInt8], _ charset: String? = nil) -> String {
        String(decoding: TextDecoding.utf8(bytes, headerCharset: charset), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"), ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
            ("gbk", [0xD6, 0xD0, 0xCE, 0xC4], "中文"), ("gb2312", [0xD6, 0xD0], "中"),
            ("big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"), ("euc-kr", [0xC7, 0xD1], "한"),
            ("koi8-r", [0xF0, 0xD2], "Пр"), ("windows-1251", [0xCF, 0xF0], "Пр"), ("iso-8859-2", [0xB3], "ł"),
            ("iso-8859-15", [0xA4], "€"), ("iso-8859-1", [0x80, 0xE9], "€é"), ("ISO-8859-7", [0xE1], "α"),
            ("windows-1252", [0x93, 0x94], "“”"), ("windows-1250", [0x9A], "š"), (" Latin1 ", [0xFC], "ü"),
            ("utf-16le", [0x41, 0x00, 0xE9, 0x00], "Aé"), ("utf-16be", [0x00, 0x41], "A"),
            ("utf-8", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func `a charset label means what the web standard says`(charset: String, bytes: [UInt8], text: String) {
        #expect(decode(bytes, charset) == text)
    }

    @Test func `a byte order mark overrides the header`() {
        #expect(decode([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "windows-1251") == "é")
        #expect(decode([0xFF, 0xFE, 0xE9, 0x00], "utf-8") == "é")
        #expect(decode([0xFE, 0xFF, 0x00, 0xE9]) == "é")
    }

    @Test(arguments: [
        "<meta charset=koi8-r>", "<META CHARSET='KOI8-R'>",
        "<!-- <meta charset=utf-8> --><meta charset=koi8-r>",
        "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
    ])
    func `the page's own charset counts when the header has none`(head: String) {
        #expect(decode(Array(head.utf8) + [0xF0, 0xD2]).hasSuffix("Пр"))
    }

    @Test func `a header that says UTF-8 is ignored if the page has no valid UTF-8 character`() {
        let latin: [UInt8] = Array("<meta charset=utf-8><p>caf".utf8) + [0xE9]
        #expect(decode(latin, "utf-8").hasSuffix("café"))
        #expect(decode(latin).hasSuffix("café"))
        // A single invalid byte in valid text is replaced.
        #expect(decode(Array("<p>naïve caf".utf8) + [0xE9], "utf-8").hasSuffix("naïve caf\u{FFFD}"))
    }

    @Test func `the header overrides the page`() {
        #expect(decode(Array("<meta charset=koi8-r>".utf8) + [0xC3, 0xA9], "utf-8").hasSuffix("é"))
    }

    @Test func `a charset counts wherever its meta element is, but not inside a script`() {
        let style = "<style>" + String(repeating: ".x{color:#123456}\n", count: 500) + "</style>"
        #expect(decode(Array("\(style)<meta charset=koi8-r>".utf8) + [0xF0, 0xD2]).hasSuffix("Пр"))
        let script = "<script>write('<meta charset=koi8-r>')</script>"
        #expect(decode(Array("\(script)<p>caf".utf8) + [0xE9]).hasSuffix("café"))
    }

    @Test func `an XML declaration names the charset, unless the page does`() {
        let declaration = "<?xml version=\"1.0\" encoding=\"windows-1251\"?>"
        #expect(decode(Array("\(declaration)<p>".utf8) + [0xCF, 0xF0]).hasSuffix("Пр"))
        #expect(decode(Array("\(declaration)<meta charset=koi8-r>".utf8) + [0xF0, 0xD2]).hasSuffix("Пр"))
    }

    private static let keeper =
        "Смотритель маяка сказал, что корабли возвращаются вечером, когда поднимается ветер."

    /// Each text with iconv's name of its encoding.
    private static let unnamed: [(String, String)] = [
        ("CP1251", keeper), ("KOI8-R", keeper), ("IBM866", keeper),
        ("CP1251", "Доглядач маяка сказав, що кораблі повертаються ввечері, коли здіймається вітер із моря."),
        ("CP1253", "Ο φαροφύλακας είπε ότι τα πλοία επιστρέφουν το βράδυ όταν σηκώνεται ο άνεμος."),
        ("CP1255", "שומר המגדלור אמר שהספינות חוזרות בערב כאשר הרוח עולה מן הים"),
        ("CP1256", "قال حارس المنارة إن السفن تعود في المساء عندما ترتفع الرياح من البحر"),
        ("CP1252", "Der Wärter erklärte, daß die Schiffe früh zurückkämen, wenn der Wind größer würde."),
        ("CP1252", "Le gardien a répété que les bateaux étaient arrivés très tôt, après la tempête."),
        ("CP1250", "Strażnik powiedział, że łodzie wrócą wieczorem, gdy źródło światła będzie świecić."),
        ("CP1254", "Bekçi gemilerin akşam rüzgâr yükseldiğinde geri döneceğini söyledi; ışık çok güçlüydü."),
        ("CP932", "灯台守は、夕方に海から風が吹くと船が戻ってくると言った。"),
        ("EUC-JP", "灯台守は、夕方に海から風が吹くと船が戻ってくると言った。"),
        ("ISO-2022-JP", "灯台守は、夕方に海から風が吹くと船が戻ってくると言った。"),
        ("GB18030", "灯塔看守人说，晚上海风起来的时候，船就会回来。我们在上海的家里等了他很久。"),
        ("BIG5-HKSCS", "燈塔看守人說，晚上海風起來的時候，船就會回來。我們在上海的家裡等了他很久。"),
        ("CP949", "등대지기는 저녁에 바다에서 바람이 불면 배들이 돌아온다고 말했다."),
        ("UTF-16LE", "The keeper of the light – Wärter"),
    ]

    @Test(arguments: unnamed)
    func `a charset that nobody names is guessed`(encoding: String, text: String) throws {
        let page = "<html><head></head><body><p>\(text)</p></body></html>"
        #expect(decode(try encoded(page, encoding)) == page)
    }

    private struct NotEncoded: Error {}

    private func encoded(_ text: String, _ name: String) throws -> [UInt8] {
        let converter = iconv_open(name, "UTF-8")
        guard converter != iconv_t(bitPattern: -1) else { throw NotEncoded() }
        defer { iconv_close(converter) }
        var input = text.utf8.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: input.count * 4)
        let count = try input.withUnsafeMutableBufferPointer { source in
            try output.withUnsafeMutableBufferPointer { target in
                var (next, left, end, free) = (
                    source.baseAddress, source.count, target.baseAddress, target.count
                )
                guard iconv(converter, &next, &left, &end, &free) != -1,
                    iconv(converter, nil, nil, &end, &free) != -1
                else { throw NotEncoded() }
                return target.count - free
            }
        }
        return output.prefix(count).map { UInt8(bitPattern: $0) }
    }

    @Test func `without a charset a page is UTF-8 if that is valid, and windows-1252 otherwise`() {
        #expect(decode([0xC3, 0xA9]) == "é")
        #expect(decode([0x63, 0x61, 0x66, 0xE9]) == "café")
    }

    @Test(arguments: ["nonsense", "", "utf-7", "ebcdic"])
    func `an unknown charset is ignored`(charset: String) {
        #expect(decode([0xC3, 0xA9], charset) == "é")
    }

    @Test func `a page in single bytes that claims UTF-16 is UTF-8`() {
        #expect(decode(Array("<meta charset=utf-16>é".utf8)).hasSuffix("é"))
    }

    @Test func `invalid bytes are replaced, and the rest is read`() {
        #expect(decode([0xC3, 0xA9, 0xFF, 0x62], "utf-8") == "é\u{FFFD}b")
        #expect(decode([0x61, 0xFF, 0xFF, 0x62], "euc-jp").hasSuffix("b"))
        #expect(decode([0x61, 0xFF, 0xFF, 0x62], "euc-jp").contains("\u{FFFD}"))
        #expect(decode([0x41, 0x00, 0x42], "utf-16le") == "A\u{FFFD}")
        #expect(decode([0x93], "shift_jis") == "\u{FFFD}")
    }
}
