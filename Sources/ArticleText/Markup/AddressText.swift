import Foundation
import TextFormats

/// Validates and normalises the addresses of links and pictures.
package enum AddressText {
    private static let maximumBytes = 2_048

    /// Removes white space at both ends, and tabs and line breaks anywhere, like a browser (URL Standard, basic URL
    /// parser). Returns nil if nothing is left or the text has control characters.
    package static func cleaned(_ text: String) -> String? {
        guard text.utf8.count <= maximumBytes else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) { return text }
        let scalars = text.unicodeScalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
        let cleaned = String(String.UnicodeScalarView(scalars)).trimmingCharacters(
            in: .init(charactersIn: "\0"..." "))
        return cleaned.isEmpty || cleaned.unicodeScalars.contains(where: \.isControl) ? nil : cleaned
    }

    /// True for letters, digits and the punctuation of hosts. Excludes user names and everything that browsers take for
    /// a slash.
    static func isHost(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII || isAlphanumeric(scalar) || ".-_:[]".unicodeScalars.contains(scalar)
            }
    }

    package static func withinLimit(_ url: String) -> String? {
        url.utf8.count <= maximumBytes ? url : nil
    }

    /// Percent-encodes the characters that are not allowed in an address; existing escapes stay.
    package static func encoded(_ text: some StringProtocol) -> String {
        // A fast path for most addresses.
        if text.utf8.allSatisfy(isPlain) { return String(text) }
        var url = ""
        for scalar in text.unicodeScalars {
            let isAllowed =
                scalar.isASCII
                && (isAlphanumeric(scalar) || "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar))
            url += isAllowed ? String(scalar) : PercentEncoding.encode(String(scalar))
        }
        return url
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E, 0x21: true
        default: false
        }
    }

    static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// An absolute address, a relative one, or one that is not allowed.
    package enum Reading {
        case absolute(String)
        case relative
        case refused
    }

    /// - Parameters:
    ///   - scheme: the scheme for addresses that begin with two slashes
    ///   - schemes: the allowed ones, in lower case
    package static func read(
        _ text: String, defaultScheme scheme: String, schemes: Set<String>
    ) -> Reading {
        let text = text.utf8.starts(with: "//".utf8) ? "\(scheme):\(text)" : text
        guard let colon = text.firstIndex(where: { ":/?#".contains($0) }), text[colon] == ":" else {
            return .relative
        }
        let scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        guard schemes.contains(scheme), !rest.isEmpty else { return .refused }
        if scheme != "mailto" {
            let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
            guard rest.hasPrefix("//"), isHost(host) else { return .refused }
        }
        return withinLimit("\(scheme):\(encoded(rest))").map { .absolute($0) } ?? .refused
    }

    /// Returns the id of an element, or nil if no characters of its name are left.
    package static func elementID(_ name: String, prefix: String) -> String? {
        let scalars = name.sanitized.unicodeScalars.prefix(200).filter { scalar in
            scalar.isASCII
                ? isAlphanumeric(scalar) || "-_.:".unicodeScalars.contains(scalar)
                : !scalar.properties.isWhitespace
        }
        return scalars.isEmpty ? nil : prefix + String(String.UnicodeScalarView(scalars))
    }

    /// Returns the parts of a path with its dots resolved, never above the root; nil if there are too many.
    package static func resolvedPath(_ path: some StringProtocol, from start: [String]) -> [String]? {
        var parts = start
        let steps = path.splitBytes(at: "/", omittingEmptySubsequences: false)
        for (index, step) in steps.enumerated() {
            switch step.lowercased().replacingBytes(of: "%2e", with: ".") {
            case "" where index == steps.count - 1 && !parts.isEmpty: parts.append("")
            case "", ".": break
            case "..": _ = parts.popLast()
            default: parts.append(encoded(step))
            }
        }
        return parts.count <= 100 ? parts : nil
    }
}
