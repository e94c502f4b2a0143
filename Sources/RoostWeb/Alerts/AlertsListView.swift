import Foundation
import Market
import RoostSupport

/// `/alerts/list`: one's alerts, or those of one coin, those first that fired and were not seen.
struct AlertsListView: Sendable {
    let rows: [AlertRow]
    let back: String

    /// - Parameter back: where its forms lead back to
    init(rows: [AlertRow], back: String) {
        self.rows = rows.filter(\.isNew) + rows.filter { !$0.isNew }
        self.back = back
    }

    var hasRows: Bool { !rows.isEmpty }
    var hasNew: Bool { rows.contains(where: \.isNew) }
}
