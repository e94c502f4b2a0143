import GitHub
import RoostWeb

struct BookmarkChips: Sendable {
    /// Further tags are folded away.
    static let limit = 20

    let mainChips: [Chip]
    let tagChips: [Chip]
    let moreTags: [Chip]
    private let count: Int

    init(_ listing: BookmarkListing, query: BookmarksQuery) {
        count = listing.tags.count
        let all = Chip(
            text: "All", count: listing.total, isCurrent: query.tag.isEmpty && !query.isChangedOnly,
            address: query.narrowed { _ in })
        let changed = Chip(
            text: "Changed", count: listing.changed, isCurrent: query.isChangedOnly,
            address: query.narrowed { $0.isChangedOnly = true })
        mainChips = (listing.changed > 0 || query.isChangedOnly ? [all, changed] : [all])
        let chips = listing.tags.map { tag in
            let isCurrent = tag.name.lowercased() == query.tag.lowercased()
            return Chip(
                text: tag.name, count: tag.count, isCurrent: isCurrent,
                // Clicking the current tag clears it.
                address: query.narrowed { $0.tag = isCurrent ? "" : tag.name })
        }
        // The current tag is always visible, however rarely it is used.
        let first = chips.enumerated().filter { $0.offset < Self.limit || $0.element.isCurrent }
        let rest = chips.enumerated().filter { $0.offset >= Self.limit && !$0.element.isCurrent }
        tagChips = first.map { $0.element }
        moreTags = rest.map { $0.element }
    }

    var hasChips: Bool { mainChips.count > 1 || count > 0 }
    var hasMoreTags: Bool { !moreTags.isEmpty }
    var moreTagCount: String { NumberText.grouped(moreTags.count) }

    struct Chip {
        let text: String
        let count: Int
        let isCurrent: Bool
        let address: String

        var chipCount: String { NumberText.grouped(count) }
    }
}

extension BookmarksQuery {
    /// Clears the tag and `isChangedOnly`, and returns to the first page.
    fileprivate func narrowed(_ change: (inout BookmarksQuery) -> Void) -> String {
        changed {
            ($0.tag, $0.isChangedOnly, $0.pages) = ("", false, 1)
            change(&$0)
        }.path
    }
}
