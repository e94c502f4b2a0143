package import Foundation
package import RoostServices
import Synchronization

/// Rows and whole lists of inboxes as text, kept until what they show, or the words for an age in them, change.
package final class PullRowCache: Sendable {
    package struct Row: Sendable {
        package let text: String
        package let until: Date
    }

    private struct RowKey: Hashable {
        let account: GitHubAccountID
        let address: String
    }

    private struct KeptRow {
        let item: InboxItem
        let avatar: String?
        let row: Row
    }

    /// What a user's lists are kept by.
    struct ListsKey: Hashable, Sendable {
        let user: UserID
        let query: InboxQuery
        let choices: PullChoices
        let knowledge: InboxKnowledge
    }

    private struct KeptLists {
        let version: Int
        let made: PullLists.Made
    }

    /// A few hundred pull requests of a few people; more are ones that are gone.
    private static let rowLimit = 5_000
    private static let listLimit = 64

    private let rows = Mutex<[RowKey: KeptRow]>([:])
    private let lists = Mutex<[ListsKey: KeptLists]>([:])

    package init() {}

    /// The row as it was rendered before, if nothing in it has changed since.
    package func row(_ item: InboxItem, avatar: String?, now: Date, rendering render: (String?) -> String)
        -> Row
    {
        let key = RowKey(account: item.accountId, address: item.pull.htmlURL)
        if let kept = rows.withLock({ $0[key] }), kept.row.until > now, kept.avatar == avatar,
            kept.item == item
        {
            return kept.row
        }
        let row = Row(
            text: render(avatar),
            until: min(
                WaitText.change(of: item.pull.updatedAt, now: now),
                WaitText.change(of: item.waitingSince, now: now)))
        rows.withLock { rows in
            if rows.count >= Self.rowLimit { rows.removeAll() }
            rows[key] = KeptRow(item: item, avatar: avatar, row: row)
        }
        return row
    }

    /// The lists as they were made before, if they are still true.
    ///
    /// - Parameter version: of the topics that they hang on
    func lists(_ key: ListsKey, version: Int, now: Date, making make: () throws -> PullLists.Made) rethrows
        -> String
    {
        if let kept = lists.withLock({ $0[key] }), kept.version == version, kept.made.until > now {
            return kept.made.text
        }
        let made = try make()
        lists.withLock { lists in
            if lists.count >= Self.listLimit { lists.removeAll() }
            lists[key] = KeptLists(version: version, made: made)
        }
        return made.text
    }
}
