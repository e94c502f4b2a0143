import Foundation
import GRDB
package import RoostSupport
import TextFormats

extension AlertService {
    /// Price alerts in an export of all data.
    package var transferPart: TransferPart {
        TransferPart("alerts") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let lines = try reads.alerts(of: user).map { alert in
                try TransferLine.json(TransferFields(alert, omitting: Self.ownColumns))
            }
            return TransferPart.all(lines, after: key)
        } merge: { [delivery] row in
            let (user, context) = (try row.user, row.context)
            let draft: CoinAlert = try row.decode(TransferFields.self).record(omitting: Self.ownColumns)
            let alert = try Self.checked(draft, of: user, context)
            return { writes in
                let isThere = try writes.alerts(of: user, coinId: alert.coinId).contains {
                    $0.kind == alert.kind && $0.threshold == alert.threshold && $0.currency == alert.currency
                        && abs($0.createdAt.timeIntervalSince(alert.createdAt)) < 0.002
                }
                if isThere { return .unchanged }
                var (added, why): (CoinAlert, String?) = (alert, nil)
                if let old = alert.conversationId {
                    let id =
                        context.name("conversation/\(context.isServer ? 0 : user)/\(old.lowercased())") ?? old
                    let isMember = try delivery.conversations(writes, of: user).contains { $0.id == id }
                    added.conversationId = isMember ? id : nil
                    if !isMember { why = "It no longer posts to a conversation, which isn’t here." }
                }
                _ = try writes.addAlert(added)
                writes.publish(Topic.alerts(user))
                return TransferResult(.added, why: why)
            }
        }
    }

    private static let ownColumns: Set = ["id", "user_id"]

    private static func checked(
        _ draft: CoinAlert, of user: UserID, _ context: TransferContext
    ) throws -> CoinAlert {
        guard WatchlistItem.isPossible(draft.coinId) else {
            throw RoostError.file("“coinId” has an invalid value.")
        }
        guard draft.threshold > 0, draft.threshold.isFinite, Currency.isCode(draft.currency) else {
            throw RoostError.file("“threshold” or “currency” has an invalid value.")
        }
        guard draft.isArmed || draft.side != nil, (draft.firedAt == nil) == (draft.firedText == nil),
            (0...1_000_000).contains(draft.crossings)
        else { throw RoostError.file("The alert’s state is invalid.") }
        return CoinAlert(
            id: 0, userId: user, coinId: draft.coinId,
            symbol: try OwnText.line(draft.symbol, field: "symbol", limit: 64),
            name: try OwnText.line(draft.name, field: "name", limit: 200), kind: draft.kind,
            threshold: draft.threshold, currency: draft.currency, conversationId: draft.conversationId,
            side: draft.side, isArmed: draft.isArmed, createdAt: context.time(draft.createdAt),
            crossings: draft.crossings, firedAt: draft.firedAt.map(context.time),
            firedText: try draft.firedText.map { try OwnText.line($0, field: "firedText", limit: 500) },
            seenAt: draft.seenAt.map(context.time),
            deliveryError: try draft.deliveryError.map {
                try OwnText.line($0, field: "deliveryError", limit: 500)
            })
    }
}
