import Foundation

/// Text as people upload it, from whatever program saved it.
package enum UploadedText {
    /// The text's bytes in UTF-8, without a byte order mark; nil for what is no text.
    ///
    /// What spreadsheets save as "Unicode text" is UTF-16.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: Data(bytes), encoding: .utf16).map { Array($0.utf8) }
        }
        guard !bytes.contains(0) else { return nil }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The same, and what is no UTF-8 is read as Windows-1252, which older programs wrote.
    package static func utf8OrLatin(_ bytes: [UInt8]) -> [UInt8]? {
        guard let text = utf8(bytes) else { return nil }
        guard String(validating: text, as: UTF8.self) == nil else { return text }
        var latin = String.UnicodeScalarView()
        for byte in text {
            latin.append(0x80..<0xA0 ~= byte ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return Array(String(latin).utf8)
    }

    /// What Windows-1252 has where Latin-1 has control characters (WHATWG, Encoding, "index windows-1252").
    private static let windows = Array(
        """
        \u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}\
        \u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}
        """.unicodeScalars)
}
