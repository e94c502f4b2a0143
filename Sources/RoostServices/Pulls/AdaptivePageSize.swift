/// How many pull requests a page of GraphQL holds: halved when GitHub gives up on a query, and grown again slowly.
struct AdaptivePageSize: Equatable {
    private static let (minimum, maximum, step) = (20, 100, 20)
    /// The longest that a size is kept, in good refreshes.
    private static let maximumPatience = 96

    private(set) var size = AdaptivePageSize.maximum
    private var good = 0
    /// Good refreshes before more is tried; each failure doubles them, so that what GitHub cannot do is tried seldom.
    private var patience = 3

    mutating func shrink() {
        size = max(Self.minimum, size / 2)
        good = 0
        patience = min(patience * 2, Self.maximumPatience)
    }

    mutating func succeed() {
        guard size < Self.maximum else { return }
        good += 1
        guard good >= patience else { return }
        size = min(Self.maximum, size + Self.step)
        good = 0
    }
}
