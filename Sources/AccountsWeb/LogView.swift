import Foundation
import RoostWeb
import TextFormats

struct LogView: PageView, Sendable {
    static let scripts = ["accounts"]

    /// The `kind` field of the query.
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

    /// - Parameter older: the id for `before` on the next page, or nil at the end
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

struct LogRow: Sendable {
    let id: String
    /// "Ada Lovelace signed in."
    let sentence: String
    var isFailure = false
    let at: Date
    /// Nil on the command line, like `device`.
    var address: String?
    var device: String?

    private var origin: String { [device, address].compactMap(\.self).joined(separator: " · ") }
    var entryTime: String { ISO8601.seconds(at) }
    var entryMoment: String { "\(RelativeTime.day(at)), \(RelativeTime.clock(at))" }
    var entryOrigin: String? { origin.isEmpty ? nil : origin }
}
