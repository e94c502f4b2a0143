import Foundation
import GitHub
import RoostWeb
import TextFormats

/// One list of the inbox page. Items that a list above shows are only counted here.
struct PullSectionView: Sendable {
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
    let isLoaded: Bool
    /// A filter opens every section, so that no match is hidden.
    let isOpen: Bool

    /// - Parameters:
    ///   - groups: the items of `section` that are shown
    ///   - above: how many matching items a list above already shows
    ///   - isCollapsed: whether the reader has folded the section
    ///   - isLoaded: false during the first request, when an empty list means nothing
    init(
        _ section: InboxSection, groups: [Group] = [], above: Int = 0, isFiltered: Bool = false,
        isLoaded: Bool = true, isCollapsed: Bool = false
    ) {
        self.section = section
        self.groups = groups
        shown = groups.reduce(0) { $0 + $1.rows.count }
        alsoAbove = above
        self.isFiltered = isFiltered
        self.isLoaded = isLoaded
        isOpen = !isCollapsed || isFiltered
    }
    var sectionCount: String? { isLoaded ? count : nil }
    var hasRows: Bool { shown > 0 }
    var above: String? { alsoAbove > 0 ? NumberText.grouped(alsoAbove) : nil }
    var emptyMessage: String? { shown + alsoAbove == 0 && section.problem == nil ? emptyReason : nil }

    private var count: String {
        isFiltered ? "\(shown + alsoAbove) of \(section.items.count)" : "\(shown + alsoAbove)"
    }

    var truncationMessage: String? {
        let loaded = section.items.count
        let all = section.total ?? loaded
        guard section.isCut || all > loaded else { return nil }
        guard all > loaded else { return "There are more: GitHub returns at most 1,000." }
        let counts = "\(NumberText.grouped(loaded)) of \(NumberText.grouped(all))"
        return "Showing \(counts): GitHub returns at most 1,000."
    }

    private var emptyReason: String {
        guard isLoaded else { return "Loading …" }
        guard !isFiltered || section.items.isEmpty else { return "Nothing here matches the filter." }
        return section.kind == .turn
            ? "Nothing waits for you. New requests appear here automatically." : "Nothing here."
    }
}

struct HiddenPullRow: Sendable {
    let item: HiddenItem
    let markText: String

    init(_ item: HiddenItem) {
        self.item = item
        markText = item.mark.text
    }
    var hiddenTitle: String { item.pull?.title ?? item.key.short }
    var hiddenAddress: String? { item.pull == nil ? nil : item.key.page() }
    var hiddenUntil: String? { item.mark.until.map(ISO8601.seconds) }
    var hiddenUntilText: String? {
        item.mark.until.map { "\(RelativeTime.day($0)), \(RelativeTime.clock($0))" }
    }
}

extension PullMark {
    var text: String {
        switch self {
        case .snoozedUntil: "snoozed until"
        case .snoozedUntilChange: "snoozed until it changes"
        case .muted: "muted"
        case .done: "done, returns when it’s your turn again"
        }
    }
}

/// Distinguishes an empty inbox from one that has not loaded.
enum InboxLoadState: Hashable, Sendable {
    /// At least one account has loaded, or none is connected.
    case loaded
    case loading
    /// The first request failed; the page shows the error separately.
    case failed
    case signedOut

    init(_ sources: [InboxSource]) {
        if sources.isEmpty || sources.contains(where: { $0.updatedAt != nil }) {
            self = .loaded
        } else if sources.allSatisfy({ $0.authentication == .unauthenticated && $0.error != .wrongKey }) {
            self = .signedOut
        } else {
            let canStillLoad = sources.contains { $0.error == nil && $0.authentication != .unauthenticated }
            self = canStillLoad ? .loading : .failed
        }
    }

    /// Hides empty built-in sections, except the first, which also reports that the inbox is loading.
    func shows(_ section: InboxSection) -> Bool {
        switch self {
        case .loaded: section.kind == .turn || section.kind == .own || !section.items.isEmpty
        case .loading: section.kind == .turn
        case .failed, .signedOut: false
        }
    }
}
