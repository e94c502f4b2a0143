import Crypto
import Foundation

/// Where a picture lies at its upstream, written in one way only, and what it is called here.
///
/// The address is put together anew from its parts, so that what was checked is what is asked for.
package struct PictureAddress: Hashable, Sendable {
    package let url: String
    /// SHA-256 of the URL, in hex.
    package let name: String
    /// True at a trusted host's own origins, which may be in the LAN; all others are asked at public addresses only.
    package let isOwn: Bool
    /// Whether it is a picture in an article.
    package let isArticle: Bool
    /// Whether a redirect may be followed: not from a trusted host's own ground, nor where only some hosts are allowed.
    let mayRedirect: Bool

    private static let maximumBytes = 2_048
    /// In pixels: a mark is 28 points wide, at two pixels each.
    private static let side = 64

    /// Nil for what is no http or https URL, for plain http anywhere but at a trusted host's own origins and in articles,
    /// and for hosts that the source does not allow.
    ///
    /// - Parameters:
    ///   - text: as the upstream names it: anything may stand there
    ///   - source: who names it
    package init?(_ text: String, from source: some PictureSource) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            var parts = URLComponents(string: text), let origin = Origin(parts), !origin.host.isEmpty,
            parts.user == nil, parts.password == nil
        else { return nil }
        let homes = [source.webURL, source.pictureURL].compactMap {
            URLComponents(string: $0).flatMap(Origin.init)
        }
        isOwn = source.isTrusted && homes.contains(origin)
        isArticle = source.isArticle
        guard isOwn || isArticle || origin.scheme == "https" else { return nil }
        guard isOwn || source.strangerHosts?.contains(origin.host) ?? true else { return nil }
        mayRedirect = !isOwn && source.strangerHosts == nil
        (parts.scheme, parts.host, parts.fragment) = (origin.scheme, origin.host, nil)
        if homes.contains(origin) {
            let others = (parts.percentEncodedQuery ?? "").splitBytes(at: "&").filter {
                !$0.hasPrefix("s=") && !$0.hasPrefix("size=")
            }
            parts.percentEncodedQuery = (others + ["s=\(Self.side)"]).joined(separator: "&")
        }
        guard let url = parts.string else { return nil }
        self.url = url
        name = Self.digest(url)
    }

    /// The name of a smaller copy of a picture.
    static func name(ofCopy name: String, _ size: String) -> String { digest("\(name) \(size)") }

    private static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).reduce(into: "") { $0 += hex($1) }
    }

    /// True for what could be the name of a picture.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    /// Scheme, host and port.
    private struct Origin: Equatable {
        let scheme, host: String
        let port: Int

        init(scheme: String, host: String, port: Int) {
            self.scheme = scheme
            self.host = host
            self.port = port
        }

        init?(_ parts: URLComponents) {
            guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
                let host = parts.host?.lowercased()
            else { return nil }
            self.init(
                scheme: scheme, host: host, port: parts.port ?? (scheme == "https" ? 443 : 80))
        }
    }
}

/// An upstream that names pictures, and where it keeps its own.
package protocol PictureSource: Sendable {
    /// Where its pages are, without a slash at the end.
    var webURL: String { get }
    /// Where it serves its own pictures, at the size that is asked for.
    var pictureURL: String { get }
    /// Set by the operator: its own pictures may be in the LAN.
    var isTrusted: Bool { get }
    /// Whether its pictures are large, and may come over plain connections: those in articles.
    var isArticle: Bool { get }
    /// The hosts beside its own that its pictures may lie on, without being sent on elsewhere; nil: any.
    var strangerHosts: Set<String>? { get }
}

extension PictureSource {
    package var isArticle: Bool { false }
    package var strangerHosts: Set<String>? { nil }
}
