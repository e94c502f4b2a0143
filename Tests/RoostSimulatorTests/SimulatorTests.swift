import Foundation
import Testing

@testable import RoostSimulator

@Suite struct SimulatorTests {
    @Test func `the server answers with the simulation's answers`() async throws {
        try await RunningSimulator.run { running in
            let target = "/coins/markets?vs_currency=usd&ids=bitcoin,-6&sparkline=true"
            let answer = await running.client.get("/api/v3" + target)
            #expect(answer.status == 200)
            #expect(answer.body == TestMarket(coins: 300).ask(target, host: running.simulator.address).body)
            #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
            #expect(answer.header("Cache-Control") == "max-age=30, public, must-revalidate, s-maxage=60")
            #expect(await running.client.get(target).body == answer.body)
        }
    }

    @Test func `its addresses name its actual port`() async throws {
        try await RunningSimulator.run { running in
            let simulator = running.simulator
            #expect(simulator.address.wholeMatch(of: /127\.0\.0\.1:[1-9]\d+/) != nil)
            #expect(simulator.url == "http://\(simulator.address)")
            #expect(simulator.coinGeckoURL == "http://\(simulator.address)/api/v3")
            #expect(
                simulator.controlURL.hasPrefix("http://127.0.0.1:") && simulator.controlURL != simulator.url)
        }
    }

    @Test(arguments: [
        "0.0.0.0:0", "192.168.1.4:80", "[::]:0", "example.org:80", ":8080", "127.0.0.1.example.org:80", "",
    ])
    func `it cannot listen for other machines`(_ address: String) {
        #expect(throws: SimulatorError.notLoopback(address)) {
            try Simulator(SimulatorConfiguration(address: address))
        }
        #expect(throws: SimulatorError.notLoopback(address)) {
            try Simulator(SimulatorConfiguration(controlAddress: address))
        }
        #expect("\(SimulatorError.notLoopback(address))".contains("not a loopback address"))
    }

    @Test func `a known ETag is answered 304, for a page and for the list`() async throws {
        try await RunningSimulator.run { running in
            for target in ["/coins/markets?vs_currency=usd", "/coins/list"] {
                let first = await running.client.get(target)
                let tag = try #require(first.header("ETag"))
                let second = await running.client.get(
                    target, headers: ["User-Agent: RoostTests/1", "If-None-Match: \(tag)"])
                #expect(second.status == 304, "\(target)")
                #expect(second.body.isEmpty)
                #expect(second.header("ETag") == tag)
                #expect(running.simulator.requests.last?.ifNoneMatch == tag)
            }
        }
    }

    @Test func `the list is compressed for clients that accept it`() async throws {
        try await RunningSimulator.run { running in
            let plain = await running.client.get("/coins/list")
            let small = await running.client.get(
                "/coins/list", headers: ["User-Agent: RoostTests/1", "Accept-Encoding: gzip"])
            #expect(small.header("Content-Encoding") == "gzip")
            #expect(small.body.count * 2 < plain.body.count)
            #expect(small.body.starts(with: [0x1F, 0x8B]))
        }
    }

    @Test func `without a User-Agent the answer is 403 with a JSON body`() async throws {
        try await RunningSimulator.run { running in
            let answer = await running.client.get("/ping", headers: [])
            #expect(answer.status == 403)
            #expect(
                answer.text.contains(
                    #"{"status":{"error_code":403,"error_message":"Please add a descriptive User-Agent"#))
        }
    }

    @Test func `requests are counted with their queries and agents`() async throws {
        try await RunningSimulator.run { running in
            _ = await running.client.get("/api/v3/coins/markets?vs_currency=usd&ids=a%20b")
            _ = await running.client.get("/ping", headers: ["User-Agent: other"])
            let requests = running.simulator.requests
            #expect(requests.map(\.path) == ["/coins/markets", "/ping"])
            #expect(requests[0].target == "/api/v3/coins/markets?vs_currency=usd&ids=a%20b")
            #expect(requests[0].query == ["vs_currency": "usd", "ids": "a b"])
            #expect(requests.map(\.userAgent) == ["RoostTests/1", "other"])
            #expect(running.simulator.requests(to: "/ping").count == 1)
            running.simulator.clearRequests()
            #expect(running.simulator.requests.isEmpty)
        }
    }

    @Test func `recordings are replayed instead of the simulation`() async throws {
        let folder = try RecordingsFolder([
            "coins_markets.json": RecordedItems.page(RecordedItems.market("bitcoin", price: "67291.10")),
            "errors/403_agent.json": #"{"recorded":true}"#, "errors/500_x.json": #"{"broken":true}"#,
        ])
        let configuration = SimulatorConfiguration(recordings: try Recordings(directory: folder.path))
        try await RunningSimulator.run(configuration) { running in
            let answer = await running.client.get("/api/v3/coins/markets?vs_currency=usd&ids=bitcoin")
            #expect(answer.text.contains(#""current_price":67291.10,"#))
            #expect(await running.client.get("/ping", headers: []).text.contains(#"{"recorded":true}"#))
            await running.simulator.inject(.serverError(), count: 1)
            #expect(await running.client.get("/ping").text.contains(#"{"broken":true}"#))
            #expect(running.simulator.coinGecko == nil)
        }
    }

    @Test func `starting is fast, because the market is made by the first request`() throws {
        let begin = ContinuousClock.now
        _ = try Simulator(SimulatorConfiguration(seed: 3))
        #expect(ContinuousClock.now - begin < .milliseconds(100))
    }

    @Test func `paths that CoinGecko does not have are 404 with JSON`() async throws {
        try await RunningSimulator.run { running in
            for target in [
                "/api/v3", "/coins", "/api/v3/nfts/list",
                "/coins/%5Bno%5D/market_chart?vs_currency=usd&days=1",
            ] {
                let answer = await running.client.get(target)
                #expect(answer.status == 404, "\(target)")
                #expect(answer.text.contains(#"{"error":""#), "\(target)")
            }
            #expect(await running.client.get("/").status == 404)
        }
    }

    @Test func `nothing listens after the stop`() async throws {
        let simulator = try Simulator(RunningSimulator.small)
        try simulator.start()
        let client = RawClient(address: simulator.address)
        #expect(await client.get("/ping").status == 200)
        await simulator.stop()
        #expect(await client.get("/ping").end == .refused)
        await simulator.stop()
    }
}

@Suite struct KeyTests {
    private func status(_ keys: SimulatorKeys, _ headers: String...) async throws -> (Int?, String) {
        var result = RawClient.Result()
        var configuration = RunningSimulator.small
        configuration.keys = keys
        try await RunningSimulator.run(configuration) { running in
            result = await running.client.get("/ping", headers: ["User-Agent: RoostTests/1"] + headers)
        }
        return (result.status, result.text)
    }

    @Test func `without configured keys they are not checked`() async throws {
        #expect(try await status(SimulatorKeys(), "x-cg-pro-api-key: anything").0 == 200)
    }

    @Test func `the free host accepts its key or none, and refuses a wrong one`() async throws {
        let keys = SimulatorKeys(demo: "CG-demo")
        #expect(try await status(keys, "x-cg-demo-api-key: CG-demo").0 == 200)
        #expect(try await status(keys).0 == 200)
        let wrong = try await status(keys, "x-cg-demo-api-key: CG-other")
        #expect(wrong.0 == 401)
        #expect(wrong.1.contains(#""error_code":10002"#))
    }

    @Test func `the paid host requires its key`() async throws {
        let keys = SimulatorKeys(pro: "CG-pro")
        #expect(try await status(keys, "x-cg-pro-api-key: CG-pro").0 == 200)
        let none = try await status(keys)
        #expect(none.0 == 401)
        #expect(none.1.contains(#""error_code":10002"#))
    }

    @Test func `a key at the wrong host gets the error that names the right host`() async throws {
        let pro = try await status(SimulatorKeys(demo: "CG-demo"), "x-cg-pro-api-key: CG-pro")
        #expect(pro.0 == 400)
        #expect(pro.1.contains(#""error_code":10010"#))
        let demo = try await status(SimulatorKeys(pro: "CG-pro"), "x-cg-demo-api-key: CG-demo")
        #expect(demo.0 == 400)
        #expect(demo.1.contains(#""error_code":10011"#))
    }
}
