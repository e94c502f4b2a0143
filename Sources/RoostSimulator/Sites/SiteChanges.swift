import Synchronization

/// A test's change to one URL. Nil fields leave the original.
struct SiteChange: Sendable, Equatable, Codable {
    /// A redirect to this URL, which may be one that clients must refuse.
    var redirect: String?
    var status: Int?
    /// Seconds before the response.
    var slow: Double?
    var title: String?
    var text: String?
    var html: String?
    var type: String?
}

final class SiteChanges: Sendable {
    private let state = Mutex<[String: SiteChange]>([:])

    /// The change for the URL itself, or for everything below one: "http://host/below/*".
    subscript(address: String) -> SiteChange? {
        state.withLock { changes in
            changes[address]
                ?? changes.first { $0.key.hasSuffix("/*") && address.hasPrefix($0.key.dropLast()) }?.value
        }
    }

    func set(_ change: SiteChange?, at address: String) { state.withLock { $0[address] = change } }

    func clear() { state.withLock { $0 = [:] } }

    var all: [String: SiteChange] { state.withLock { $0 } }
}

extension SiteSimulation {
    /// Changes the response at a URL or adds a page there; nil restores the original.
    func change(_ address: String, _ change: SiteChange?) { changes.set(change, at: address) }
}
