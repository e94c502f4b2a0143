import Foundation
import Testing

@testable import RoostSimulator

/// Every fault as a raw socket client sees it.
@Suite struct FaultTests {
    private let list = "/coins/list"

    @Test func `429 has Retry-After and its JSON`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.rateLimited(retryAfter: 119))
            let answer = await running.client.get("/ping")
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After") == "119")
            #expect(
                answer.text.contains(
                    #"{"status":{"error_code":429,"error_message":"You've exceeded the Rate Limit."#))
            await running.simulator.inject(.rateLimited(retryAfter: nil), count: 1)
            #expect(await running.client.get("/ping").header("Retry-After") == nil)
        }
    }

    @Test(arguments: [
        (ErrorShape.status, #"{"status":{"error_code":429,"#),
        (.nested, #"{"error":{"status":{"error_code":429,"#),
        (.message, #"{"error":"You've exceeded"#), (.numbered, #"{"status":429,"error":"#),
        (.text, "Throttled"),
        (.blocked, "error code: 1015"), (.html, "<!DOCTYPE html>"),
    ])
    func `429 is sent in every form`(_ shape: ErrorShape, _ begin: String) async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.rateLimited(shape: shape))
            let answer = await running.client.get("/ping")
            #expect(answer.status == 429)
            #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix(begin))
            let isJSON = begin.hasPrefix("{")
            #expect(answer.header("Content-Type")?.hasPrefix("application/json") == isJSON)
        }
    }

    @Test(arguments: [
        (ErrorShape.status, #"{"status":{"error_code":502,"error_message":"Bad Gateway"}}"#),
        (.nested, #"{"error":{"status":{"error_code":502,"error_message":"Bad Gateway"}}}"#),
        (.message, #"{"error":"Bad Gateway"}"#), (.numbered, #"{"status":502,"error":"Bad Gateway"}"#),
        (.text, "Bad Gateway"), (.blocked, "error code: 1015"),
    ])
    func `5xx is sent in every form`(_ shape: ErrorShape, _ body: String) async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.serverError(status: 502, shape: shape))
            let answer = await running.client.get("/ping")
            #expect(answer.status == 502)
            #expect(String(decoding: answer.body, as: UTF8.self) == body)
        }
    }

    @Test func `HTML is sent instead of JSON, with 200 and with 503`() async throws {
        try await RunningSimulator.run { running in
            for (fault, status) in [(Fault.html(), 200), (.html(status: 503), 503)] {
                await running.simulator.inject(fault, count: 1)
                let answer = await running.client.get("/ping")
                #expect(answer.status == status)
                #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
                #expect(answer.text.contains("<!DOCTYPE html>"))
            }
        }
    }

    @Test func `truncated JSON is a complete HTTP answer`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.truncatedJSON)
            let answer = await running.client.get(list)
            #expect(answer.status == 200)
            #expect(answer.header("Content-Length") == String(answer.body.count))
            #expect(answer.end == .closed)
            #expect(answer.body.count > 1000)
            #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(answer.body)) }
            #expect(TestMarket(coins: 300).ask(list).body.starts(with: answer.body))
        }
    }

    @Test func `a cut answer is shorter than its Content-Length`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.cut)
            let answer = await running.client.get(list)
            #expect(answer.status == 200)
            let promised = try #require(answer.header("Content-Length").flatMap { Int($0) })
            #expect(answer.body.count < promised)
            #expect(answer.end != .timeout)
        }
    }

    @Test func `a dripping answer has started and does not end`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.drip(bytesPerSecond: 20))
            let answer = await running.client.get(list, until: { $0.body.count >= 6 })
            #expect(answer.status == 200)
            #expect(answer.end == .satisfied)
            // Two bytes every tenth of a second: a list of 20 KB would take fifteen minutes.
            #expect((6...400).contains(answer.body.count))
        }
    }

    @Test func `a dripping answer starts with the real one`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.drip(bytesPerSecond: 200))
            let answer = await running.client.get("/ping")
            #expect(answer.end == .closed)
            #expect(answer.text.contains("To the Moon!"))
        }
    }

    @Test func `a hanging request gets no bytes until the faults are cleared`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.hang)
            #expect(await running.client.get("/ping", within: .milliseconds(400)).bytes.isEmpty)
            async let answer = running.client.get("/ping")
            let end = ContinuousClock.now + .seconds(10)
            while running.simulator.requests.count < 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            await running.simulator.clear()
            #expect(await answer.status == 200)
        }
    }

    @Test func `a reset connection sends no bytes`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.reset)
            let answer = await running.client.get("/ping")
            #expect(answer.bytes.isEmpty)
            #expect(answer.end == .reset)
        }
    }

    @Test func `a refusing simulator returns on the same port automatically`() async throws {
        try await RunningSimulator.run { running in
            let address = running.simulator.address
            await running.simulator.inject(.refused(seconds: 0.5))
            #expect(await running.client.get("/ping").end == .refused)
            #expect(await running.eventually { $0.status == 200 })
            #expect(running.simulator.address == address)
        }
    }

    @Test func `clearing ends a refusal at once`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.refused(seconds: 600))
            #expect(await running.client.get("/ping").end == .refused)
            await running.simulator.clear()
            #expect(await running.eventually { $0.status == 200 })
        }
    }

    @Test func `stopping does not wait for requests that hang or drip`() async throws {
        let begin = ContinuousClock.now
        try await RunningSimulator.run { running in
            await running.simulator.inject(.hang)
            _ = await running.client.get("/ping", within: .milliseconds(100))
            await running.simulator.inject(.drip(bytesPerSecond: 1))
            _ = await running.client.get(list, within: .milliseconds(100))
        }
        // Otherwise they would take two minutes and hours; a busy machine needs some seconds.
        #expect(ContinuousClock.now - begin < .seconds(60))
    }

    @Test func `a fault for a path and a count does not affect other requests`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.serverError(), path: "/api/v3/coins/markets", count: 1)
            #expect(running.simulator.faults == [FaultRule(.serverError(), path: "/coins/markets", count: 1)])
            #expect(await running.client.get("/ping").status == 200)
            #expect(await running.client.get("/coins/markets?vs_currency=usd").status == 500)
            #expect(await running.client.get("/coins/markets?vs_currency=usd").status == 200)
            #expect(running.simulator.requests.map(\.fault) == [nil, "500", nil])
        }
    }
}
