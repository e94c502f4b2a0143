import Foundation
import RoostWeb

/// `/alerts/tile` on the home page: fired alerts, unseen ones first.
struct AlertsTileView: Sendable {
    private static let limit = 5

    let rows: [AlertRow]
    let total: Int
    let newCount: Int
    let isEmpty: Bool

    init(rows: [AlertRow]) {
        let fired = rows.filter { $0.alert.firedAt != nil }
            .sorted { ($0.alert.firedAt ?? .distantPast) > ($1.alert.firedAt ?? .distantPast) }
        self.rows = Array((fired.filter(\.isNew) + fired.filter { !$0.isNew }).prefix(Self.limit))
        total = rows.count
        newCount = rows.count(where: \.isNew)
        isEmpty = rows.isEmpty
    }

    var tile: HomeTile { HomeTile("Alerts", at: "/alerts/tile", topics: [AlertsFeature.topic], self) }

    var hasRows: Bool { !rows.isEmpty }
    var hasNew: Bool { newCount > 0 }
}
