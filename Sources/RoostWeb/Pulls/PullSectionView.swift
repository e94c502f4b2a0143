import Foundation
package import RoostServices

/// One list of the inbox as the page shows it: what stands in a list above is only counted here.
package struct PullSectionView: ViewFields {
    package let section: InboxSection
    package let rows: [PullRow]
    package let rendered: String
    package let shown: Int
    package let above: Int
    package let isFiltered: Bool
    package let isKnown: Bool
    private let rowParts: [Part]

    /// - Parameters:
    ///   - section: with all its items
    ///   - rows: those of its items that are shown
    ///   - rendered: the same rows as text, by the template of a row, where they were rendered before
    ///   - shown: how many rows there are
    ///   - above: how many of the items that fit stand in a list above
    ///   - isFiltered: a filter is at work, so that fewer may be shown than there are
    ///   - isKnown: false while GitHub is asked for the first time: that nothing is here says nothing yet
    package init(
        _ section: InboxSection, rows: [PullRow] = [], rendered: String = "", shown: Int, above: Int = 0,
        isFiltered: Bool = false, isKnown: Bool = true
    ) {
        self.section = section
        self.rows = rows
        self.rendered = rendered
        self.shown = shown
        self.above = above
        self.isFiltered = isFiltered
        self.isKnown = isKnown
        rowParts = rows.map(Part.init)
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "sectionId": section.id
        case "sectionName": section.name
        case "sectionCount": isKnown ? count : nil
        case "problem": section.problem
        case "rendered": rendered
        case "rows": rowParts
        case "hasRows": shown > 0
        case "above": above > 0 ? Figure.grouped(above) : nil
        case "cut": cut
        case "emptyWords": shown + above == 0 && section.problem == nil ? emptyWords : nil
        default: nil
        }
    }

    private var count: String {
        isFiltered ? "\(shown + above) of \(section.items.count)" : "\(shown + above)"
    }

    private var cut: String? {
        let there = section.items.count
        let all = section.total ?? there
        guard section.isCut || all > there else { return nil }
        guard all > there else { return "There are more than these: GitHub hands out 1,000 at most." }
        return "These are \(Figure.grouped(there)) of \(Figure.grouped(all)): GitHub hands out 1,000 at most."
    }

    private var emptyWords: String {
        guard isKnown else { return "Asking GitHub …" }
        guard !isFiltered || section.items.isEmpty else { return "Nothing here fits the filter." }
        return section.kind == .turn
            ? "Nothing waits for you. A new request appears here by itself." : "Nothing here."
    }
}

/// A pull request that was put away, with why, and the way back.
package struct HiddenPullRow: ViewFields {
    package let item: HiddenItem
    package let words: String

    package init(_ item: HiddenItem) {
        self.item = item
        words = item.mark.words
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "hiddenKey": item.key.description
        case "hiddenPath": item.key.path
        case "hiddenName": item.key.short
        case "hiddenTitle": item.pull?.title ?? item.key.short
        case "hiddenAddress": item.pull?.htmlURL
        case "hiddenWords": words
        case "hiddenUntil": item.mark.until.map(AgeText.iso)
        case "hiddenUntilText": item.mark.until.map { "\(AgeText.day($0)), \(AgeText.clock($0))" }
        default: nil
        }
    }
}

extension PullMark {
    var words: String {
        switch self {
        case .snoozedUntil: "snoozed until"
        case .snoozedUntilChange: "snoozed until it changes"
        case .muted: "muted"
        case .done: "done, until it is your turn anew"
        }
    }

    var until: Date? { if case .snoozedUntil(let date) = self { date } else { nil } }
}

extension PullKey {
    /// "apple/swift-nio#3214", as GitHub writes it.
    var short: String { "\(owner)/\(name)#\(number)" }
}
