/// `/members/sessions`: where everybody is signed in, for owners.
struct AllSessionsView: PageView, Sendable {
    let layout: LayoutView
    let rows: [SessionRow]
    let tabs: SettingsTabs

    /// - Parameter rows: with their persons, the last seen first
    init(layout: LayoutView, rows: [SessionRow]) {
        self.layout = layout
        self.rows = rows
        tabs = SettingsTabs(.sessions, in: layout, isOwner: true)
    }

    var sessions: [SessionRow] { rows }
}
