/// The encoding of older programs for western languages (WHATWG, Encoding, "index windows-1252").
package enum Windows1252 {
    /// The characters for 80 to 9F. The five unassigned bytes stay control characters.
    private static let upperSigns = Array(
        """
        \u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}\
        \u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}
        """.unicodeScalars)

    package static func utf8(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let upperSigns = upperSigns
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text += (byte < 0xA0 ? upperSigns[Int(byte) - 0x80] : Unicode.Scalar(byte)).utf8
            }
        }
        return text
    }
}
