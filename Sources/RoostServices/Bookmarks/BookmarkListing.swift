package import Foundation

/// What is asked of bookmarks, and what is answered.
extension BookmarkService {
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

    /// What a page shows: the same work whether a hundred or ten thousand bookmarks are kept.
    package struct Listing: Sendable {
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
        /// Takes the last import of stars back, while it can.
        package var starsUndo: UndoID?
        package var now: Date

        package init(now: Date) {
            (index, groups, hasMorePages, total, fitting, changed, tags, stars) = (
                [], [], false, 0, 0, 0, [], .idle
            )
            self.now = now
        }
    }

    /// How the import of GitHub's stars stands.
    package enum StarImport: Equatable, Sendable {
        case idle
        /// How many have been read so far.
        case running(Int)
        case done(added: Int, known: Int, at: Date)
        case failed(APIError, read: Int)
    }

    /// What a change can be taken back with, for an hour.
    package typealias UndoID = String

    /// What a change did: the notice after it is made of this.
    package struct ChangeResult: Equatable, Sendable {
        /// How many bookmarks it touched.
        package let count: Int
        /// Of the only one.
        package let fullName: String?
        package let undo: UndoID?

        package init(count: Int, fullName: String?, undo: UndoID?) {
            self.count = count
            self.fullName = fullName
            self.undo = undo
        }
    }

    /// What an import did, row by row where it did not.
    package struct ImportReport: Equatable, Sendable {
        package struct Failure: Equatable, Sendable {
            /// From 1; of CSV the line in the file.
            package let row: Int
            package let why: String

            package init(row: Int, why: String) {
                self.row = row
                self.why = why
            }
        }

        package let added, updated, unchanged: Int
        package let failures: [Failure]
        package let undo: UndoID?

        package init(added: Int, updated: Int, unchanged: Int, failures: [Failure], undo: UndoID?) {
            self.added = added
            self.updated = updated
            self.unchanged = unchanged
            self.failures = failures
            self.undo = undo
        }
    }

    package enum Format: String, Sendable { case json, csv }

    /// What is done with several at once.
    package enum BulkAction: Equatable, Sendable {
        case addTag(String), removeTag(String), remove, markSeen
    }
}
