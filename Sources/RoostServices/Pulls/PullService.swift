package import Foundation

/// Everybody's pull request inboxes: from memory, refreshed in the background.
package final class PullService: Sendable {
    /// What became of a reader's wish to try now.
    package enum Retry: Equatable, Sendable {
        case started
        case mustWait(until: Date)
    }

    package init() {}

    /// From memory, without any wait.
    package func inbox(of user: UserID) -> Inbox {
        Inbox(sections: [], sources: [], hidden: [], waiting: 0, now: Date())
    }

    /// How many pull requests wait for the user.
    package func waiting(for user: UserID) -> Int { 0 }
    /// Somebody looks at the inbox: it is refreshed every minute for a while.
    package func want(_ user: UserID) {}
    package func retry(for user: UserID) -> Retry { .started }

    /// Throws `RoostError.notFound` for a pull request that is not in the user's inbox, `.invalid(field: "until")` for
    /// a time that is past or more than a year ahead.
    package func mark(_ key: PullKey, _ mark: PullMark, for user: UserID) async throws {}
    /// Brings a pull request back. Throws `RoostError.notFound` when it is not put away.
    package func unmark(_ key: PullKey, for user: UserID) async throws {}

    package func choices(of user: UserID) -> PullChoices { PullChoices() }
    /// Throws `RoostError.invalid(field: "amberHours" or "redHours")`.
    package func choose(_ choices: PullChoices, for user: UserID) async throws {}

    package func ownSections(of user: UserID) -> [OwnSection] { [] }
    /// Throws `RoostError.invalid(field: "name" or "query")`, `.conflict(field: "name")`.
    package func addSection(name: String, query: String, for user: UserID) async throws -> OwnSection {
        OwnSection(id: 0, name: name, query: query, order: 0)
    }
    package func changeSection(_ id: Int64, name: String, query: String, for user: UserID) async throws {}
    /// One place up (-1) or down (+1); stays where there is none.
    package func moveSection(_ id: Int64, by places: Int, for user: UserID) async throws {}
    package func removeSection(_ id: Int64, of user: UserID) async throws {}

    package func forget(_ user: UserID) {}
    package func load() async throws {}
    package func run() async {}
}
