package import Accounts
package import HTTPServer
package import RoostSupport
import Synchronization

/// Stores what the next page shows once, and only to the sender of a form: a notice or a new secret.
///
/// The page's address carries a random ticket instead of the text, so that a link cannot put words on a page.
package final class FlashStore<Value: Sendable>: Sendable {
    private struct Entry {
        package let ticket: String
        package let value: Value
        package let expiresAt: ContinuousClock.Instant
    }

    /// Per user; a new entry replaces the oldest.
    private let maximumEntries = 10
    private let lifetime: Duration
    private let entries = Mutex<[UserID: [Entry]]>([:])

    package init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// Returns the ticket for the page's address.
    package func add(_ value: Value, for user: UserID) -> String {
        let ticket = Secret.make(bytes: 16)
        let now = ContinuousClock.now
        let entry = Entry(ticket: ticket, value: value, expiresAt: now + lifetime)
        entries.withLock { entries in
            entries = entries.compactMapValues { all in
                let left = all.filter { $0.expiresAt > now }
                return left.isEmpty ? nil : left
            }
            entries[user] = (entries[user] ?? []).suffix(maximumEntries - 1) + [entry]
        }
        return ticket
    }

    /// Removes and returns the value of the ticket in this query field.
    ///
    /// A HEAD request returns the value without removing it.
    package func consume(_ field: String, of request: Request, for user: UserID) -> Value? {
        guard let ticket = request.query[field] else { return nil }
        return entries.withLock { entries in
            guard let index = entries[user]?.firstIndex(where: { $0.ticket == ticket }),
                let entry = entries[user]?[index]
            else { return nil }
            if request.method != .head { entries[user]?.remove(at: index) }
            return entry.expiresAt > .now ? entry.value : nil
        }
    }
}

extension FlashStore where Value == NoticeView {
    package static var field: String { "flash" }

    package func notice(of request: Request, for user: UserID) -> NoticeView? {
        consume(Self.field, of: request, for: user)
    }

    /// Adds the ticket of a notice to the page's address; without a notice the address is unchanged.
    package func address(_ page: String, showing notice: NoticeView?, to user: User) -> String {
        guard let notice else { return page }
        let separator = page.containsBytes("?") ? "&" : "?"
        return "\(page)\(separator)\(Self.field)=\(add(notice, for: user.userId))"
    }
}

extension WebContext {
    /// Redirects to a page that shows this notice once, to this user.
    package func redirect(to page: String, showing notice: NoticeView?, to user: User) -> HandlerResult {
        .response(.redirect(to: flash.address(page, showing: notice, to: user)))
    }
}
