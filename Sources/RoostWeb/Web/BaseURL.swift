import Synchronization
import TextFormats

/// The scheme and host of links that are opened on another machine.
package final class BaseURL: Sendable {
    private let publicURL: PublicURL?
    private let scheme: String
    /// Where the server listens, known once it does.
    private let listening = Mutex("")
    private let interfaces: @Sendable () -> [LANAddresses.Interface]

    /// - Parameter interfaces: this machine's network cards at the time of the call
    package init(
        publicURL: PublicURL? = nil, isTLS: Bool = false,
        interfaces: @escaping @Sendable () -> [LANAddresses.Interface] = LANAddresses.interfaces
    ) {
        self.publicURL = publicURL
        scheme = isTLS ? "https://" : "http://"
        self.interfaces = interfaces
    }

    /// Records where the server listens once it has started: "0.0.0.0:8080", with the port that is bound.
    package func listens(at address: String) { listening.withLock { $0 = address } }

    /// Every address at which other machines reach this server, looked up now: "http://192.168.1.20:8080" ...
    var onTheLAN: [String] {
        LANAddresses.places(listening: address, interfaces: interfaces()).map { scheme + $0 }
    }

    /// A link for somebody else: with the public address, "https://roost.example.org"; else with the one that the client
    /// used, unless that is loopback; else with all on the LAN, the likeliest first.
    ///
    /// - Parameters:
    ///   - path: from the slash on
    ///   - caller: who asks for the link; nil for the program itself
    package func link(to path: String, for caller: ClientAddress? = nil) -> SharedLink {
        if let publicURL {
            return SharedLink(
                address: publicURL.origin + path,
                obstacle: Host(publicURL.host).isLoopback ? Self.localPublicURL : nil)
        }
        let isLoopback = caller?.host.map { Host($0).isLoopback } ?? true
        if !isLoopback, let origin = caller?.origin { return SharedLink(address: origin + path) }
        let places = onTheLAN
        guard let first = places.first else {
            return SharedLink(address: (caller?.origin ?? onThisMachine) + path, obstacle: obstacle)
        }
        return SharedLink(address: first + path, others: places.dropFirst().map { $0 + path })
    }

    private var address: String { listening.withLock { $0 } }

    private static let localPublicURL = "Only this computer can open this link: --public-url names loopback."

    /// Why other computers cannot reach a server without an address on the LAN.
    private var obstacle: String {
        if LANAddresses.isUnspecified(address) {
            return "Only this computer can open this link: it is on no network now."
        }
        let port = address.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(address[$0...]) } ?? ":8080"
        return """
            Only this computer can open this link. To let others open it, start Roost with --listen 0.0.0.0\(port), \
            or with --public-url behind a proxy; then show the link again or make a new one.
            """
    }

    /// "http://127.0.0.1:8080", also for a socket that listens on all addresses.
    private var onThisMachine: String {
        guard LANAddresses.isUnspecified(address), let colon = address.utf8.lastIndex(of: UInt8(ascii: ":"))
        else { return scheme + (address.isEmpty ? "localhost" : address) }
        return scheme + (address.hasPrefix("[") ? "[::1]" : "127.0.0.1") + address[colon...]
    }
}

/// Where the links "Share to chat" of other features' pages lead: a page that asks in which conversation to put the
/// text.
enum ShareAddress {
    static func of(_ text: String) -> String { "/chat/new?text=\(PercentEncoding.encode(text))" }
}

/// A link for another person, perhaps on another machine.
package struct SharedLink: Sendable, Equatable {
    /// In full: "http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH".
    package let address: String
    /// The same link with other addresses of this machine, which may be reached where the first is not.
    package let others: [String]
    /// Why only this machine can open it, and how to change that; nil if others can.
    package let obstacle: String?

    init(address: String, others: [String] = [], obstacle: String? = nil) {
        self.address = address
        self.others = others
        self.obstacle = obstacle
    }

    var hasOthers: Bool { !others.isEmpty }
}
