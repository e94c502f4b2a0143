import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator

/// What a watchlist lives through in an afternoon, with a clock that is moved by hand.
@Suite struct WatchlistScenarioTests {
    private let clock = TestClock()

    private struct Poll {
        let status: Int
        let etag: String?
        let retryAfter: String?
        let prices: [String: Decimal]
    }

    private struct Item: Decodable {
        let id: String
        let currentPrice: Decimal?
    }

    private var configuration: SimulatorConfiguration {
        SimulatorConfiguration(seed: 11, step: .seconds(20), clock: clock.clock, listedCoins: 300)
    }

    private func poll(_ simulator: Simulator, _ client: HTTPClient, knowing tag: String? = nil) async throws
        -> Poll
    {
        let ids = "bitcoin%2Cdust-mite%2Cghost-ledger%2Csleepy-otter%2C1move%20token"
        let query = "vs_currency=usd&ids=\(ids)&per_page=250&sparkline=true"
        var request = ClientRequest(url: "\(simulator.coinGeckoURL)/coins/markets?\(query)")
        request.ifNoneMatch = tag
        let response = try await client.send(request)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let items = response.status == 200 ? try decoder.decode([Item].self, from: Data(response.body)) : []
        let priced = items.compactMap { item in item.currentPrice.map { (item.id, $0) } }
        return Poll(
            status: response.status, etag: response.headers["ETag"],
            retryAfter: response.headers["Retry-After"],
            prices: Dictionary(uniqueKeysWithValues: priced))
    }

    private func run(_ test: (Simulator, HTTPClient) async throws -> Void) async throws {
        try await RunningSimulator.run(configuration) { running in
            let client = HTTPClient(userAgent: "RoostTests/1")
            defer { client.shutdown() }
            try await test(running.simulator, client)
        }
    }

    @Test func `within a step nothing is new, with the next step prices are`() async throws {
        try await run { simulator, client in
            let first = try await poll(simulator, client)
            #expect(first.status == 200)
            #expect(first.prices.keys.sorted() == ["1move token", "bitcoin", "dust-mite", "sleepy-otter"])
            clock.advance(seconds: 1)
            #expect(try await poll(simulator, client, knowing: first.etag).status == 304)
            clock.advance(seconds: 20)
            let second = try await poll(simulator, client, knowing: first.etag)
            #expect(second.status == 200)
            #expect(second.prices["dust-mite"] != first.prices["dust-mite"])
            #expect(second.prices["sleepy-otter"] == first.prices["sleepy-otter"])
        }
    }

    @Test func `after an hour the sparkline has moved on by a point`() async throws {
        let before = TestMarket(seed: 11, coins: 200)
        let after = TestMarket(seed: 11, at: TestMarket.moment + Timestamp.hour, coins: 200)
        let old = try #require(try before.coin("bitcoin")?.spark)
        let new = try #require(try after.coin("bitcoin")?.spark)
        #expect(Array(old.dropFirst()) == Array(new.dropLast()))
    }

    @Test func `a rate limit passes and the prices go on from where the clock is`() async throws {
        try await run { simulator, client in
            let calm = try await poll(simulator, client)
            await simulator.inject(.rateLimited(retryAfter: 61), path: "/coins/markets", count: 2)
            for _ in 0..<2 {
                let limited = try await poll(simulator, client)
                #expect(limited.status == 429 && limited.retryAfter == "61" && limited.prices.isEmpty)
            }
            clock.advance(seconds: 61)
            let later = try await poll(simulator, client)
            #expect(later.status == 200)
            #expect(later.prices["bitcoin"] != calm.prices["bitcoin"])
            #expect(simulator.requests.map(\.fault) == [nil, "429:61", "429:61", nil])
        }
    }

    @Test func `a coin that is delisted on the way is missing from the next answer`() async throws {
        try await run { simulator, client in
            #expect(try await poll(simulator, client).prices["sleepy-otter"] != nil)
            simulator.coinGecko?.change { $0.delisted = ["sleepy-otter"] }
            let next = try await poll(simulator, client)
            #expect(next.status == 200)
            #expect(next.prices["sleepy-otter"] == nil && next.prices["bitcoin"] != nil)
        }
    }

    @Test func `after a refusal the same market is back`() async throws {
        try await run { simulator, client in
            let before = try await poll(simulator, client)
            await simulator.inject(.refused(seconds: 600))
            await #expect(throws: HTTPClientError.self) { try await poll(simulator, client) }
            await simulator.clear()
            let after = try await poll(simulator, client)
            #expect(after.prices == before.prices && after.etag == before.etag)
        }
    }

    @Test func `one request is logged for one poll, with everything it asked for`() async throws {
        try await run { simulator, client in
            _ = try await poll(simulator, client)
            let request = try #require(simulator.requests(to: "/coins/markets").first)
            #expect(simulator.requests.count == 1)
            #expect(request.query["ids"] == "bitcoin,dust-mite,ghost-ledger,sleepy-otter,1move token")
            #expect(request.query["sparkline"] == "true")
            #expect(request.userAgent == "RoostTests/1")
        }
    }
}
