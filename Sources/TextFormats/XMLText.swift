/// Text of strangers within XML (XML 1.0, section 2.2): escaped, and without what no XML may hold.
package enum XMLText {
    /// Fit to stand between tags and between the quotes of a value.
    package static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars where isAllowed(scalar) {
            switch scalar {
            case "&": bytes += Array("&amp;".utf8)
            case "<": bytes += Array("&lt;".utf8)
            case ">": bytes += Array("&gt;".utf8)
            case "\"": bytes += Array("&quot;".utf8)
            case "'": bytes += Array("&#39;".utf8)
            default: bytes.append(contentsOf: scalar.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Without control characters, and without those that turn the order of letters around beyond their own line.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
        // No characters, in any of Unicode's planes (XML 1.0 forbids the first two, and advises against the others).
        default: scalar.value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(scalar.value)
        }
    }
}
