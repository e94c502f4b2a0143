import HTTPServer
import RoostServices
import Synchronization

/// Secrets that are shown once: kept from the form that makes one to the page that shows it, minutes at most.
final class OneTimeSecrets: Sendable {
    /// What a page shows: of whom or what, and the secret itself.
    struct Secret: Sendable {
        let name: String
        let text: String
    }

    private struct StoredSecret {
        let secret: Secret
        let user: UserID
        let until: ContinuousClock.Instant
    }

    private static let lifetime = Duration.seconds(300)
    private static let limit = 1_000

    private let kept = Mutex<[String: StoredSecret]>([:])

    /// Keeps a secret for its maker; answers the ticket that goes into the address.
    func keep(_ secret: Secret, for user: UserID) -> String {
        let ticket = RoostServices.Secret.make(bytes: 16)
        let now = ContinuousClock.now
        kept.withLock { kept in
            kept = kept.filter { $0.value.until > now }
            if kept.count >= Self.limit { kept.removeAll() }
            kept[ticket] = StoredSecret(secret: secret, user: user, until: now + Self.lifetime)
        }
        return ticket
    }

    /// The secret, to its maker and once; nil ever after.
    ///
    /// - Parameter name: of the field in the address that holds the ticket; who only asks for the headers sees nothing
    ///   and uses nothing up
    func take(_ name: String, of request: Request, for user: UserID) -> Secret? {
        guard request.method == .get, let ticket = request.query[name] else { return nil }
        return kept.withLock { kept in
            guard let found = kept[ticket], found.user == user else { return nil }
            kept[ticket] = nil
            return found.until > .now ? found.secret : nil
        }
    }
}
