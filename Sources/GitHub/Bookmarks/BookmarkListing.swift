package import Foundation

/// What a page shows: the same work whether a hundred or ten thousand bookmarks are kept.
package struct BookmarkListing: Sendable {
    /// Which of a user's bookmarks are shown, and how.
    package struct Query: Equatable, Hashable, Sendable {
        package var arrangement: RepositoryArrangement
        /// Only those with this tag.
        package var tag: String?
        /// Only those with changes that the user has not seen.
        package var isChangedOnly: Bool
        /// Pages passed over, and pages shown: of a hundred rows each.
        package var from: Int
        package var pages: Int

        package init(
            arrangement: RepositoryArrangement = .init(), tag: String? = nil, isChangedOnly: Bool = false,
            from: Int = 0, pages: Int = 1
        ) {
            self.arrangement = arrangement
            self.tag = tag
            self.isChangedOnly = isChangedOnly
            self.from = from
            self.pages = pages
        }
    }

    /// The head of every group with how many fit, whether its rows are among `groups` or come later.
    package var index: [(id: String, title: String, count: Int)]
    /// With rows: as many as the wish has pages.
    package var groups: [RepositoryGroup<Bookmark>]
    package var hasMorePages: Bool
    /// All, those that fit, and those with changes not seen.
    package var total, fitting, changed: Int
    /// Every tag with how often it is used, most used first.
    package var tags: [(name: String, count: Int)]
    package var stars: StarImport
    /// Stars that the last import left out.
    package var refusedStars = RefusedRepositories()
    /// Takes the last import of stars back, while it can.
    var starsUndo: BookmarkService.UndoID?
    package var now: Date

    package init(now: Date) {
        (index, groups, hasMorePages, total, fitting, changed, tags, stars) = (
            [], [], false, 0, 0, 0, [], .idle
        )
        self.now = now
    }
}
