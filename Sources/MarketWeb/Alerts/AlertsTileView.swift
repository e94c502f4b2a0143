import Foundation
import RoostWeb

/// `/alerts/tile` on the home page: fired alerts, unseen ones first.
struct AlertsTileView: Sendable {
    static let kind = TileKind("alerts", "Alerts")

    let rows: [AlertRow]
    let total: Int
    let newCount: Int
    let isEmpty: Bool

    init(rows: [AlertRow], limit: Int = TileScope().rows) {
        let fired = rows.filter { $0.alert.firedAt != nil }
            .sorted { ($0.alert.firedAt ?? .distantPast) > ($1.alert.firedAt ?? .distantPast) }
        self.rows = Array((fired.filter(\.isNew) + fired.filter { !$0.isNew }).prefix(limit))
        total = rows.count
        newCount = rows.count(where: \.isNew)
        isEmpty = rows.isEmpty
    }

    var tile: HomeTile {
        HomeTile(
            Self.kind, topics: [AlertsFeature.topic], self,
            sentences: newCount > 0 ? [CountText.of(newCount, "alert") + " fired."] : [])
    }

    var hasRows: Bool { !rows.isEmpty }
    var hasNew: Bool { newCount > 0 }
}
