import HTTPServer
import Synchronization

/// `/_simulator/...`: faults, coins and the log over HTTP, in JSON.
///
///     GET, POST, DELETE /_simulator/faults     {"fault": "429:90", "path": "/coins/markets", "count": 3}
///     GET, POST, DELETE /_simulator/coins      {"delisted": [ID], "renamed": {ID: NAME}, ...}
///     GET, DELETE       /_simulator/requests
final class Switchboard: Sendable {
    private let front: CoinGeckoFront
    private let simulation: CoinGeckoSimulation?
    private let listener = Mutex<Listener?>(nil)

    init(front: CoinGeckoFront, simulation: CoinGeckoSimulation?) {
        self.front = front
        self.simulation = simulation
    }

    /// The listener's routes need this switchboard: it comes second.
    func attach(_ listener: Listener) {
        self.listener.withLock { $0 = listener }
    }

    /// - Parameter ofListenerItself: answers before it closes the listener that it is asked through.
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
            Route(.delete, requests, .async { _ in .response(try self.forget()) }),
        ]
    }
}

extension Switchboard {
    private struct FaultOrder: Decodable {
        let fault: String
        let path: String?
        let count: Int?
    }

    private struct FaultState: Encodable {
        let fault: String
        let path: String
        let count: Int?
    }

    private struct Faults: Encodable {
        let items: [FaultState]
        let listening: Bool
    }

    private func faults(status: Int = 200) throws -> Response {
        let items = front.plan.rules.map { FaultState(fault: $0.fault.name, path: $0.path, count: $0.count) }
        let isOpen = listener.withLock { $0 }?.isOpen ?? false
        return try .json(Faults(items: items, listening: isOpen), status: status)
    }

    private func inject(_ request: Request, answerFirst: Bool) async throws -> Response {
        let order = try request.json(FaultOrder.self)
        guard let fault = Fault(name: order.fault) else {
            throw RequestError.malformed("fault: one of \(Fault.names.joined(separator: ", "))")
        }
        guard case .refused(let seconds) = fault else {
            front.plan.add(FaultRule(fault, path: order.path ?? "", count: order.count))
            return try faults(status: 201)
        }
        let listener = self.listener.withLock { $0 }
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
        front.plan.clear()
        await listener.withLock { $0 }?.reopen()
        return try faults()
    }
}

extension Switchboard {
    private struct Coins: Codable {
        var delisted: Set<String>?
        var renamed: [String: String]?
        var malformed: [String: CoinGeckoSwitches.Malformation]?
        var strayItems: Bool?
    }

    private func coins() throws -> Response {
        let switches = try simulated.switches
        return try .json(
            Coins(
                delisted: switches.delisted, renamed: switches.renamed, malformed: switches.malformed,
                strayItems: switches.strayItems))
    }

    /// What is named replaces what was; the rest stays.
    private func change(_ request: Request) throws -> Response {
        let order = try request.json(Coins.self)
        try simulated.change { switches in
            switches.delisted = order.delisted ?? switches.delisted
            switches.renamed = order.renamed ?? switches.renamed
            switches.malformed = order.malformed ?? switches.malformed
            switches.strayItems = order.strayItems ?? switches.strayItems
        }
        return try coins()
    }

    private func restore() throws -> Response {
        try simulated.change { $0 = CoinGeckoSwitches() }
        return try coins()
    }

    private var simulated: CoinGeckoSimulation {
        get throws {
            guard let simulation else { throw RequestError.malformed("recorded coins cannot be changed") }
            return simulation
        }
    }
}

extension Switchboard {
    private struct Requests: Encodable {
        let items: [LoggedRequest]
        let counts: [String: Int]
    }

    private func requests() throws -> Response {
        try .json(Requests(items: front.log.requests, counts: front.log.counts))
    }

    private func forget() throws -> Response {
        front.log.clear()
        return try requests()
    }
}
