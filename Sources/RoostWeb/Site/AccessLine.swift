package import Foundation
package import HTTPServer
import TextFormats

/// One line of the access log, without queries and secret links.
package struct AccessLine: Sendable {
    private let entry: AccessEntry
    private let secretPathPrefixes: Set<String>
    private let time: Date

    package init(_ entry: AccessEntry, secretPathPrefixes: Set<String>, at time: Date = Date()) {
        self.entry = entry
        self.secretPathPrefixes = secretPathPrefixes
        self.time = time
    }

    /// Common Log Format plus the duration.
    package var text: String {
        let path = Self.plain(path)
        return
            "\(entry.peer) - - [\(ISO8601.seconds(time))] \"\(entry.method.rawValue) \(path)\" \(entry.status) "
            + "\(entry.bytesSent) \(microseconds)us \"\(Self.plain(entry.userAgent))\""
    }

    /// The same as a JSON object.
    package var json: String {
        let object = Object(
            time: ISO8601.seconds(time), peer: "\(entry.peer)", method: entry.method.rawValue, path: path,
            status: entry.status, bytes: entry.bytesSent, microseconds: microseconds,
            userAgent: entry.userAgent)
        return (try? StableJSON.text(of: object)) ?? "{}"
    }

    private struct Object: Encodable {
        let time, peer, method, path: String
        let status, bytes: Int
        let microseconds: Int64
        let userAgent: String
    }

    private var path: String {
        LoggedPath(entry.path, route: entry.route, secretPathPrefixes: secretPathPrefixes).text
    }

    private var microseconds: Int64 {
        entry.duration.components.seconds * 1_000_000
            + entry.duration.components.attoseconds / 1_000_000_000_000
    }

    /// Replaces quotation marks and control characters, so that a client can neither forge fields nor control a
    /// terminal.
    private static func plain(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                scalar == "\"" || scalar.isControl ? "_" : Character(scalar)
            })
    }
}

/// A path without the secret of a link, however the link is spelled, so that it is safe to log.
///
/// Works on bytes: a combining mark after "/reset/" makes the slash part of another `Character`, and percent escapes
/// may not decode to valid UTF-8.
struct LoggedPath: Sendable {
    /// Codes that people type have sixteen letters and digits; other secrets are longer. A segment of this length may
    /// be a secret after a misspelt word.
    private static let codeLength = 16

    package let text: String

    /// - Parameters:
    ///   - route: the pattern of the route that matched, or nil if none did
    ///   - secretPathPrefixes: first path segments that a secret follows; "{token}" in a route pattern also marks one
    package init(_ path: String, route: String?, secretPathPrefixes prefixes: Set<String>) {
        if let route {
            text = Self.isSecret(route, prefixes) ? route : path
        } else {
            text = Self.withoutSecrets(path, prefixes)
        }
    }

    private static func isSecret(_ route: String, _ prefixes: Set<String>) -> Bool {
        let parts = route.split(separator: "/")
        return parts.count > 1 && prefixes.contains(String(parts[0])) || parts.contains { $0 == "{token}" }
    }

    /// For a path without a route: cuts everything after a secret prefix and hides each segment that may be a code.
    private static func withoutSecrets(_ path: String, _ prefixes: Set<String>) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var result: [String] = []
        for part in parts {
            // An escaped slash also separates segments.
            let segments = decoded(part).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            if let prefix = segments.lazy.compactMap({ matchingPrefix($0, prefixes) }).first {
                return (result + [prefix, "{secret}"]).joined(separator: "/")
            }
            let isLong = segments.contains { $0.count(where: isLetterOrDigit) >= codeLength }
            result.append(isLong ? "{hidden}" : String(decoding: part, as: UTF8.self))
        }
        return result.joined(separator: "/")
    }

    /// The secret prefix that the segment spells, ignoring case, width and everything except letters and digits.
    private static func matchingPrefix(_ bytes: ArraySlice<UInt8>, _ prefixes: Set<String>) -> String? {
        let folded = String(decoding: bytes, as: UTF8.self).precomposedStringWithCompatibilityMapping
        let letters = Array(folded.lowercased().utf8.filter(isLetterOrDigit))
        return prefixes.first { $0.utf8.filter(isLetterOrDigit) == letters }
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
