import Foundation
import TestSupport
import Testing

@testable import RoostSimulator
@testable import RoostSupport

/// Each fault of the simulator: the error that it causes, and that the old prices stay.
@Suite(.timeLimit(.minutes(2))) struct SimulatorFaultTests {
    /// The reported error; a rate limit's time is not compared.
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
            await fixture.services.market.prices.refresh()
            #expect(Kind(fixture.status.error) == kind, "\(String(describing: fixture.status.error))")
            #expect(fixture.price("bitcoin") == old && fixture.status.updatedAt == updated)
            #expect(fixture.services.feed.version(of: [Topic.prices]) > version)
            let next = try #require(fixture.status.nextTryAt)
            #expect(next > Date() + (kind == .rateLimit ? 50 : 5))
            await fixture.simulator.clear()
            fixture.simulator.clearRequests()
            await fixture.services.market.prices.refresh()
            if kind == .rateLimit {
                // CoinGecko asked for a pause, and gets it.
                #expect(Kind(fixture.status.error) == .rateLimit && fixture.simulator.requests.isEmpty)
                return
            }
            #expect(fixture.status.error == nil)
            let (before, after) = (try #require(updated), try #require(fixture.status.updatedAt))
            #expect(after > before)
        }
    }

    @Test(arguments: ErrorShape.allCases.filter { $0 != .html })
    func `a rate limit in any form`(shape: ErrorShape) async throws {
        try await survive(.rateLimited(retryAfter: 60, shape: shape), as: .rateLimit)
    }

    @Test func `a rate limit without a time`() async throws {
        try await survive(.rateLimited(retryAfter: nil), as: .rateLimit)
    }

    @Test(arguments: [500, 502, 503], [ErrorShape.numbered, .message, .status, .nested])
    func `a server error in any form`(status: Int, shape: ErrorShape) async throws {
        try await survive(.serverError(status: status, shape: shape), as: .server(status))
    }

    @Test func `a page of HTML with 503`() async throws {
        try await survive(.html(status: 503), as: .server(503))
    }

    @Test func `HTML instead of JSON`() async throws { try await survive(.html(), as: .invalid) }

    @Test func `truncated JSON`() async throws {
        try await survive(.truncatedJSON, as: .invalid)
    }

    @Test func `a connection cut in the middle of the answer`() async throws {
        try await survive(.cut, as: .cut)
    }

    @Test func `a connection reset`() async throws { try await survive(.reset, as: .cut) }

    @Test func `a refused connection`() async throws {
        try await survive(.refused(seconds: 60), as: .network)
    }
}
