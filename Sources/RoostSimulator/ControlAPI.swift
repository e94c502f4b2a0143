import Foundation
import HTTPServer
import Synchronization

/// Control routes under `/_simulator/...` for faults, coins and the request log, in JSON.
///
///     GET, POST, DELETE /_simulator/faults     {"fault": "429:90", "path": "/coins/markets", "count": 3}
///                                              {"fault": "503-html", "upstream": "github"}
///     GET, POST, DELETE /_simulator/coins      {"delisted": [ID], "renamed": {ID: NAME}, ...}
///     GET, POST, DELETE /_simulator/github     see `GitHubControlAPI`
///     GET, POST, DELETE /_simulator/sites      see `SiteControlAPI`
///     GET, DELETE       /_simulator/requests   of all upstreams
final class ControlAPI: Sendable {
    private let coinGeckoEndpoint: CoinGeckoEndpoint
    private let simulation: CoinGeckoSimulation?
    private let gitHubEndpoint: GitHubEndpoint
    private let gitHub: GitHubControlAPI
    private let sites: SiteSimulation
    private let siteEndpoint: SiteEndpoint
    private let listeners = Mutex<[Upstream: Listener]>([:])

    init(
        coinGeckoEndpoint: CoinGeckoEndpoint, simulation: CoinGeckoSimulation?,
        gitHubEndpoint: GitHubEndpoint,
        gitHub: GitHubControlAPI, sites: SiteSimulation, siteEndpoint: SiteEndpoint
    ) {
        self.coinGeckoEndpoint = coinGeckoEndpoint
        self.simulation = simulation
        self.gitHubEndpoint = gitHubEndpoint
        self.gitHub = gitHub
        self.sites = sites
        self.siteEndpoint = siteEndpoint
    }

    /// Sets the listeners, which can only be made after this API because their routes use it.
    func attach(_ listeners: [Upstream: Listener]) {
        self.listeners.withLock { $0 = listeners }
    }

    private func listener(_ upstream: Upstream) -> Listener? { listeners.withLock { $0[upstream] } }

    private func plan(_ upstream: Upstream) -> FaultPlan {
        switch upstream {
        case .coinGecko: coinGeckoEndpoint.plan
        case .gitHub: gitHubEndpoint.plan
        case .sites: siteEndpoint.plan
        }
    }

    /// - Parameter ofListenerItself: whether these routes belong to the listener that a `refused` fault
    /// closes; the response is then sent before it closes.
    func routes(ofListenerItself: Bool) -> [Route] {
        let faults = "/_simulator/faults"
        let coins = "/_simulator/coins"
        let requests = "/_simulator/requests"
        return [
            Route(.get, faults, .async { _ in .response(try self.faults()) }),
            Route(
                .post, faults,
                .async { .response(try await self.inject($0, answerFirst: ofListenerItself)) }),
            Route(.delete, faults, .async { _ in .response(try await self.clear()) }),
            Route(.get, coins, .async { _ in .response(try self.coins()) }),
            Route(.post, coins, .async { .response(try self.change($0)) }),
            Route(.delete, coins, .async { _ in .response(try self.restore()) }),
            Route(.get, requests, .async { _ in .response(try self.requests()) }),
            Route(.delete, requests, .async { _ in .response(try self.clearRequests()) }),
        ] + gitHub.routes
            + SiteControlAPI(sites: sites, plan: siteEndpoint.plan, articleHosts: { self.articleHosts })
            .routes
    }

    private var articleHosts: String {
        listener(.sites).map { SimulatedSite.hostMappings(at: $0.address) } ?? ""
    }
}

extension ControlAPI {
    private struct FaultCommand: Decodable {
        let fault: String
        let path: String?
        let count: Int?
        /// "coingecko", "github" or "sites"; if nil, the fault's name or the path decides.
        let upstream: String?
    }

    private struct FaultState: Encodable {
        let fault: String
        let path: String
        let count: Int?
        let upstream: String
    }

    private struct Faults: Encodable {
        let items: [FaultState]
        let listening: Bool
        let gitHubListening: Bool
    }

    private func faults(status: Int = 200) throws -> Response {
        let items = Upstream.allCases.flatMap { upstream in
            plan(upstream).rules.map {
                FaultState(
                    fault: $0.fault.name, path: $0.path, count: $0.count, upstream: upstream.rawValue)
            }
        }
        return try .json(
            Faults(
                items: items, listening: listener(.coinGecko)?.isOpen ?? false,
                gitHubListening: listener(.gitHub)?.isOpen ?? false),
            status: status)
    }

    private func inject(_ request: Request, answerFirst: Bool) async throws -> Response {
        let command = try request.json(FaultCommand.self)
        guard let fault = Fault(name: command.fault) else {
            let names = Fault.names + Fault.gitHubNames
            throw RequestError.malformed("fault: one of \(names.joined(separator: ", "))")
        }
        let path = command.path ?? ""
        let upstream = command.upstream.flatMap { Upstream(rawValue: $0) } ?? Upstream(of: fault, path: path)
        guard case .refused(let seconds) = fault else {
            plan(upstream).add(FaultRule(fault, path: path, count: command.count))
            return try faults(status: 201)
        }
        let listener = listener(upstream)
        if answerFirst {
            Task {
                try? await Task.sleep(for: .milliseconds(50))
                await listener?.close(for: .seconds(seconds))
            }
        } else {
            await listener?.close(for: .seconds(seconds))
        }
        return try faults(status: 201)
    }

    private func clear() async throws -> Response {
        gitHub.recorded?.clear()
        for upstream in Upstream.allCases {
            plan(upstream).clear()
            await listener(upstream)?.reopen()
        }
        return try faults()
    }
}

extension ControlAPI {
    private struct Coins: Codable {
        var delisted: Set<String>?
        var renamed: [String: String]?
        var malformed: [String: CoinGeckoControls.Malformation]?
        var strayItems: Bool?
    }

    private func coins() throws -> Response {
        let controls = try simulated.controls
        return try .json(
            Coins(
                delisted: controls.delisted, renamed: controls.renamed, malformed: controls.malformed,
                strayItems: controls.strayItems))
    }

    private func change(_ request: Request) throws -> Response {
        let command = try request.json(Coins.self)
        try simulated.change { controls in
            controls.delisted = command.delisted ?? controls.delisted
            controls.renamed = command.renamed ?? controls.renamed
            controls.malformed = command.malformed ?? controls.malformed
            controls.strayItems = command.strayItems ?? controls.strayItems
        }
        return try coins()
    }

    private func restore() throws -> Response {
        try simulated.change { $0 = CoinGeckoControls() }
        return try coins()
    }

    private var simulated: CoinGeckoSimulation {
        get throws {
            guard let simulation else { throw RequestError.malformed("recorded coins cannot be changed") }
            return simulation
        }
    }
}

extension ControlAPI {
    private struct Requests: Encodable {
        let items: [LoggedRequest]
        let counts: [String: Int]
    }

    private func requests() throws -> Response {
        try .json(Requests(items: coinGeckoEndpoint.log.requests, counts: coinGeckoEndpoint.log.counts))
    }

    private func clearRequests() throws -> Response {
        coinGeckoEndpoint.log.clear()
        return try requests()
    }
}

extension Request {
    /// Decodes the body as JSON.
    ///
    /// Throws `RequestError.notJSON` for another content type, and `.malformed` if it cannot be decoded.
    func json<T: Decodable>(_ type: T.Type) throws -> T {
        guard hasJSON else { throw RequestError.notJSON }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw RequestError.malformed(Self.reason(error))
        }
    }

    /// Names the place of the error, never the content.
    private static func reason(_ error: DecodingError) -> String {
        let (problem, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context): ("is missing", context.codingPath + [key])
            case .valueNotFound(_, let context): ("is null", context.codingPath)
            case .typeMismatch(_, let context): ("is of the wrong type", context.codingPath)
            case .dataCorrupted(let context): ("is not valid", context.codingPath)
            @unknown default: ("is not valid", [])
            }
        guard !path.isEmpty else { return "The JSON of the body \(problem)." }
        return "\"\(path.map(\.stringValue).joined(separator: "."))\" in the JSON \(problem)."
    }
}
