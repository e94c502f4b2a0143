/// `/members/sessions`: where everybody is signed in, for owners.
package struct AllSessionsView: PageView, Sendable {
    package let layout: LayoutView
    package let rows: [SessionRow]
    let tabs: SettingsTabs

    /// - Parameter rows: with their persons, the last seen first
    package init(layout: LayoutView, rows: [SessionRow]) {
        self.layout = layout
        self.rows = rows
        tabs = SettingsTabs(.sessions, in: layout, isOwner: true)
    }

    package static let sample = AllSessionsView(
        layout: .settingsSample,
        rows: zip(
            [0, 1, 0, 2], [.sample, PersonView(name: "Grace Hopper"), .sample, PersonView(name: "李 小龙")]
        )
        .enumerated().map { index, pair in
            let row = SessionRow.samples[pair.0]
            return SessionRow(
                id: "\(index)", person: pair.1, device: row.device, address: row.address,
                startedAt: row.startedAt, lastSeenAt: row.lastSeenAt, isThis: index == 0, now: row.now)
        })

    var sessions: [SessionRow] { rows }
}
