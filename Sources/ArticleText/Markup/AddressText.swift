import Foundation
import TextFormats

/// What may stand in the address of a link or a picture.
package enum AddressText {
    private static let maximumBytes = 2_048

    /// As a browser reads it: without blanks around it, tabs and new lines within (URL Standard, basic URL
    /// parser).
    package static func tidy(_ text: String) -> String? {
        guard text.utf8.count <= maximumBytes else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) { return text }
        let scalars = text.unicodeScalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
        let tidy = String(String.UnicodeScalarView(scalars)).trimmingCharacters(
            in: .init(charactersIn: "\0"..." "))
        let isCalm = tidy.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        return tidy.isEmpty || !isCalm ? nil : tidy
    }

    /// Letters, figures and what stands in hosts; no user's name and nothing that a browser takes for a
    /// slash.
    static func isHost(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII || isWordly(scalar) || ".-_:[]".unicodeScalars.contains(scalar)
            }
    }

    package static func fitting(_ url: String) -> String? {
        url.utf8.count <= maximumBytes ? url : nil
    }

    /// What may not stand in an address is percent-encoded, what is so already stays.
    package static func encoded(_ text: some StringProtocol) -> String {
        // As most are.
        if text.utf8.allSatisfy(isPlain) { return String(text) }
        var url = ""
        for scalar in text.unicodeScalars {
            let isKept =
                scalar.isASCII
                && (isWordly(scalar) || "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar))
            url += isKept ? String(scalar) : PercentEncoding.encode(String(scalar))
        }
        return url
    }

    /// ASCII that may stand in an address.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E, 0x21: true
        default: false
        }
    }

    /// A letter or a figure.
    static func isWordly(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Whether an address stands for itself.
    package enum Reading {
        case whole(String)
        case relative
        /// It leads nowhere good.
        case refused
    }

    /// - Parameters:
    ///   - scheme: of addresses that begin with two slashes
    ///   - schemes: the permitted ones, in small letters
    package static func read(_ text: String, besides scheme: String, schemes: Set<String>) -> Reading {
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
        return fitting("\(scheme):\(encoded(rest))").map { .whole($0) } ?? .refused
    }

    /// The id of an element; nil where nothing remains of its name.
    package static func place(_ name: String, prefix: String) -> String? {
        let scalars = name.sanitized.unicodeScalars.prefix(200).filter { scalar in
            scalar.isASCII
                ? isWordly(scalar) || "-_.:".unicodeScalars.contains(scalar)
                : !scalar.properties.isWhitespace
        }
        return scalars.isEmpty ? nil : prefix + String(String.UnicodeScalarView(scalars))
    }

    /// The parts of a path, its dots followed, never above the root; nil where there are too many.
    package static func walked(_ path: some StringProtocol, from start: [String]) -> [String]? {
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
