import Foundation
import TestSupport
import Testing

/// Across restarts each crossing fires once, and each firing is posted once.
@Suite struct AlertRestartTests {
    @Test func `a crossing while Roost was stopped fires once, with the first price after the start`()
        async throws
    {
        try await withFolder { folder in
            try await withAlerts(in: folder) { fixture in
                _ = try await fixture.add(.above, "90000")
                await fixture.price("80000")
            }
            try await withAlerts(in: folder) { fixture in
                let alert = try #require(try await fixture.alerts.alerts(of: fixture.user).first)
                #expect(alert.side == .below && alert.crossings == 0)
                await fixture.price("95000")
                await fixture.price("96000")
                let firings = try await fixture.firings(alert)
                #expect(firings == 1)
            }
        }
    }

    @Test func `an alert that fired before a restart does not fire again after it`() async throws {
        try await withFolder { folder in
            try await withAlerts(in: folder) { fixture in
                _ = try await fixture.add(.above, "90000")
                await fixture.price("80000")
                await fixture.price("95000")
            }
            for restart in 1...2 {
                try await withAlerts(in: folder) { fixture in
                    let alert = try #require(try await fixture.alerts.alerts(of: fixture.user).first)
                    await fixture.price("95000")
                    let after = try await fixture.alert(alert.id)
                    #expect(after.crossings == 1, "restart \(restart)")
                    #expect(after.firedText == "Bitcoin rose above 90,000 USD: it is at 95,000 USD.")
                }
            }
        }
    }

    @Test func `the disk stores a side and a text, but no price`() async throws {
        try await withAlerts { fixture in
            _ = try await fixture.add(.above, "90000")
            await fixture.price("81234.5")
            let dump = try fixture.services.sql(
                String.self,
                """
                SELECT coalesce(group_concat(value), '') FROM coin_alerts,
                    json_each(json_array(threshold, side, is_armed, fired_text, crossings))
                """)
            #expect(dump.allSatisfy { !$0.contains("81234") })
            #expect(dump == ["90000,below,1,0"])
        }
    }
}
