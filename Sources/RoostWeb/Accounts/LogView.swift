/// `/members/log`: who signed in, who failed to, and what was changed, for owners.
struct LogView: PageView, Sendable {
    /// What the log is narrowed to; the value of the address's `kind`.
    enum Filter: String, Sendable, CaseIterable {
        case all
        case signIns = "sign-ins"
        case changes

        var text: String {
            switch self {
            case .all: "All"
            case .signIns: "Sign-ins"
            case .changes: "Changes"
            }
        }
    }

    let layout: LayoutView
    let rows: [LogRow]
    let filter: Filter
    let older: String?
    let isFirstPage: Bool
    let tabs: SettingsTabs
    let logFilters: [SelectOption]

    /// - Parameters:
    ///   - rows: the newest first
    ///   - older: the id to give as `before` for what came before these; nil at the end
    ///   - isFirstPage: these are the newest of all
    init(
        layout: LayoutView, rows: [LogRow], filter: Filter = .all, older: String? = nil,
        isFirstPage: Bool = true
    ) {
        self.layout = layout
        self.rows = rows
        self.filter = filter
        self.older = older
        self.isFirstPage = isFirstPage
        tabs = SettingsTabs(.log, in: layout, isOwner: true)
        logFilters = Filter.allCases.map {
            SelectOption(value: $0.rawValue, text: $0.text, isChosen: $0 == filter)
        }
    }

    var hasEntries: Bool { !rows.isEmpty }
    var olderAddress: String? {
        older.map { "/members/log?kind=\(filter.rawValue)&before=\(PathSegment($0))" }
    }
    var isLaterPage: Bool { !isFirstPage }
}
