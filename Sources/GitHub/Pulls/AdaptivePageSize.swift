/// How many pull requests a page of GraphQL holds: halved when GitHub gives up on a query, and grown again slowly.
struct AdaptivePageSize: Equatable {
    private static let (minimum, maximum, step) = (20, 100, 20)
    /// A size stays for at most as many good refreshes.
    private static let maximumRequiredSuccesses = 96

    private(set) var size = AdaptivePageSize.maximum
    private var good = 0
    /// Good refreshes before more is tried; each failure doubles them, so that what GitHub cannot do is tried seldom.
    private var requiredSuccesses = 3

    mutating func shrink() {
        size = max(Self.minimum, size / 2)
        good = 0
        requiredSuccesses = min(requiredSuccesses * 2, Self.maximumRequiredSuccesses)
    }

    mutating func succeed() {
        guard size < Self.maximum else { return }
        good += 1
        guard good >= requiredSuccesses else { return }
        size = min(Self.maximum, size + Self.step)
        good = 0
    }
}
