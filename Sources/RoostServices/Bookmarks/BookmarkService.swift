package import Foundation
package import Logging

/// Users' bookmarks: kept in SQLite with all that is known of their repositories, refreshed daily.
package final class BookmarkService: Sendable {
    /// Which of a user's bookmarks are shown, and how.
    package struct Wish: Equatable, Hashable, Sendable {
        package var arrangement: RepositoryArrangement
        /// Only those with this tag.
        package var tag: String?
        /// Only those with changes that the user has not seen.
        package var isChangedOnly: Bool
        /// Of a hundred rows each.
        package var pages: Int

        package init(
            arrangement: RepositoryArrangement = .init(), tag: String? = nil, isChangedOnly: Bool = false,
            pages: Int = 1
        ) {
            self.arrangement = arrangement
            self.tag = tag
            self.isChangedOnly = isChangedOnly
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

    /// What a change can be taken back with, for an hour or until the program ends.
    package typealias UndoID = String

    /// What a change did: the notice after it is made of this.
    package struct Done: Equatable, Sendable {
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
    package struct Imported: Equatable, Sendable {
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
    package enum Bulk: Equatable, Sendable {
        case addTag(String), removeTag(String), remove, markSeen
    }

    private let clock: WallClock

    init(
        repositories: RepositoryService, store: BookmarkStore, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.clock = clock
    }

    package func listing(_ wish: Wish, for user: UserID) async throws -> Listing { Listing(now: clock.now()) }

    /// From memory: which rows of other lists are marked.
    package func marked(by user: UserID) -> Set<RepositoryID> { [] }
    package func count(of user: UserID) -> Int { 0 }
    /// How many have changes that the user has not seen.
    package func changed(for user: UserID) -> Int { 0 }

    /// Nil: not bookmarked.
    package func bookmark(named name: RepositoryName, of user: UserID) async throws -> Bookmark? { nil }

    /// Bookmarks a repository; one that is bookmarked already stays as it is (count 0). What Roost does not know yet is
    /// asked for first (10 s at most). Throws `RoostError.invalid(field: "fullName")`, `.notFound`, `.unavailable`, and
    /// `.conflict` past 20,000.
    package func add(_ name: RepositoryName, for user: UserID) async throws -> (Done, Bookmark) {
        throw RoostError.notFound("There is no such repository, or none that you may see.")
    }

    /// Throws `RoostError.notFound` where it is not bookmarked.
    package func remove(_ name: RepositoryName, of user: UserID) async throws -> Done {
        throw RoostError.notFound("This repository is not among your bookmarks.")
    }

    /// Nil leaves it as it is. Throws `RoostError.invalid(field: "tags")`, `(field: "note")`, `.notFound`.
    package func edit(_ name: RepositoryName, tags: [String]?, note: String?, of user: UserID) async throws
        -> Done
    {
        throw RoostError.notFound("This repository is not among your bookmarks.")
    }

    /// Ids that are not the user's are passed over. Throws `RoostError.invalid(field: "tag")`.
    package func change(_ ids: [BookmarkID], _ bulk: Bulk, of user: UserID) async throws -> Done {
        Done(count: 0, fullName: nil, undo: nil)
    }

    /// Throws `RoostError.notFound` when it is too late.
    package func undo(_ id: UndoID, for user: UserID) async throws -> Done {
        throw RoostError.notFound("This can no longer be undone.")
    }

    /// Reads JSON or CSV of ours, of other programs, or written by hand. Never waits for GitHub: names alone are resolved
    /// in the background. Throws `RoostError.invalid(field: "file")` for what is neither.
    package func read(_ file: [UInt8], for user: UserID) async throws -> Imported {
        Imported(added: 0, updated: 0, unchanged: 0, failures: [], undo: nil)
    }

    package func export(_ format: Format, of user: UserID) async throws -> [UInt8] { [] }

    /// Begins to bookmark all that the user has starred on GitHub; `Listing.stars` and `Topic.bookmarks` follow it. Throws
    /// `RoostError.unavailable` without an account.
    package func importStars(for user: UserID) throws {}

    package func load() async throws {}
    package func forget(_ user: UserID) {}
    package func run() async {}
}
