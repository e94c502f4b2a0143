import Testing

@Suite struct BlankTextTests {
    static let invisible: [UInt32] = [
        0x00, 0x09, 0x0A, 0x1B, 0x20, 0x7F, 0x85, 0xA0, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x1680, 0x17B4,
        0x180B,
        0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x2028, 0x202E, 0x2060, 0x2064, 0x2069, 0x206F, 0x2800,
        0x3000, 0x3164,
        0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0x13430, 0x16FE4, 0x1BCA0, 0x1D159, 0x1D173, 0xE0001,
        0xE0020, 0xE007F, 0xE0100, 0xE0FFF,
    ]

    private func text(_ scalars: [UInt32]) -> String {
        String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    }

    @Test(arguments: invisible)
    func `an invisible code point is blank, alone and next to others`(value: UInt32) {
        #expect(text([value]).isBlank)
        #expect(text([0x20, value, 0x200B, value]).isBlank)
        #expect(!text([value, 0x61]).isBlank)
    }

    @Test(arguments: [
        "a", ".", "é", "👍", "❤️", "👩🏽‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "می‌خواهم", "क्‍ष",
        "\u{600}", "\u{6DD}", "\u{110BD}", "⠁", "ㄱ", "\u{301}", "\u{E000}", "\u{FFFD}", "\u{200B}.",
    ])
    func `a text with anything visible is not blank`(text: String) {
        #expect(!text.isBlank)
    }

    @Test func `an empty text is blank`() {
        #expect("".isBlank)
    }
}
