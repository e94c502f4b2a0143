import Foundation
import GitHub
import TextFormats

/// One list of the inbox as the page shows it: what stands in a list above is only counted here.
struct PullSectionView: Sendable {
    /// Rows, under the heading of their repository where they are grouped.
    struct Group: Sendable {
        let heading: PullGroupRow?
        let rows: [PullRow]

        init(_ rows: [PullRow], heading: PullGroupRow? = nil) {
            self.rows = rows
            self.heading = heading
        }
    }

    let section: InboxSection
    let groups: [Group]
    let shown: Int
    private let alsoAbove: Int
    let isFiltered: Bool
    let isKnown: Bool

    /// - Parameters:
    ///   - section: with all its items
    ///   - groups: those of its items that are shown
    ///   - above: how many of the items that fit stand in a list above
    ///   - isFiltered: a filter is at work, so that fewer may be shown than there are
    ///   - isKnown: false while GitHub is asked for the first time: that nothing is here says nothing yet
    init(
        _ section: InboxSection, groups: [Group] = [], above: Int = 0, isFiltered: Bool = false,
        isKnown: Bool = true
    ) {
        self.section = section
        self.groups = groups
        shown = groups.reduce(0) { $0 + $1.rows.count }
        alsoAbove = above
        self.isFiltered = isFiltered
        self.isKnown = isKnown
    }
    var sectionCount: String? { isKnown ? count : nil }
    var problem: String? { section.problem }
    var hasRows: Bool { shown > 0 }
    var above: String? { alsoAbove > 0 ? NumberText.grouped(alsoAbove) : nil }
    var emptyWords: String? { shown + alsoAbove == 0 && section.problem == nil ? whyEmpty : nil }

    private var count: String {
        isFiltered ? "\(shown + alsoAbove) of \(section.items.count)" : "\(shown + alsoAbove)"
    }

    var cut: String? {
        let there = section.items.count
        let all = section.total ?? there
        guard section.isCut || all > there else { return nil }
        guard all > there else { return "There are more than these: GitHub hands out 1,000 at most." }
        return
            "These are \(NumberText.grouped(there)) of \(NumberText.grouped(all)): GitHub hands out 1,000 at most."
    }

    private var whyEmpty: String {
        guard isKnown else { return "Asking GitHub …" }
        guard !isFiltered || section.items.isEmpty else { return "Nothing here fits the filter." }
        return section.kind == .turn
            ? "Nothing waits for you. A new request appears here by itself." : "Nothing here."
    }
}

/// A pull request that was put away, with why, and the way back.
struct HiddenPullRow: Sendable {
    let item: HiddenItem
    let words: String

    init(_ item: HiddenItem) {
        self.item = item
        words = item.mark.words
    }
    var hiddenName: String { item.key.short }
    var hiddenTitle: String { item.pull?.title ?? item.key.short }
    var hiddenAddress: String? { item.pull?.htmlURL }
    var hiddenUntil: String? { item.mark.until.map(ISO8601.seconds) }
    var hiddenUntilText: String? {
        item.mark.until.map { "\(RelativeTime.day($0)), \(RelativeTime.clock($0))" }
    }
}

extension PullMark {
    var words: String {
        switch self {
        case .snoozedUntil: "snoozed until"
        case .snoozedUntilChange: "snoozed until it changes"
        case .muted: "muted"
        case .done: "done, returns when it’s your turn again"
        }
    }
}

extension PullKey {
    /// "apple/swift-nio#3214", as GitHub writes it.
    var short: String { "\(owner)/\(name)#\(number)" }
}
