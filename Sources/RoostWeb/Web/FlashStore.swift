import Accounts
import HTTPServer
import RoostSupport
import Synchronization

/// What a form has to show on the page after it, once and to its sender alone: a notice, or a new secret.
///
/// The page's address carries a ticket and none of the words, so that no link makes Roost say something.
final class FlashStore<Value: Sendable>: Sendable {
    private struct Entry {
        let ticket: String
        let value: Value
        let expiresAt: ContinuousClock.Instant
    }

    /// Of each user; an older one makes room.
    private let maximumEntries = 10
    private let lifetime: Duration
    private let entries = Mutex<[UserID: [Entry]]>([:])

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// Stores a value for this user and returns the ticket that goes into the page's address.
    func add(_ value: Value, for user: UserID) -> String {
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

    /// Removes and returns the value that belongs to the ticket in this field of the address.
    ///
    /// A HEAD request sees the value as the page would show it, and leaves it for the page.
    func take(_ field: String, of request: Request, for user: UserID) -> Value? {
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
    /// The field of an address that holds a notice's ticket.
    static var field: String { "flash" }

    /// The notice that the page at this address shows to this user.
    func notice(of request: Request, for user: UserID) -> NoticeView? {
        take(Self.field, of: request, for: user)
    }

    /// The page's address with the ticket of a notice; without a notice, as it is.
    func address(_ page: String, showing notice: NoticeView?, to user: User) -> String {
        guard let notice else { return page }
        let separator = page.containsBytes("?") ? "&" : "?"
        return "\(page)\(separator)\(Self.field)=\(add(notice, for: user.userId))"
    }
}

extension WebContext {
    /// Redirects after an act to a page that shows this notice once, to this user.
    func redirect(to page: String, showing notice: NoticeView?, to user: User) -> HandlerResult {
        .response(.redirect(to: flash.address(page, showing: notice, to: user)))
    }
}

/// A secret that has just been made, with the name of whom or what it is for.
struct NewSecret: Sendable {
    let name: String
    let text: String
}
