import Foundation
import HTTPServer
import TextFormats

/// One line of the access log: Common Log Format with the duration, and without queries and secret links.
struct AccessLine {
    let text: String

    /// - Parameter secretWords: see `LoggedPath`
    init(_ entry: AccessEntry, secretWords: Set<String>, at time: Date = Date()) {
        let path = Self.plain(
            LoggedPath(entry.path, route: entry.route, secretWords: secretWords).text)
        let microseconds =
            entry.duration.components.seconds * 1_000_000
            + entry.duration.components.attoseconds / 1_000_000_000_000
        text =
            "\(entry.peer) - - [\(ISO8601.seconds(time))] \"\(entry.method.rawValue) \(path)\" \(entry.status) "
            + "\(entry.bytesSent) \(microseconds)us \"\(Self.plain(entry.userAgent))\""
    }

    /// Escapes a client's text, so that it can neither forge a field of the line nor control a terminal.
    private static func plain(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                scalar == "\"" || scalar.properties.generalCategory == .control ? "_" : Character(scalar)
            })
    }
}

/// A path as the log may show it: never with the secret of a link, however the link is spelled.
///
/// Works on bytes: a mark after "/reset/" makes another `Character` of the slash, and escapes need not be valid text.
struct LoggedPath: Sendable {
    /// Codes that people type have sixteen letters, other secrets more: a segment as long may be a secret after a
    /// misspelt word.
    private static let codeLength = 16

    let text: String

    /// - Parameters:
    ///   - route: the pattern of the route that matched; nil if none did
    ///   - secretWords: the first parts of the addresses in which a secret follows; in a route "{token}" is one, too
    init(_ path: String, route: String?, secretWords words: Set<String>) {
        if let route {
            text = Self.isSecret(route, words) ? route : path
        } else {
            text = Self.withoutSecrets(path, words)
        }
    }

    private static func isSecret(_ route: String, _ words: Set<String>) -> Bool {
        let parts = route.split(separator: "/")
        return parts.count > 1 && words.contains(String(parts[0])) || parts.contains { $0 == "{token}" }
    }

    /// The path of no route, without what follows a secret word and without each segment that may be a code.
    private static func withoutSecrets(_ path: String, _ words: Set<String>) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var shown: [String] = []
        for part in parts {
            // An escaped slash separates segments, too.
            let pieces = decoded(part).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            if let word = pieces.lazy.compactMap({ word($0, words) }).first {
                return (shown + [word, "{secret}"]).joined(separator: "/")
            }
            let isLong = pieces.contains { $0.count(where: isLetterOrDigit) >= codeLength }
            shown.append(isLong ? "{hidden}" : String(decoding: part, as: UTF8.self))
        }
        return shown.joined(separator: "/")
    }

    /// The secret word that the segment spells, ignoring case, width and all that is neither letter nor digit.
    private static func word(_ bytes: ArraySlice<UInt8>, _ words: Set<String>) -> String? {
        let folded = String(decoding: bytes, as: UTF8.self).precomposedStringWithCompatibilityMapping
        let letters = Array(folded.lowercased().utf8.filter(isLetterOrDigit))
        return words.first { $0.utf8.filter(isLetterOrDigit) == letters }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Decodes percent escapes, nested ones included.
    private static func decoded(_ part: Substring.UTF8View) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(part.count)
        for byte in part {
            result.append(byte)
            while let last = result.suffix(3).first, last == UInt8(ascii: "%"), result.count >= 3,
                let high = hex(result[result.count - 2]), let low = hex(result[result.count - 1])
            {
                result.removeLast(3)
                result.append(high << 4 | low)
            }
        }
        return result
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
