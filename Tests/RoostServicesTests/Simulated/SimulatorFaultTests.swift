import Foundation
import Testing

@testable import RoostSimulator
@testable import RoostSupport

/// Each fault of the simulator: what it is called, and that the old prices outlive it.
@Suite(.timeLimit(.minutes(2))) struct SimulatorFaultTests {
    /// What the reader is told; a rate limit's time is not compared.
    private enum Kind: Equatable {
        case network, timeout, cut, rateLimit, server(Int), invalid, other

        init(_ error: APIError?) {
            self =
                switch error {
                case .networkUnavailable: .network
                case .timedOut: .timeout
                case .interrupted: .cut
                case .rateLimited: .rateLimit
                case .serverError(let status): .server(status)
                case .invalidResponse: .invalid
                default: .other
                }
        }
    }

    private func survive(_ fault: Fault, as kind: Kind) async throws {
        try await withSimulator { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            let (old, updated) = (fixture.price("bitcoin"), fixture.status.updatedAt)
            #expect(old != nil && updated != nil)
            await fixture.simulator.inject(fault, path: "/coins/markets")
            let version = fixture.services.feed.version(of: [Topic.prices])
            await fixture.services.prices.refresh()
            #expect(Kind(fixture.status.error) == kind, "\(String(describing: fixture.status.error))")
            #expect(fixture.price("bitcoin") == old && fixture.status.updatedAt == updated)
            #expect(fixture.services.feed.version(of: [Topic.prices]) > version)
            let next = try #require(fixture.status.nextTryAt)
            #expect(next > Date() + (kind == .rateLimit ? 50 : 5))
            await fixture.simulator.clear()
            fixture.simulator.forgetRequests()
            await fixture.services.prices.refresh()
            if kind == .rateLimit {
                // CoinGecko asked to be left alone, and is.
                #expect(Kind(fixture.status.error) == .rateLimit && fixture.simulator.requests.isEmpty)
                return
            }
            #expect(fixture.status.error == nil)
            let (before, after) = (try #require(updated), try #require(fixture.status.updatedAt))
            #expect(after > before)
        }
    }

    @Test(arguments: ErrorShape.allCases.filter { $0 != .html })
    func `a rate limit of any shape`(shape: ErrorShape) async throws {
        try await survive(.rateLimited(retryAfter: 60, shape: shape), as: .rateLimit)
    }

    @Test func `a rate limit that names no time`() async throws {
        try await survive(.rateLimited(retryAfter: nil), as: .rateLimit)
    }

    @Test(arguments: [500, 502, 503], [ErrorShape.numbered, .message, .status, .nested])
    func `a server's error of any shape`(status: Int, shape: ErrorShape) async throws {
        try await survive(.serverError(status: status, shape: shape), as: .server(status))
    }

    @Test func `a page of HTML with 503`() async throws {
        try await survive(.html(status: 503), as: .server(503))
    }

    @Test func `a page of HTML in place of JSON`() async throws { try await survive(.html(), as: .invalid) }

    @Test func `JSON that ends in the middle`() async throws {
        try await survive(.truncatedJSON, as: .invalid)
    }

    @Test func `a connection cut in the middle of the answer`() async throws {
        try await survive(.cut, as: .cut)
    }

    @Test func `a connection reset`() async throws { try await survive(.reset, as: .cut) }

    @Test func `nobody listens`() async throws { try await survive(.refused(seconds: 60), as: .network) }

    /// The client gives up after its total limit of 20 s.
    @Test func `an answer that drips`() async throws {
        try await survive(.drip(bytesPerSecond: 20), as: .timeout)
    }

    @Test func `while CoinGecko hangs nobody waits for it`() async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let old = fixture.price("bitcoin")
            await fixture.simulator.inject(.hang, path: "/coins/markets")
            let asked = fixture.simulator.requests(to: "/coins/markets").count
            let refresh = Task { await fixture.services.prices.refresh() }
            try await wait(for: "the hanging request") {
                fixture.simulator.requests(to: "/coins/markets").count > asked && fixture.status.isLoading
            }
            let start = ContinuousClock.now
            let list = try await fixture.services.watchlist.list(of: owner)
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(list.entries.first?.currentPrice == old && list.prices.status.isLoading)
            await fixture.simulator.clear()
            await refresh.value
            #expect(!fixture.status.isLoading)
        }
    }
}
