/// What can be changed about the simulated coins while Roost runs against them.
struct CoinGeckoControls: Sendable, Equatable {
    /// Ids that have vanished from every answer.
    var delisted: Set<String> = []
    /// New names by id.
    var renamed: [String: String] = [:]
    /// Coins whose items in `/coins/markets` are broken, one way each.
    var malformed: [String: Malformation] = [:]
    /// Four broken items (without id, with a null id, a number, `null`) are mixed into every
    /// `/coins/markets`.
    var strayItems = false

    init() {}

    /// A way in which one item of `/coins/markets` breaks its own format.
    enum Malformation: String, Sendable, CaseIterable, Codable {
        case missingID, numericID, negativePrice, textPrice, nullName, missingPrice, objectDate, notAnObject
    }
}
