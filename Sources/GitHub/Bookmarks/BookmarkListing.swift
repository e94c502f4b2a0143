package import Foundation
import RoostSupport

/// The data of a bookmarks page. Its cost is the same for a hundred or ten thousand bookmarks.
package struct BookmarkListing: Sendable {
    package struct Query: Equatable, Hashable, Sendable {
        package var arrangement: RepositoryArrangement
        package var tag: String?
        package var isChangedOnly: Bool
        /// The number of pages to skip and to show, of a hundred rows each.
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

    /// Includes groups whose rows are on later pages.
    package var index: [(id: String, title: String, count: Int)]
    package var groups: [RepositoryGroup<Bookmark>]
    package var hasMorePages: Bool
    package var total, matching, changed: Int
    /// Most used first.
    package var tags: [(name: String, count: Int)]
    package var stars: StarImport
    package var refusedStars = RefusedRepositories()
    /// While possible.
    var starsUndo: UndoID?
    package var now: Date

    package init(now: Date) {
        (index, groups, hasMorePages, total, matching, changed, tags, stars) = (
            [], [], false, 0, 0, 0, [], .idle
        )
        self.now = now
    }
}
