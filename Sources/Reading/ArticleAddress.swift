import Foundation
import RoostSupport
import Synchronization
import TextFormats

/// A page's address, split into parts and normalized. Follows RFC 3986, section 6.2.2: scheme and host in lower case,
/// no default port, no dot segments, and percent-encoding only where it is needed.
package struct ArticleAddress: Hashable, Sendable {
    /// In bytes, before encoding.
    package static let maximumLength = 2_048
    /// In bytes. Encoding can triple the length, and a longer text would not be read back from its database column.
    package static let maximumEncodedLength = 4_000
    // Created once, because that takes longer than matching. A regex is not Sendable.
    private static let scheme = Mutex(
        #/[A-Za-z][A-Za-z0-9+.\-]*:\/\//#.matchingSemantics(.unicodeScalar))

    package let isSecure: Bool
    /// An ASCII name (Punycode if needed), four numbers, or an IPv6 address in brackets.
    package let host: String
    /// Nil for the scheme's default port.
    package let port: Int?
    /// Begins with a slash.
    package let path: String
    /// Without the question mark.
    package let query: String?
    package let fragment: String?

    /// Accepts pasted text with blanks around it and without a scheme, which is then https. Throws
    /// `RoostError.invalid(field: "url")`.
    package init(_ text: String) throws {
        guard text.utf8.count <= 2 * Self.maximumLength else { throw Self.tooLong }
        let text = text.trimmed
        guard !text.isEmpty else { throw Self.refusal("Enter the address of a page.") }
        // An ASCII text may be an address that Roost encoded earlier, so it gets the higher limit.
        let isEncoded = text.utf8.allSatisfy { $0 < 0x80 }
        guard text.utf8.count <= (isEncoded ? Self.maximumEncodedLength : Self.maximumLength) else {
            throw Self.tooLong
        }
        guard !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw Self.refusal("This address contains invalid characters.")
        }
        var rest = text[...]
        if let scheme = Self.scheme.withLock({ text.prefixMatch(of: $0)?.range }) {
            switch text[scheme].lowercased() {
            case "http://": isSecure = false
            case "https://": isSecure = true
            default: throw Self.refusal("Only pages at http and https addresses can be saved.")
            }
            rest = text[scheme.upperBound...]
        } else {
            guard !text.hasPrefix("/"), !Self.hasOtherScheme(text) else {
                throw Self.refusal("Only pages at http and https addresses can be saved.")
            }
            isSecure = true
        }
        let end = rest.utf8.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
        (host, port) = try Self.authority(rest[..<end], isSecure: isSecure)
        let page = rest[end...].splitBytes(at: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = (page.first ?? "").splitBytes(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.path(parts.first ?? "")
        query = parts.count > 1 ? PercentEncoding.normalized(parts[1], keeping: Self.queryMarks) : nil
        fragment = page.count > 1 ? PercentEncoding.normalized(page[1], keeping: Self.queryMarks) : nil
        guard self.text.utf8.count <= Self.maximumEncodedLength else { throw Self.tooLong }
    }

    init(_ other: ArticleAddress, fragment: String?) {
        self.init(other, query: other.query, fragment: fragment)
    }

    private init(_ other: ArticleAddress, query: String?, fragment: String?) {
        (isSecure, host, port, path) = (other.isSecure, other.host, other.port, other.path)
        (self.query, self.fragment) = (query, fragment)
    }

    package var text: String {
        origin + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// The form that identifies a page: without tracking fields, and without a fragment that names a position in the
    /// page.
    package var normalized: String { normalized(fragment: documentFragment) }

    /// The same without any fragment: what the site receives.
    var normalizedPage: String { normalized(fragment: nil) }

    private func normalized(fragment: String?) -> String {
        let fields = (query ?? "").splitBytes(at: "&").filter { !Self.isTracking($0) }
        return ArticleAddress(
            self, query: fields.isEmpty ? nil : fields.joined(separator: "&"), fragment: fragment
        ).text
    }

    /// The fragment if it may name another document, or nil if it only names a position in the page.
    ///
    /// Scripts read routes (`#/inbox`) and documents (`#doc=7`) from it. Only the page's markup shows whether a plain
    /// word is such a name or an element's id: see `ArticleExtractor`.
    var documentFragment: String? {
        // A text directive (words to scroll to) follows `:~:`.
        guard let fragment else { return nil }
        let own =
            fragment.utf8.firstRange(of: Array(":~:".utf8)).map { fragment[..<$0.lowerBound] }
            ?? fragment[...]
        let fields = own.splitBytes(at: "&").filter { field in
            !field.containsBytes("=") || !Self.isTracking(field) && !Self.isMediaTime(field)
        }
        let name = fields.joined(separator: "&")
        return ["", "top", "/", "!", "!/"].contains(name.lowercased()) ? nil : name
    }

    /// Whether the fragment looks like a route or a document's name and not like an element's id.
    var hasRoute: Bool {
        guard let name = documentFragment else { return false }
        return PercentEncoding.decoded(name).utf8.contains { "/!=&?".utf8.contains($0) }
    }

    /// "t=90", "xywh=0,0,40,40" (W3C, Media Fragments).
    private static func isMediaTime(_ field: Substring) -> Bool {
        ["t=", "xywh="].contains { name in
            field.hasPrefix(name)
                && field.utf8.dropFirst(name.utf8.count).first.map { 0x30...0x39 ~= $0 } ?? false
        }
    }

    /// The host without "www.", for lists.
    package var site: String {
        host.hasPrefix("www.") && host.utf8.count > 6 ? String(host.dropFirst(4)) : host
    }

    /// Compares host and port, ignoring prefixes such as "www.".
    func isSameSite(as other: ArticleAddress) -> Bool {
        Self.baseHost(host) == Self.baseHost(other.host) && port == other.port
    }

    /// Whether this is the front page, a sign-in page or an error page. Sites redirect there from any address, so it
    /// does not identify an article.
    var isGeneric: Bool {
        let last = path.splitBytes(at: "/").last?.lowercased() ?? ""
        let name = last.prefix { $0 != "." }
        return path == "/" && query == nil
            || [
                "login", "signin", "sign-in", "sign_in", "signup", "register", "subscribe", "consent",
                "index",
                "home", "error", "404", "account", "auth", "authorize", "oauth", "captcha", "blocked",
            ].contains(String(name))
    }

    private var origin: String {
        (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "")
    }

    private static func baseHost(_ host: String) -> Substring {
        for prefix in ["www.", "m.", "mobile.", "amp."]
        where host.hasPrefix(prefix) && host.dropFirst(prefix.count).contains(".") {
            return host.dropFirst(prefix.count)
        }
        return host[...]
    }

    private static func refusal(_ why: String) -> RoostError { .invalid(field: "url", why: why) }

    private static let tooLong = refusal("An address can have up to 2,048 characters.")

    /// Control characters, and invisible ones, such as those that change the text's direction.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200B...0x200F, 0x2028...0x2029, 0x2060...0x2065, 0xFEFF, 0xFFF9...0xFFFD: true
        default: scalar.isControl || scalar.isReordering
        }
    }

    /// "javascript:alert(1)" and "mailto:ada@example.org"; not "example.org:8080/".
    private static func hasOtherScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = text[..<colon]
        guard name.utf8.allSatisfy({ $0 < 0x80 && !"/?#.[".utf8.contains($0) }) else { return false }
        return text[colon...].utf8.dropFirst().first.map { !(0x30...0x39).contains($0) } ?? true
    }
}

// MARK: Host

extension ArticleAddress {
    private static func authority(_ text: Substring, isSecure: Bool) throws -> (host: String, port: Int?) {
        guard !text.containsBytes("@") else {
            throw refusal("An address with a user name can’t be saved. Leave the name out.")
        }
        var name = text
        var port: Int?
        if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text[colon...].containsBytes("]") {
            name = text[..<colon]
            let digits = text[text.utf8.index(after: colon)...]
            if !digits.isEmpty {
                guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let number = Int(digits), (1...65_535).contains(number)
                else { throw refusal("The port in this address is invalid.") }
                port = number == (isSecure ? 443 : 80) ? nil : number
            }
        }
        return (try host(name), port)
    }

    private static func host(_ text: Substring) throws -> String {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), text.utf8.count <= 47,
                text.dropFirst().dropLast().utf8.allSatisfy({ "0123456789abcdefABCDEF:.".utf8.contains($0) })
            else { throw invalidHost }
            return text.lowercased()
        }
        var labels: [String] = []
        // Ideographic full stops are dots in a host's name (RFC 3490, section 3.1).
        let dotted = ["\u{3002}", "\u{FF0E}", "\u{FF61}"].reduce(String(text)) {
            $0.replacingBytes(of: $1, with: ".")
        }
        var parts = dotted.splitBytes(at: ".", omittingEmptySubsequences: false)
        if parts.last == "", parts.count > 1 { parts.removeLast() }
        for part in parts {
            let label = part.lowercased().precomposedStringWithCompatibilityMapping.lowercased()
            guard let plain = Punycode.label(label), (1...63).contains(plain.utf8.count),
                plain.utf8.allSatisfy(isHostByte)
            else { throw invalidHost }
            labels.append(plain)
        }
        let host = labels.joined(separator: ".")
        guard (1...253).contains(host.utf8.count) else { throw invalidHost }
        return host
    }

    private static let invalidHost = refusal("This isn’t the address of a page.")

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}

// MARK: Path and query

extension ArticleAddress {
    private static let pathMarks = Set("!$&'()*+,;=:@/".utf8)
    private static let queryMarks = Set("!$&'()*+,;=:@/?[]|".utf8)

    /// Removes dot segments (RFC 3986, section 5.2.4).
    private static func path(_ text: Substring) -> String {
        let plain = PercentEncoding.normalized(text.replacingBytes(of: "\\", with: "/"), keeping: pathMarks)
        var segments: [Substring] = []
        let parts = plain.splitBytes(at: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated().dropFirst() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/")
    }

    private static func isTracking(_ field: Substring) -> Bool {
        let name = field.prefix { $0 != "=" }.lowercased()
        return trackingNames.contains(name) || trackingPrefixes.contains { name.hasPrefix($0) }
    }

    private static let trackingPrefixes = [
        "utm_", "pk_", "mtm_", "matomo_", "piwik_", "hsa_", "_hs", "mc_", "vero_", "oly_", "ns_", "at_custom",
        "guce_", "__hs", "stm_", "itm_", "wt_", "ga_", "fb_",
    ]

    private static let trackingNames: Set<String> = [
        "fbclid", "gclid", "dclid", "gclsrc", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid",
        "li_fat_id", "igshid", "igsh", "wickedid", "epik", "rb_clickid", "srsltid", "mkt_tok", "trk",
        "trkcampaign", "ref_src", "ref_url", "_ga", "_gl", "_openstat", "guccounter", "xtor", "at_medium",
        "at_campaign", "sc_campaign", "sc_cid", "s_cid", "cmpid", "ncid", "icid", "smid", "spm", "scm",
        "__twitter_impression", "ito", "cvid", "ocid", "zanpid", "admitad_uid", "campaign_id", "mibextid",
        "echobox",
    ]
}

/// Encodes host names with other than ASCII letters (RFC 3492).
private enum Punycode {
    /// "xn--bcher-kva" for "bücher"; an ASCII label unchanged; nil if it is too long.
    static func label(_ text: String) -> String? {
        let scalars = text.unicodeScalars.map { Int($0.value) }
        guard scalars.contains(where: { $0 >= 0x80 }) else { return text }
        guard scalars.count <= 63 else { return nil }
        var output = scalars.filter { $0 < 0x80 }
        let basic = output.count
        var (handled, number, delta, bias) = (basic, 128, 0, 72)
        if basic > 0 { output.append(0x2D) }
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= number }).min() else { return nil }
            delta += (next - number) * (handled + 1)
            number = next
            for scalar in scalars {
                if scalar < number { delta += 1 }
                guard scalar == number else { continue }
                var rest = delta
                var step = 36
                while true {
                    let limit = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
                    if rest < limit { break }
                    output.append(digit(limit + (rest - limit) % (36 - limit)))
                    rest = (rest - limit) / (36 - limit)
                    step += 36
                }
                output.append(digit(rest))
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            number += 1
        }
        return "xn--" + String(decoding: output.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    private static func digit(_ value: Int) -> Int { value < 26 ? 0x61 + value : 0x30 + value - 26 }

    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var step = 0
        while delta > 455 {
            delta /= 35
            step += 36
        }
        return step + 36 * delta / (delta + 38)
    }
}
