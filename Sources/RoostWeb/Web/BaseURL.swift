import Synchronization

/// The scheme and host of links that are opened on another machine.
package final class BaseURL: Sendable {
    private let publicURL: PublicURL?
    private let scheme: String
    /// Where the server listens, known once it does.
    private let listening = Mutex("")

    package init(publicURL: PublicURL? = nil, isTLS: Bool = false) {
        self.publicURL = publicURL
        scheme = isTLS ? "https://" : "http://"
    }

    /// Records where the server listens once it has started: "0.0.0.0:8080", with the port that is bound.
    package func listens(at address: String) { listening.withLock { $0 = address } }

    /// Every address at which other machines reach this server, looked up now: "http://192.168.1.20:8080" ...
    package var onTheLAN: [String] {
        LANAddresses.places(listening: listening.withLock { $0 }).map { scheme + $0 }
    }

    /// The public address, "https://roost.example.org"; else the one that the client used, unless that is loopback;
    /// else the best one on the LAN.
    package func base(for caller: ClientAddress) -> String {
        if let publicURL { return publicURL.origin }
        let isLoopback = caller.host.map { Host($0).isLoopback } ?? true
        if !isLoopback, let origin = caller.origin { return origin }
        return onTheLAN.first ?? caller.origin ?? scheme + "localhost"
    }
}
