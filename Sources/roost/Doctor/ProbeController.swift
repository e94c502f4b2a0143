import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

/// How the server sees a request that `roost doctor` sent, perhaps through a proxy.
struct ProbeReport: Codable, Equatable, Sendable {
    /// The name of the header with the secret from the data folder's lock.
    static let secretHeader = "X-Roost-Probe"
    static let path = "/healthz/probe"

    let process: Int
    /// The address that the connection comes from: the proxy's, if there is one.
    let peer: String
    /// The visitor's address, as far as the server believes the proxy.
    let client: String
    let host: String?
    let isSecure: Bool
    /// Whether the request has a header of a proxy.
    let isForwarded: Bool
    /// Whether the setting `trusted-proxy` names the peer.
    let isTrusted: Bool
}

/// `/healthz/probe` answers only those who can read the data folder; to others it does not exist.
struct ProbeController: Sendable {
    let site: WebContext
    let secret: String?

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.link(.get, ProbeReport.path, .async(answer))]
    }

    private func answer(_ request: Request) async throws -> HandlerResult {
        guard let secret, let shown = request.headers[ProbeReport.secretHeader],
            Secret.hash(shown) == Secret.hash(secret)
        else { throw RoostError.notFound("There is no page at this address.") }
        let caller = site.visitors.caller(of: request)
        return .response(
            API.json(
                ProbeReport(
                    process: Int(ProcessInfo.processInfo.processIdentifier), peer: request.peer.description,
                    client: caller.address, host: caller.host, isSecure: caller.isSecure,
                    isForwarded: Forwarding.isForwarded(request),
                    isTrusted: site.visitors.isTrustedProxy(request.peer))))
    }
}
