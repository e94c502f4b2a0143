import Testing

@testable import TextFormats

@Suite struct Windows1252Tests {
    @Test(
        arguments: [
            ([0x41, 0x80, 0x85, 0x93, 0x9F], "A\u{20AC}\u{2026}\u{201C}\u{178}"),
            ([0xA0, 0xE9, 0xFF], "\u{A0}éÿ"),
            ([0x81, 0x8D, 0x8F, 0x90, 0x9D], "\u{81}\u{8D}\u{8F}\u{90}\u{9D}"), ([], ""),
        ] as [([UInt8], String)])
    func `every byte is a character`(bytes: [UInt8], text: String) {
        #expect(String(validating: Windows1252.utf8(bytes), as: UTF8.self) == text)
    }
}
