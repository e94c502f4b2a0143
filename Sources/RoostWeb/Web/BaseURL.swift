import Synchronization

/// What a link begins with that is made here and opened somewhere else.
package final class BaseURL: Sendable {
    private let publicURL: PublicURL?
    private let scheme: String
    /// Where the server listens, known once it does.
    private let listening = Mutex("")

    package init(publicURL: PublicURL? = nil, isTLS: Bool = false) {
        self.publicURL = publicURL
        scheme = isTLS ? "https://" : "http://"
    }

    /// To be told when the server has started: "0.0.0.0:8080", with the port that is really bound.
    package func listens(at address: String) { listening.withLock { $0 = address } }

    /// "http://192.168.1.20:8080" and so on: every place where others reach this server, looked up now.
    package var onTheLAN: [String] {
        LANAddresses.places(listening: listening.withLock { $0 }).map { scheme + $0 }
    }

    /// "https://roost.example.org": the public address; else the one that the caller came by, which others can use if it
    /// is not loopback; else the best one on the LAN.
    package func base(for caller: ClientAddress) -> String {
        if let publicURL { return publicURL.origin }
        let isLoopback = caller.host.map { Host($0).isLoopback } ?? true
        if !isLoopback, let origin = caller.origin { return origin }
        return onTheLAN.first ?? caller.origin ?? scheme + "localhost"
    }
}
