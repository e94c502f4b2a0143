import Crypto
import Foundation

/// The normalised address of an upstream picture, and its name here.
///
/// The URL is rebuilt from its parts, so that the address that was checked is the one that is requested.
package struct PictureAddress: Hashable, Sendable {
    package let url: String
    /// The SHA-256 of the URL in hexadecimal.
    package let name: String
    /// True for a trusted host's own origins, which may be in the LAN. All others must have public addresses.
    package let isOwn: Bool
    package let isArticle: Bool
    /// False for a trusted host's own origins, and if the source allows only some hosts.
    let mayRedirect: Bool

    private static let maximumBytes = 2_048
    /// In pixels: avatars in lists are 28 points wide, at two pixels each.
    private static let side = 64

    /// Returns nil unless it is an http or https URL of a host that the source allows. Plain http is allowed only for a
    /// trusted host's own origins and in articles.
    ///
    /// - Parameters:
    ///   - text: the URL from the upstream, untrusted
    ///   - source: the upstream
    package init?(_ text: String, from source: some PictureSource) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            var parts = URLComponents(string: text), let origin = Origin(parts), !origin.host.isEmpty,
            parts.user == nil, parts.password == nil
        else { return nil }
        let ownOrigins = [source.webURL, source.pictureURL].compactMap {
            URLComponents(string: $0).flatMap(Origin.init)
        }
        isOwn = source.isTrusted && ownOrigins.contains(origin)
        isArticle = source.isArticle
        guard isOwn || isArticle || origin.scheme == "https" else { return nil }
        guard isOwn || source.externalHosts?.contains(origin.host) ?? true else { return nil }
        mayRedirect = !isOwn && source.externalHosts == nil
        (parts.scheme, parts.host, parts.fragment) = (origin.scheme, origin.host, nil)
        if ownOrigins.contains(origin) {
            let otherParameters = (parts.percentEncodedQuery ?? "").splitBytes(at: "&").filter {
                !$0.hasPrefix("s=") && !$0.hasPrefix("size=")
            }
            parts.percentEncodedQuery = (otherParameters + ["s=\(Self.side)"]).joined(separator: "&")
        }
        guard let url = parts.string else { return nil }
        self.url = url
        name = Self.digest(url)
    }

    static func name(ofCopy name: String, _ size: String) -> String { digest("\(name) \(size)") }

    private static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).reduce(into: "") { $0 += hex($1) }
    }

    package static func isName(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

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

package protocol PictureSource: Sendable {
    /// The address of its pages, without a trailing slash.
    var webURL: String { get }
    /// The address of its own pictures, which it serves in the requested size.
    var pictureURL: String { get }
    /// True if the operator configured it: its own pictures may be in the LAN.
    var isTrusted: Bool { get }
    /// True for pictures in articles, which are larger and may use plain http.
    var isArticle: Bool { get }
    /// The other hosts that its pictures may be on, without redirects; nil allows any host.
    var externalHosts: Set<String>? { get }
}

extension PictureSource {
    package var isArticle: Bool { false }
    package var externalHosts: Set<String>? { nil }
}
