import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

@Suite struct AlertServiceTests {
    // MARK: Prices

    @Test func `a price that rises above the threshold fires once with a message`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("89999.5")
            await fixture.price("90120.55")
            await fixture.price("91000")
            let fired = try await fixture.alert(alert.id)
            #expect(fired.crossings == 1)
            #expect(fired.firedText == "Bitcoin rose above 90,000 USD: it is at 90,120.55 USD.")
            #expect(fired.firedAt == fixture.clock.now - 61)
            #expect(!fired.isArmed)
        }
    }

    @Test func `a price that falls below the threshold fires`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.below, "60000")
            await fixture.price("64000")
            await fixture.price("59999.999")
            let text = try await fixture.alert(alert.id).firedText
            #expect(text == "Bitcoin fell below 60,000 USD: it is at 59,999.999 USD.")
        }
    }

    @Test func `a change within 24 hours fires and names the percentage`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.change, "5")
            await fixture.price("64000")
            let (clock, upstream) = (fixture.clock, fixture.services.upstream)
            upstream.turn { _ in
                let item = CoinGeckoScript.item("bitcoin", price: "60000", at: clock.now, change: "-6.257")
                return .init(body: "[\(item)]")
            }
            await fixture.price("60000")
            let text = try await fixture.alert(alert.id).firedText
            #expect(text == "Bitcoin fell by 6.26 % within 24 hours: it is at 60,000 USD.")
        }
    }

    @Test func `an alert that starts beyond its threshold waits until the price is back`() async throws {
        try await withAlerts { fixture in
            _ = try await fixture.add(.above, "1")
            await fixture.price("64000")
            let alert = try await fixture.add(.above, "60000")
            #expect(!alert.isArmed)
            #expect(alert.side == .above)
            await fixture.price("65000")
            let early = try await fixture.firings(alert)
            #expect(early == 0)
            await fixture.price("50000")
            await fixture.price("65000")
            let late = try await fixture.firings(alert)
            #expect(late == 1)
        }
    }

    @Test func `a missing price fires nothing and keeps the side`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            await fixture.price("null")
            let without = try await fixture.alert(alert.id)
            #expect(without.side == .below && without.crossings == 0)
            await fixture.price("95000")
            let firings = try await fixture.firings(alert)
            #expect(firings == 1)
        }
    }

    @Test func `a delisted coin fires nothing until it is listed again`() async throws {
        try await withAlerts { fixture in
            _ = try await fixture.add(.above, "1", coin: "ethereum")
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            await fixture.price(nil)
            await fixture.price(nil)
            let unavailable = try await fixture.firings(alert)
            #expect(unavailable == 0)
            await fixture.price("95000")
            let back = try await fixture.firings(alert)
            #expect(back == 1)
        }
    }

    @Test func `a stale price fires nothing`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            fixture.services.script.set("bitcoin", to: "95000")
            fixture.clock.advance(61)
            await fixture.services.prices.refresh()
            // The worker runs so late that the price is stale.
            fixture.clock.advance(600)
            await fixture.alerts.check(fixture.services.prices.snapshot(in: "usd"))
            let late = try await fixture.firings(alert)
            #expect(late == 0)
            await fixture.price("95000")
            let fresh = try await fixture.firings(alert)
            #expect(fresh == 1)
        }
    }

    @Test func `a price that CoinGecko has not updated for an hour fires nothing`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            let traded = fixture.clock.now - 3_700
            fixture.services.upstream.turn { _ in
                .init(body: "[\(CoinGeckoScript.item("bitcoin", price: "95000", at: traded))]")
            }
            await fixture.price("95000")
            let firings = try await fixture.firings(alert)
            #expect(firings == 0)
        }
    }

    @Test func `a crossing during an outage fires once, with the first price after it`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            fixture.services.upstream.turn { _ in .init(status: 503) }
            await fixture.price("95000")
            fixture.clock.advance(7_200)
            await fixture.price("95000")
            let during = try await fixture.firings(alert)
            #expect(during == 0)
            fixture.services.upstream.turn(to: fixture.services.script.answer)
            await fixture.price("95000")
            await fixture.price("96000")
            let after = try await fixture.firings(alert)
            #expect(after == 1)
        }
    }

    @Test func `a clock change neither fires an alert nor stops one from firing`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            for jump in [86_400.0, -172_800] {
                fixture.clock.jump(jump)
                await fixture.price("80000")
            }
            let before = try await fixture.firings(alert)
            #expect(before == 0)
            await fixture.price("95000")
            let after = try await fixture.alert(alert.id)
            #expect(after.crossings == 1 && after.firedAt == fixture.clock.now)
        }
    }

    @Test func `an alert in another currency uses only that currency's prices`() async throws {
        try await withAlerts { fixture in
            let euros = try await fixture.add(.above, "90000", currency: "EUR")
            #expect(euros.currency == "eur")
            await fixture.price("80000", in: "eur")
            await fixture.price("95000", in: "usd")
            let dollars = try await fixture.firings(euros)
            #expect(dollars == 0)
            await fixture.price("95000", in: "eur")
            let text = try await fixture.alert(euros.id).firedText
            #expect(text == "Bitcoin rose above 90,000 EUR: it is at 95,000 EUR.")
        }
    }

    @Test func `an alert that the database could not store fires with the next price`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            try fixture.services.change(
                "CREATE TRIGGER full BEFORE UPDATE ON coin_alerts BEGIN SELECT RAISE(ABORT, 'full'); END")
            await fixture.price("95000")
            let full = try await fixture.firings(alert)
            #expect(full == 0)
            try fixture.services.change("DROP TRIGGER full")
            await fixture.price("95500")
            let firings = try await fixture.firings(alert)
            #expect(firings == 1)
        }
    }

    // MARK: Demand

    @Test func `alerts keep prices coming while no page is open, with one request per currency`()
        async throws
    {
        try await withAlerts { fixture in
            _ = try await fixture.add(.above, "90000")
            _ = try await fixture.add(.below, "1", coin: "ethereum")
            let worker = Task { await fixture.alerts.run() }
            let refresher = Task { await fixture.services.prices.run() }
            func requestedIDs() -> [String] {
                fixture.services.upstream.requests(to: "/coins/markets").compactMap { $0.query["ids"] }
            }
            try await wait(for: "the first prices") { fixture.services.status.updatedAt != nil }
            for _ in 0..<2 {
                let count = requestedIDs().count
                fixture.clock.advance(61)
                await fixture.alerts.watchPrices()
                try await wait(for: "the next prices") { requestedIDs().count > count }
                try await wait(for: "the end of the refresh") { !fixture.services.status.isLoading }
            }
            #expect(requestedIDs() == ["bitcoin,ethereum", "bitcoin,ethereum", "bitcoin,ethereum"])
            worker.cancel()
            refresher.cancel()
            await worker.value
            await refresher.value
        }
    }

    @Test func `the worker fires alerts after a refresh and notifies the pages`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "64000.5")
            try fixture.services.change("UPDATE coin_alerts SET side = 'below'")
            let feed = fixture.services.services.feed
            let version = feed.version(of: [Topic.alerts(fixture.user)])
            let worker = Task { await fixture.alerts.run() }
            let refresher = Task { await fixture.services.prices.run() }
            try await wait(for: "the alert") { try await fixture.firings(alert) == 1 }
            try await wait(for: "the published change") {
                feed.version(of: [Topic.alerts(fixture.user)]) > version
            }
            worker.cancel()
            refresher.cancel()
            await worker.value
            await refresher.value
        }
    }

    @Test func `a removed alert requests no prices`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            let before = try await fixture.alerts.watched()
            #expect(before == ["usd": ["bitcoin"]])
            try await fixture.alerts.remove(alert.id, of: fixture.user)
            let after = try await fixture.alerts.watched()
            #expect(after.isEmpty)
        }
    }

    // MARK: Editing

    @Test func `an alert's coin can be given by id, symbol or name`() async throws {
        try await withAlerts { fixture in
            for text in ["bitcoin", "BTC", "Bitcoin", " btc "] {
                let alert = try await fixture.add(.above, "90000", coin: text)
                #expect(alert.coinId == "bitcoin" && alert.name == "Bitcoin")
            }
        }
    }

    @Test(arguments: [
        (NewAlert(coinId: "nonsense", kind: .above, threshold: "1"), "coinId"),
        (NewAlert(coinId: "", kind: .above, threshold: "1"), "coinId"),
        (NewAlert(coinId: "bitcoin", kind: .above, threshold: "0"), "threshold"),
        (NewAlert(coinId: "bitcoin", kind: .above, threshold: "much"), "threshold"),
        (NewAlert(coinId: "bitcoin", kind: .change, threshold: "0.01"), "threshold"),
        (NewAlert(coinId: "bitcoin", kind: .change, threshold: "10001"), "threshold"),
        (NewAlert(coinId: "bitcoin", kind: .above, threshold: "1", currency: "gold"), "currency"),
        (
            NewAlert(coinId: "bitcoin", kind: .above, threshold: "1", conversationId: "other"),
            "conversationId"
        ),
    ])
    func `an invalid alert is refused at its field`(_ new: NewAlert, _ field: String) async throws {
        try await withAlerts { fixture in
            let error = await #expect(throws: RoostError.self) {
                try await fixture.alerts.add(new, for: fixture.user)
            }
            guard case .invalid(let name, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(name == field)
        }
    }

    @Test func `a new threshold resets the alert, and a new conversation does not`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            await fixture.price("95000")
            let same = try await fixture.alerts.change(
                alert.id, AlertChange(conversationId: .some(nil)), of: fixture.user)
            #expect(!same.isArmed && same.side == .above)
            let higher = try await fixture.alerts.change(
                alert.id, AlertChange(threshold: "96000"), of: fixture.user)
            #expect(higher.isArmed && higher.side == .below)
            await fixture.price("97000")
            let firings = try await fixture.firings(alert)
            #expect(firings == 2)
        }
    }

    @Test func `changing only the kind is refused if the threshold does not fit it`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await #expect(throws: RoostError.self) {
                try await fixture.alerts.change(alert.id, AlertChange(kind: .change), of: fixture.user)
            }
        }
    }

    @Test func `an alert that was armed by hand does not wait for a margin`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            await fixture.price("90000")
            await fixture.price("89999")
            let waiting = try await fixture.alert(alert.id)
            #expect(!waiting.isArmed)
            let armed = try await fixture.alerts.arm(alert.id, of: fixture.user)
            #expect(armed.isArmed && !armed.isNew)
            await fixture.price("90001")
            let firings = try await fixture.firings(alert)
            #expect(firings == 2)
        }
    }

    @Test func `a removed alert can be restored unchanged for a day`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            try fixture.services.change("INSERT INTO coin_alert_posts VALUES (\(alert.id), 1, 'x', 'Waits')")
            try await fixture.alerts.remove(alert.id, of: fixture.user)
            await fixture.price("95000")
            await #expect(throws: RoostError.self) { try await fixture.alert(alert.id) }
            fixture.clock.advance(80_000)
            let restored = try await fixture.alerts.undoRemove(alert.id, of: fixture.user)
            #expect(restored.side == .below && restored.crossings == 0)
            #expect(
                try fixture.services.sql(String.self, "SELECT text FROM coin_alert_posts") == ["Waits"])
            try await fixture.alerts.remove(alert.id, of: fixture.user)
            fixture.clock.advance(86_401)
            await #expect(throws: RoostError.self) {
                try await fixture.alerts.undoRemove(alert.id, of: fixture.user)
            }
        }
    }

    @Test func `a fired alert is new until it is seen, and again after the next crossing`() async throws {
        try await withAlerts { fixture in
            let alert = try await fixture.add(.above, "90000")
            await fixture.price("80000")
            await fixture.price("95000")
            let counts = try await fixture.alerts.database.read {
                try fixture.alerts.counts($0, of: fixture.user)
            }
            #expect(counts == ["bitcoin": AlertService.Count(all: 1, new: 1)])
            try await fixture.alerts.markSeen(of: fixture.user)
            let seen = try await fixture.alerts.database.read {
                try fixture.alerts.newCount($0, of: fixture.user)
            }
            #expect(seen == 0)
            await fixture.price("80000")
            await fixture.price("95000")
            let again = try await fixture.alerts.database.read {
                try fixture.alerts.newCount($0, of: fixture.user)
            }
            #expect(again == 1)
            let crossings = try await fixture.firings(alert)
            #expect(crossings == 2)
        }
    }

    @Test func `a user has at most a hundred alerts`() async throws {
        try await withAlerts { fixture in
            for number in 1...AlertService.limit { _ = try await fixture.add(.above, "\(number)") }
            let removed = try #require(try await fixture.alerts.alerts(of: fixture.user).first)
            await #expect(throws: RoostError.self) { try await fixture.add(.above, "1000") }
            try await fixture.alerts.remove(removed.id, of: fixture.user)
            _ = try await fixture.add(.above, "1000")
            await #expect(throws: RoostError.self) {
                try await fixture.alerts.undoRemove(removed.id, of: fixture.user)
            }
        }
    }

    @Test func `a user has alerts in at most three currencies`() async throws {
        try await withAlerts { fixture in
            let first = try await fixture.add(.above, "1", currency: "usd")
            for code in ["eur", "jpy"] { _ = try await fixture.add(.above, "1", currency: code) }
            let refusal = RoostError.invalid(
                field: "currency",
                why: "You already have alerts in EUR, JPY, USD, and can’t add another currency.")
            await #expect(throws: refusal) { try await fixture.add(.above, "1", currency: "btc") }
            _ = try await fixture.add(.below, "1", currency: "eur")
            try await fixture.alerts.remove(first.id, of: fixture.user)
            _ = try await fixture.add(.above, "1", currency: "btc")
            await #expect(throws: RoostError.self) {
                try await fixture.alerts.undoRemove(first.id, of: fixture.user)
            }
        }
    }

    @Test func `other users' alerts do not exist`() async throws {
        try await withAlerts { fixture in
            let (alerts, id) = (fixture.alerts, try await fixture.add(.above, "90000").id)
            let ada = try await fixture.services.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let unknown = RoostError.notFound("There is no such alert.")
            await #expect(throws: unknown) { try await alerts.alert(id, of: ada) }
            await #expect(throws: unknown) {
                try await alerts.change(id, AlertChange(threshold: "1"), of: ada)
            }
            await #expect(throws: unknown) { try await alerts.arm(id, of: ada) }
            await #expect(throws: unknown) { try await alerts.markSeen(id, of: ada) }
            await #expect(throws: unknown) { try await alerts.remove(id, of: ada) }
            try await alerts.remove(id, of: fixture.user)
            await #expect(throws: unknown) { try await alerts.undoRemove(id, of: ada) }
            let hers = try await alerts.alerts(of: ada)
            #expect(hers.isEmpty)
        }
    }

    @Test func `an index finds a currency's alerts and the number of new ones`() async throws {
        try await withAlerts { fixture in
            let byCurrency = try fixture.services.plan(
                of: "SELECT * FROM coin_alerts WHERE currency = 'usd'")
            #expect(byCurrency.steps.contains { $0.contains("coin_alerts_by_currency") })
            let new = try fixture.services.plan(
                of: """
                    SELECT count(*) FROM coin_alerts WHERE user_id = 1 AND fired_at IS NOT NULL AND seen_at IS NULL
                    """)
            #expect(new.steps.contains { $0.contains("coin_alerts_not_seen") })
        }
    }
}
