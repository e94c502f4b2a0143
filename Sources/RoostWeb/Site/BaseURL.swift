import Synchronization
import TextFormats

/// Builds links that are opened on other machines.
package final class BaseURL: Sendable {
    private let publicURL: PublicURL?
    private let scheme: String
    private let listening = Mutex("")
    private let interfaces: @Sendable () -> [LANAddresses.Interface]

    package init(
        publicURL: PublicURL? = nil, isTLS: Bool = false,
        interfaces: @escaping @Sendable () -> [LANAddresses.Interface] = LANAddresses.interfaces
    ) {
        self.publicURL = publicURL
        scheme = isTLS ? "https://" : "http://"
        self.interfaces = interfaces
    }

    /// Records the address that the server listens on, with the actual port: "0.0.0.0:8080".
    package func setListeningAddress(_ address: String) { listening.withLock { $0 = address } }

    /// The URLs at which other machines reach this server now: "http://192.168.1.20:8080" ...
    package var lanURLs: [String] {
        LANAddresses.authorities(listening: address, interfaces: interfaces()).map { scheme + $0 }
    }

    /// Returns a link to share: with the public URL if there is one, otherwise with the origin that the client used. A
    /// client on loopback gets all LAN addresses, the likeliest first.
    ///
    /// - Parameter caller: nil for the program itself
    package func link(to path: String, for caller: ClientAddress? = nil) -> SharedLink {
        if let publicURL {
            return SharedLink(
                address: publicURL.origin + path,
                obstacle: Host(publicURL.host).isLoopback ? Self.localPublicURL : nil)
        }
        let isLoopback = caller?.host.map { Host($0).isLoopback } ?? true
        if !isLoopback, let origin = caller?.origin { return SharedLink(address: origin + path) }
        let urls = lanURLs
        guard let first = urls.first else {
            return SharedLink(address: (caller?.origin ?? localURL) + path, obstacle: obstacle)
        }
        return SharedLink(address: first + path, alternatives: urls.dropFirst().map { $0 + path })
    }

    private var address: String { listening.withLock { $0 } }

    private static let localPublicURL =
        "Only this computer can open this link: --public-url is a loopback address."

    private var obstacle: String {
        if LANAddresses.isUnspecified(address) {
            return "Only this computer can open this link: it isn’t connected to a network."
        }
        let port = address.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(address[$0...]) } ?? ":8080"
        return """
            Only this computer can open this link. To let others open it, start Roost with --listen 0.0.0.0\(port), \
            or with --public-url behind a proxy; then show the link again or create a new one.
            """
    }

    /// "http://127.0.0.1:8080", even if the socket listens on all addresses.
    private var localURL: String {
        guard LANAddresses.isUnspecified(address), let colon = address.utf8.lastIndex(of: UInt8(ascii: ":"))
        else { return scheme + (address.isEmpty ? "localhost" : address) }
        return scheme + (address.hasPrefix("[") ? "[::1]" : "127.0.0.1") + address[colon...]
    }
}

/// The target of "Share to chat" links: a page on which the user chooses a conversation for the text.
package enum ShareAddress {
    package static func of(_ text: String) -> String { "/chat/new?text=\(PercentEncoding.encode(text))" }
}

package struct SharedLink: Sendable, Equatable {
    /// The full URL: "http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH".
    package let address: String
    /// The same link with other addresses of this machine, which may work where the first does not.
    package var alternatives: [String] = []
    /// Why only this machine can open the link and how to change that, or nil if others can.
    package var obstacle: String?

    var hasAlternatives: Bool { !alternatives.isEmpty }
}
