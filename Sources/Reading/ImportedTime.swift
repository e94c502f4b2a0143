import Foundation
import TextFormats

enum ImportedTime {
    /// Reads common variants of ISO 8601, or seconds, milliseconds or microseconds since 1970. Returns nil for anything
    /// else, for times before 1970, and for 0, which programs write for an unknown time.
    static func parse(_ text: String) -> Date? {
        let text = text.trimmed
        guard !text.isEmpty, text.utf8.count <= 40 else { return nil }
        if text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }) {
            return Double(text).flatMap(date)
        }
        return ISO8601.parse(standard(text)).flatMap { date($0.timeIntervalSince1970) }
    }

    static func date(_ number: Double) -> Date? {
        let seconds = number > 1e14 ? number / 1e6 : number > 1e11 ? number / 1e3 : number
        guard seconds > 0, seconds < 253_402_300_799 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Converts "2016-09-08 11:55:58", "2016-09-08T11:55:58+0200" and "2016-09-08" to RFC 3339.
    private static func standard(_ text: String) -> String {
        var bytes = Array(text.utf8)
        if bytes.count == 10 { return text + "T00:00:00Z" }
        if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        let signs = [UInt8(ascii: "+"), UInt8(ascii: "-")]
        if bytes.count > 19, bytes.count >= 5, signs.contains(bytes[bytes.count - 5]) {
            bytes.insert(UInt8(ascii: ":"), at: bytes.count - 2)
        } else if bytes.last.map({ $0 &- 0x30 < 10 }) == true,
            bytes.count <= 19
                || !signs.contains(bytes[max(0, bytes.count - 6)])
        {
            bytes.append(UInt8(ascii: "Z"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
