import Foundation
import GRDB
import TestSupport
import Testing

@testable import HTTPClient
@testable import Market
@testable import RoostServices

/// Alerts as pages and forms, without scripts.
@Suite struct AlertsPagesTests {
    /// Adds an alert of Ada's for Bitcoin and waits until it fires.
    private static func fired(in testServer: TestServer) async throws -> CoinAlert {
        let owner = testServer.owner.userId
        let alert = try await testServer.services.market.alerts.add(
            NewAlert(coinId: "bitcoin", kind: .above, threshold: "0.01"), for: owner)
        // As if the previous price was below the threshold.
        try await DatabaseFile.open(Services.databasePath(in: testServer.folder)).write {
            try $0.execute(sql: "UPDATE coin_alerts SET side = 'below', is_armed = 1")
        }
        try await eventually("the alert fires") {
            try await testServer.services.market.alerts.alert(alert.id, of: owner).isNew
        }
        return try await testServer.services.market.alerts.alert(alert.id, of: owner)
    }

    private static func all(in testServer: TestServer) async throws -> [CoinAlert] {
        try await testServer.services.market.alerts.alerts(of: testServer.owner.userId)
    }

    @Test func `a form creates an alert and reports that it is armed`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(
                "/alerts", form: "coinId=bitcoin&kind=above&threshold=90000000&conversationId=")
            #expect(answer.status == 303)
            let page = try await testServer.send("GET", try #require(answer.headers["Location"])).text
            #expect(page.contains("Alert for Bitcoin is armed: above 90,000,000 USD."))
            let alerts = try await Self.all(in: testServer)
            #expect(alerts.map(\.coinId) == ["bitcoin"])
        }
    }

    @Test func `a new alert whose price is already passed says so`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let answer = try await testServer.post(
                "/alerts", form: "coinId=bitcoin&kind=above&threshold=0.01")
            let page = try await testServer.send("GET", try #require(answer.headers["Location"])).text
            #expect(page.contains("Bitcoin is already past this (above 0.01 USD)"))
        }
    }

    @Test func `the form returns to the page that contains it, and to no other site`() async throws {
        try await TestServer.with { testServer in
            let form = "coinId=bitcoin&kind=change&threshold=5&back="
            let own = try await testServer.post("/alerts", form: form + "%2Fcoins%2Fbitcoin")
            #expect(own.headers["Location"]?.hasPrefix("/coins/bitcoin") == true)
            let foreign = try await testServer.post("/alerts", form: form + "%2F%2Fevil.example")
            #expect(foreign.headers["Location"]?.hasPrefix("/alerts") == true)
        }
    }

    @Test func `a refused form keeps what was typed, with the reason at its field`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(
                "/alerts", form: "coinId=bitcoin&kind=below&threshold=much")
            #expect(answer.status == 422)
            let page = answer.text
            #expect(page.contains("name=\"threshold\" type=\"text\" value=\"much\""))
            #expect(page.contains("aria-describedby=\"alert-threshold-error\""))
            #expect(page.contains("<option value=\"below\" selected>"))
        }
    }

    @Test func `the form is filled with the coin from the address`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/alerts/new?coin=solana").text
            #expect(page.contains("name=\"coinId\" type=\"text\" value=\"solana\""))
        }
    }

    @Test func `a change is saved, and a refused change is shown open in its row`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.post("/alerts", form: "coinId=bitcoin&kind=above&threshold=90000000")
            let id = try #require(try await Self.all(in: testServer).first).id
            let refused = try await testServer.post("/alerts/\(id)", form: "kind=above&threshold=0")
            #expect(refused.status == 422)
            #expect(refused.text.contains("<details open>"))
            #expect(refused.text.contains("id=\"alert-\(id)-threshold-error\""))
            let saved = try await testServer.post("/alerts/\(id)", form: "kind=below&threshold=0.5")
            #expect(saved.status == 303)
            let alert = try #require(try await Self.all(in: testServer).first)
            #expect(alert.condition == "below 0.5 USD")
        }
    }

    @Test func `removing an alert can be undone`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.post("/alerts", form: "coinId=bitcoin&kind=above&threshold=90000000")
            let id = try #require(try await Self.all(in: testServer).first).id
            let removed = try await testServer.post("/alerts/\(id)/remove")
            let page = try await testServer.send("GET", try #require(removed.headers["Location"])).text
            #expect(page.contains("action=\"/alerts/\(id)/undo\""))
            let remaining = try await Self.all(in: testServer)
            #expect(remaining.isEmpty)
            _ = try await testServer.post("/alerts/\(id)/undo")
            let back = try await Self.all(in: testServer)
            #expect(back.map(\.id) == [id])
        }
    }

    @Test func `fired alerts are counted in the navigation and the title of every page until seen`()
        async throws
    {
        try await TestServer.with { testServer in
            let alert = try await Self.fired(in: testServer)
            let count = "data-live=\"/alerts/count\" data-topics=\"alerts\">"
            let before = try await testServer.send("GET", "/displays").text
            #expect(before.contains("\(count)1</span>"))
            #expect(before.contains("<title>(1) "))
            let text = try await testServer.send("GET", "/alerts/count").text
            #expect(text == "1")
            _ = try await testServer.post("/alerts/seen", form: "id=\(alert.id)&back=%2F")
            let after = try await testServer.send("GET", "/displays").text
            #expect(after.contains("\(count)</span>"))
        }
    }

    @Test func `the home page has a tile of fired alerts if the user has alerts`() async throws {
        try await TestServer.with { testServer in
            let none = try await testServer.send("GET", "/").text
            #expect(!none.contains("/alerts/tile"))
            let alert = try await Self.fired(in: testServer)
            let page = try await testServer.send("GET", "/").text
            #expect(page.contains("data-live=\"/alerts/tile\""))
            #expect(page.contains(try #require(alert.firedText)))
        }
    }

    @Test func `the list shows fired alerts first, and a button arms one again`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.post("/alerts", form: "coinId=solana&kind=above&threshold=90000000")
            let alert = try await Self.fired(in: testServer)
            let page = try await testServer.send("GET", "/alerts").text
            let keys = page.matches(of: /data-key="alert-(\d+)"/).map { String($0.output.1) }
            #expect(keys.first == "\(alert.id)")
            #expect(page.contains("action=\"/alerts/\(alert.id)/arm\""))
            let armed = try await testServer.post("/alerts/\(alert.id)/arm")
            #expect(armed.status == 303)
            let after = try await testServer.services.market.alerts.alert(
                alert.id, of: testServer.owner.userId)
            #expect(!after.isNew)
        }
    }

    @Test func `a fragment contains the alerts of one coin only`() async throws {
        try await TestServer.with { testServer in
            for coin in ["bitcoin", "solana"] {
                _ = try await testServer.post("/alerts", form: "coinId=\(coin)&kind=above&threshold=90000000")
            }
            let list = try await testServer.send("GET", "/alerts/list?coin=solana").text
            #expect(list.contains("href=\"/coins/solana\""))
            #expect(!list.contains("href=\"/coins/bitcoin\""))
            #expect(list.contains("name=\"back\" value=\"/coins/solana\""))
        }
    }

    @Test func `more alerts on a page cause no more SQL statements`() async throws {
        let statements = StatementTrace()
        try await TestServer.with(configure: {
            $0.prepareDatabase = .init { $0.trace { statements.keep("\($0)") } }
        }) { testServer in
            func cost() async throws -> Int {
                // The first request may fill caches.
                _ = try await testServer.send("GET", "/alerts?a=\(UUID())")
                var costs: [Int] = []
                for _ in 1...3 {
                    let before = statements.all.count
                    _ = try await testServer.send("GET", "/alerts?a=\(UUID())")
                    costs.append(statements.all.count - before)
                }
                // The minimum, because prices are refreshed in the background.
                return try #require(costs.min())
            }
            _ = try await testServer.post("/alerts", form: "coinId=bitcoin&kind=above&threshold=90000000")
            let one = try await cost()
            for number in 2...30 {
                _ = try await testServer.services.market.alerts.add(
                    NewAlert(coinId: "bitcoin", kind: .above, threshold: "9000000\(number)"),
                    for: testServer.owner.userId)
            }
            let many = try await cost()
            #expect(many <= one + 2)
        }
    }
}
