import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator

@Suite struct SiteServerTests {
    private static let gazette = "www.harbour-gazette.example"

    private func get(
        _ address: String, _ running: RunningSimulator, within deadline: Duration = .seconds(60)
    ) async -> RawClient.Result {
        let rest = address.dropFirst("http://".count), host = rest.prefix { $0 != "/" }
        return await running.client.get(
            String(rest.dropFirst(host.count)), host: String(host), within: deadline)
    }

    @Test func `sites answer under their names, and CoinGecko under the address`() async throws {
        try await RunningSimulator.run { running in
            let front = await get("http://\(Self.gazette)/", running)
            #expect(front.status == 200 && front.text.contains("The Harbour Gazette"))
            #expect(await get("http://\(Self.gazette):80/", running).status == 200)
            #expect(await running.client.get("/ping").header("Content-Type")?.contains("json") == true)
            #expect(await get("http://unknown.example/", running).status == 404)
        }
    }

    @Test func `the setting for Roost names every host and the simulator's address`() async throws {
        try await RunningSimulator.run { running in
            let simulator = running.simulator
            let pairs = simulator.articleHosts.split(separator: ",").map(String.init)
            #expect(pairs == SimulatedSite.hosts.map { "\($0)=\(simulator.address)" })
            let state = await running.control.get("/_simulator/sites").text
            #expect(state.contains("\"articleHosts\":\"\(simulator.articleHosts)\""))
        }
    }

    @Test func `requests are in the log with their complete address`() async throws {
        try await RunningSimulator.run { running in
            _ = await get("http://\(Self.gazette)/r/1?x=y", running)
            let request = try #require(running.simulator.requests(to: "http://\(Self.gazette)/r/1").first)
            #expect(request.target == "/r/1?x=y" && request.query == ["x": "y"])
        }
    }

    @Test func `one address is always unavailable, one never answers, and one is slow`() async throws {
        try await RunningSimulator.run { running in
            #expect(await get(SiteSimulation.SpecialURL.unavailable, running).status == 503)
            let silent = await get(SiteSimulation.SpecialURL.silent, running, within: .milliseconds(300))
            #expect(silent.end == .timeout && silent.bytes.isEmpty)
            let begin = ContinuousClock.now
            #expect(await get(SiteSimulation.SpecialURL.slow, running).status == 200)
            #expect(ContinuousClock.now - begin >= .seconds(3))
        }
    }

    @Test func `faults affect addresses with the given prefix, and no other upstream`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.serverError(), path: "http://\(Self.gazette)/2026", count: 1)
            let article = "http://\(Self.gazette)\(SimulatedSite.harbourGazette.articles[0].path)"
            #expect(await running.client.get("/ping").status == 200)
            #expect(await get("http://\(Self.gazette)/", running).status == 200)
            #expect(await get(article, running).status == 500)
            #expect(await get(article, running).status == 200)
        }
    }

    @Test func `pages are changed, slowed, broken and restored over HTTP`() async throws {
        try await RunningSimulator.run { running in
            let address = "http://blog.tidewright.example/posts/measure-twice-mend-once"
            func post(_ rest: String) async -> RawClient.Result {
                await running.post("/_simulator/sites", #"{"site":{"url":"\#(address)"\#(rest)}}"#)
            }
            #expect(await post(#","text":"Changed by a test.""#).status == 200)
            #expect(await get(address, running).text.contains("<p>Changed by a test.</p>"))
            let state = await running.control.get("/_simulator/sites").text
            #expect(state.contains(#""changed":{"\#(address)":{"text":"Changed by a test."}}"#))
            _ = await post(#","slow":0.2"#)
            let begin = ContinuousClock.now
            #expect(await get(address, running).text.contains("Changed by a test.") == false)
            #expect(ContinuousClock.now - begin >= .milliseconds(200))
            _ = await post("")
            #expect(running.simulator.faults.isEmpty)
            _ = await post(#","fault":"503-html","count":1"#)
            #expect(running.simulator.faults.count == 1)
            #expect(await get(address, running).status == 503)
            #expect(await get(address, running).status == 200)
            _ = await post(#","status":404"#)
            _ = await running.control.get("/_simulator/sites", method: "DELETE")
            #expect(await get(address, running).status == 200)
        }
    }

    @Test(arguments: [
        #"{"site":{"url":"http://example.org/"}}"#, #"{"site":{"url":"https://blog.tidewright.example/"}}"#,
        #"{"site":{"url":"http://blog.tidewright.example/","fault":"gremlins"}}"#, #"{"page":{}}"#,
    ])
    func `orders for unknown pages are refused`(_ command: String) async throws {
        try await RunningSimulator.run { running in
            #expect(await running.post("/_simulator/sites", command).status == 400)
        }
    }

    @Test func `the decompression bomb unpacks to far more than its size`() async throws {
        try await RunningSimulator.run { running in
            let client = HTTPClient(userAgent: "RoostTests/1")
            defer { client.shutdown() }
            let path = try #require(SiteSimulation.SpecialURL.bomb.wholeMatch(of: #/http://([^/]+)(/.*)/#))
            var request = ClientRequest(url: "http://\(running.simulator.address)\(path.2)")
            request.headers = [("Host", String(path.1))]
            request.maximumBytes = 5 << 20
            let failure: HTTPClientError?
            do throws(HTTPClientError) {
                _ = try await client.send(request)
                failure = nil
            } catch { failure = error }
            #expect(failure == .tooLarge(limit: 5 << 20))
        }
    }
}
