import Synchronization

/// What a test makes of one address; what is left out stays as it is.
struct SiteChange: Sendable, Equatable, Codable {
    /// Leads on to this address, which may be one that nobody should follow.
    var redirect: String?
    /// Nothing but this status.
    var status: Int?
    /// Seconds before the answer.
    var slow: Double?
    var title: String?
    /// The article's text, as `SiteMarkup` reads it.
    var text: String?
    /// The whole page in place of the site's own.
    var html: String?
    /// With `html`: its content type.
    var type: String?
}

/// The changed addresses.
final class SiteChanges: Sendable {
    private let state = Mutex<[String: SiteChange]>([:])

    /// What is changed at the address itself, or at all addresses below one: "http://host/below/*".
    subscript(address: String) -> SiteChange? {
        state.withLock { changes in
            changes[address]
                ?? changes.first { $0.key.hasSuffix("/*") && address.hasPrefix($0.key.dropLast()) }?.value
        }
    }

    /// - Parameter change: nil restores the address
    func set(_ change: SiteChange?, at address: String) { state.withLock { $0[address] = change } }

    func clear() { state.withLock { $0 = [:] } }

    var all: [String: SiteChange] { state.withLock { $0 } }
}

extension SiteSimulation {
    /// Changes what lies at an address, or adds a page there; nil takes it back.
    func change(_ address: String, _ change: SiteChange?) { changes.set(change, at: address) }
}
