import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

/// An hour of each fault of CoinGecko, in simulated time.
@Suite(.timeLimit(.minutes(2))) struct FaultHourTests {
    private static let faults: [String: ScriptedUpstream.Response] = [
        "too many requests": .init(status: 429),
        "too many requests, with a wait": .init(status: 429, headers: ["Retry-After: 119"]),
        "server error": .init(status: 500), "unavailable": .init(status: 503, headers: ["Retry-After: 30"]),
        "a page instead of JSON": .init(
            headers: ["Content-Type: text/html"], body: "<html>Maintenance</html>"),
        "half of the JSON": .init(body: #"[{"id": "bitcoin", "#), "no body": .init(),
        "no answer": .init(hangsUp: true), "a wrong key": .init(status: 401),
    ]

    @Test(arguments: faults.keys.sorted())
    func `an hour of a fault costs few requests, and the first good answer ends it`(_ name: String)
        async throws
    {
        let fault = try #require(Self.faults[name])
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.prices.watch()
            await fixture.prices.refresh()
            #expect(fixture.status.updatedAt == fixture.clock.now)
            fixture.upstream.turn { _ in fault }
            fixture.clock.advance(61)
            let end = fixture.clock.now + 3_600
            var requests = 0
            while fixture.clock.now < end, requests < 100 {
                fixture.prices.watch()
                await fixture.prices.refresh()
                requests += 1
                #expect(fixture.status.error != nil)
                #expect(fixture.prices.snapshot.table["bitcoin"] != nil)
                let next = try #require(fixture.status.nextTryAt)
                fixture.clock.advance(max(next.timeIntervalSince(fixture.clock.now), 0) + 1)
            }
            #expect((2...60).contains(requests))
            fixture.upstream.turn(to: fixture.script.answer)
            fixture.prices.watch()
            await fixture.prices.refresh()
            #expect(fixture.status.error == nil)
            #expect(fixture.status.updatedAt == fixture.clock.now)
        }
    }
}
