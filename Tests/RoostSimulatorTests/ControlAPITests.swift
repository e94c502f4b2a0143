import Foundation
import Testing

@testable import RoostSimulator

@Suite struct ControlAPITests {
    @Test func `faults are listed, switched on and cleared over HTTP, on either address`() async throws {
        try await RunningSimulator.run { running in
            for client in [running.client, running.control] {
                let response = await running.post(
                    "/_simulator/faults", #"{"fault":"429:90","path":"/coins","count":3}"#, to: client)
                #expect(response.status == 201)
                #expect(
                    response.text.contains(#""fault":"429:90""#)
                        && response.text.contains(#""path":"/coins""#))
                #expect(await running.client.get("/coins/list").header("Retry-After") == "90")
                #expect(await client.get("/_simulator/faults").text.contains(#""count":2"#))
                let cleared = await client.get("/_simulator/faults", method: "DELETE")
                #expect(cleared.status == 200 && cleared.text.contains(#""items":[]"#))
                #expect(await running.client.get("/coins/list").status == 200)
            }
        }
    }

    @Test func `an unknown fault is refused with the known names`() async throws {
        try await RunningSimulator.run { running in
            let answer = await running.post("/_simulator/faults", #"{"fault":"gremlins"}"#)
            #expect(answer.status == 400)
            #expect(answer.text.contains("429, 500, 503-html"))
            #expect(running.simulator.faults.isEmpty)
            #expect(await running.control.get("/_simulator/faults", method: "POST", body: "x").status == 415)
        }
    }

    @Test func `the control address answers while the simulator refuses connections, and ends the refusal`()
        async throws
    {
        try await RunningSimulator.run { running in
            let response = await running.post("/_simulator/faults", #"{"fault":"refused:600"}"#)
            #expect(response.status == 201 && response.text.contains(#""listening":false"#))
            #expect(await running.client.get("/ping").end == .refused)
            let cleared = await running.control.get("/_simulator/faults", method: "DELETE")
            #expect(cleared.text.contains(#""listening":true"#))
            #expect(await running.eventually { $0.status == 200 })
        }
    }

    @Test func `a refusal ordered on the simulator's own address is answered before it begins`() async throws
    {
        try await RunningSimulator.run { running in
            let response = await running.post(
                "/_simulator/faults", #"{"fault":"refused:600"}"#, to: running.client)
            #expect(response.status == 201)
            #expect(await running.eventually { $0.end == .refused })
            await running.simulator.clear()
            #expect(await running.eventually { $0.status == 200 })
        }
    }

    @Test func `coins are delisted, renamed and broken over HTTP`() async throws {
        try await RunningSimulator.run { running in
            let command =
                #"{"delisted":["dogecoin"],"malformed":{"solana":"negativePrice"},"strayItems":true}"#
            #expect(await running.post("/_simulator/coins", command).status == 200)
            _ = await running.post("/_simulator/coins", #"{"renamed":{"ripple":"Ripple Reborn"}}"#)
            let controls = try #require(running.simulator.coinGecko?.controls)
            #expect(controls.delisted == ["dogecoin"] && controls.renamed == ["ripple": "Ripple Reborn"])
            #expect(controls.malformed == ["solana": .negativePrice] && controls.strayItems)
            #expect(await running.client.get("/coins/list").text.contains("Ripple Reborn"))
            #expect(await running.control.get("/_simulator/coins").text.contains("dogecoin"))
            _ = await running.control.get("/_simulator/coins", method: "DELETE")
            #expect(running.simulator.coinGecko?.controls == CoinGeckoControls())
        }
    }

    @Test func `an unknown way to break a coin is refused`() async throws {
        try await RunningSimulator.run { running in
            let answer = await running.post("/_simulator/coins", #"{"malformed":{"solana":"sideways"}}"#)
            #expect(answer.status == 400)
        }
    }

    @Test func `recorded coins cannot be switched`() async throws {
        let folder = try RecordingsFolder([
            "coins_markets.json": RecordedItems.page(RecordedItems.market("dai"))
        ])
        let configuration = SimulatorConfiguration(recordings: try Recordings(directory: folder.path))
        try await RunningSimulator.run(configuration) { running in
            #expect(await running.post("/_simulator/coins", #"{"delisted":["dai"]}"#).status == 400)
            #expect(await running.control.get("/_simulator/coins").status == 400)
        }
    }

    @Test func `the log is read and emptied over HTTP and does not include requests for it`() async throws {
        try await RunningSimulator.run { running in
            _ = await running.client.get("/ping")
            _ = await running.client.get("/_simulator/requests")
            let log = await running.control.get("/_simulator/requests")
            #expect(log.text.contains(#""counts":{"/ping":1}"#))
            #expect(log.text.contains(#""userAgent":"RoostTests/1""#))
            let emptied = await running.control.get("/_simulator/requests", method: "DELETE")
            #expect(emptied.text.contains(#""items":[]"#))
        }
    }

    @Test func `faults do not affect the control API`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.reset)
            #expect(await running.client.get("/_simulator/faults").status == 200)
        }
    }
}
