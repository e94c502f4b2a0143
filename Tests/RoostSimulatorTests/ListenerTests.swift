import Foundation
import Testing

@testable import RoostSimulator

@Suite struct ListenerTests {
    @Test func `the later of two refusals replaces the earlier one`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.refused(seconds: 0.2))
            await running.simulator.inject(.refused(seconds: 600))
            // The end of the first refusal must not reopen the listener that the second one closed.
            for _ in 0..<10 {
                #expect(await running.client.get("/ping").end == .refused)
                try await Task.sleep(for: .milliseconds(50))
            }
            await running.simulator.clear()
            #expect(await running.eventually { $0.status == 200 })
        }
    }

    @Test func `a simulator that is stopped during a refusal does not come back`() async throws {
        let simulator = try Simulator(RunningSimulator.small)
        try simulator.start()
        let client = RawClient(address: simulator.address)
        await simulator.inject(.refused(seconds: 0.1))
        await simulator.stop()
        for _ in 0..<8 {
            #expect(await client.get("/ping").end == .refused)
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func `a refusal cuts off running requests`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.hang, count: 1)
            async let hanging = running.client.get("/ping")
            let end = ContinuousClock.now + .seconds(10)
            while running.simulator.requests.isEmpty, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            await running.simulator.inject(.refused(seconds: 600))
            #expect(await hanging.status != 200)
            await running.simulator.clear()
            #expect(await running.eventually { $0.status == 200 })
        }
    }

    @Test func `an address in use is refused with a message`() async throws {
        try await RunningSimulator.run { running in
            var configuration = RunningSimulator.small
            configuration.address = running.simulator.address
            let second = try Simulator(configuration)
            do {
                try second.start()
                Issue.record("two simulators listen on \(running.simulator.address)")
            } catch {
                #expect("\(error)".contains(running.simulator.address))
            }
            await second.stop()
        }
    }

    @Test func `two simulators run next to each other with markets of their own`() async throws {
        var other = RunningSimulator.small
        other.seed = 99
        try await RunningSimulator.run { one in
            try await RunningSimulator.run(other) { two in
                let target = "/coins/markets?vs_currency=usd&ids=bitcoin"
                #expect(await one.client.get(target).body != two.client.get(target).body)
                await one.simulator.inject(.serverError())
                #expect(await one.client.get("/ping").status == 500)
                #expect(await two.client.get("/ping").status == 200)
            }
        }
    }

    @Test func `concurrent clients get the same bytes while a switch is used`() async throws {
        try await RunningSimulator.run { running in
            let before = await running.client.get("/coins/list").body
            let client = running.client
            let bodies = await withTaskGroup(of: [UInt8].self) { group in
                for number in 0..<40 {
                    group.addTask {
                        if number == 20 { running.simulator.coinGecko?.change { $0.delisted = ["dogecoin"] } }
                        return await client.get("/coins/list").body
                    }
                }
                return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            let after = await running.client.get("/coins/list").body
            #expect(before != after)
            #expect(bodies.isSubset(of: [before, after]))
        }
    }

    @Test func `methods other than GET are refused, and HEAD has no body`() async throws {
        try await RunningSimulator.run { running in
            let target = "/coins/markets?vs_currency=usd"
            let agent = ["User-Agent: RoostTests/1"]
            #expect(await running.client.get(target, headers: agent, method: "POST", body: "x").status == 405)
            let head = await running.client.get(target, headers: agent, method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }
}
