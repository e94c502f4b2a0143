import Foundation
import HTTPServer
import RoostServices
import Synchronization

/// Notices of what an act has done, kept from the form to the page that shows it: an address carries a ticket and no
/// words, so that nobody makes Roost say something by a link.
final class FlashMessages: Sendable {
    /// The field in addresses that holds a ticket.
    static let field = "flash"

    private struct StoredMessage {
        let ticket: String
        let notice: NoticeView
        let until: ContinuousClock.Instant
    }

    /// As long as what was done can be undone.
    private static let lifetime = Duration.seconds(3_600)
    private static let limit = 10

    private let kept = Mutex<[UserID: [StoredMessage]]>([:])

    /// Keeps a notice for the one who acted; answers the ticket that goes into the address.
    func keep(_ notice: NoticeView, for user: UserID) -> String {
        let ticket = RoostServices.Secret.make(bytes: 12)
        let now = ContinuousClock.now
        kept.withLock { kept in
            let rest = (kept[user] ?? []).filter { $0.until > now }.suffix(Self.limit - 1)
            kept[user] = rest + [StoredMessage(ticket: ticket, notice: notice, until: now + Self.lifetime)]
        }
        return ticket
    }

    /// The notice that this address tells of, to the one who acted.
    func notice(of request: Request, for user: UserID) -> NoticeView? {
        guard let ticket = request.query[Self.field] else { return nil }
        let now = ContinuousClock.now
        return kept.withLock { kept in
            kept[user]?.first { $0.ticket == ticket && $0.until > now }?.notice
        }
    }
}
