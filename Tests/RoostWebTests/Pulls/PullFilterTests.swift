import Foundation
import RoostServices
import RoostWeb
import Testing

@Suite struct PullFilterTests {
    private let items: [InboxItem]

    init() throws {
        items = [
            try PullSample.item(
                "apple/swift-nio", 1, title: "Close Idle channels", author: "Ada", waited: 100
            ) {
                $0.labels = [.init(name: "Needs Review", color: nil)]
                ($0.additions, $0.deletions) = (50, 50)
            },
            try PullSample.item(
                "vapor/vapor", 22, title: "Stream bodies", author: "bot", waited: 300, updated: 5
            ) {
                $0.isFromBot = true
                ($0.additions, $0.deletions) = (1, 2)
            },
            try PullSample.item("apple/swift-nio", 3, title: "Wip", author: "grace", waited: 200, updated: 60)
            {
                $0.isDraft = true
            },
        ]
    }

    private func numbers(_ address: String) -> [Int] {
        let query = InboxQuery(carried: address)
        return PullFilter(query, query.choices(over: PullChoices())).items(of: items).map(\.pull.number)
    }

    @Test(arguments: [
        ("text=idle", [1]), ("text=SWIFT%20close", [1]), ("text=swift-nio", [3, 1]), ("text=%2322", [22]),
        ("text=grace", [3]), ("text=needs%20rev", [1]), ("text=nothing", []), ("text=%20%20", [22, 3, 1]),
        ("author=ad", [1]), ("author=%20GRACE", [3]), ("label=review", [1]), ("author=ada&label=bug", []),
        ("drafts=hidden", [22, 1]), ("drafts=only", [3]), ("bots=hidden", [3, 1]),
        ("bots=shown", [22, 3, 1]),
    ])
    func `only what fits stays`(address: String, numbers: [Int]) {
        #expect(self.numbers(address) == numbers)
    }

    @Test func `the longest wait, the latest update or the smallest goes first, what has no size last`() {
        #expect(numbers("sort=age") == [22, 3, 1])
        #expect(numbers("sort=update") == [22, 3, 1].sorted { left, _ in left == 22 })
        #expect(numbers("sort=size") == [22, 1, 3])
    }

    @Test
    func `grouped by repository, the one with the first row comes first, and its rows keep their order`() {
        #expect(numbers("group=repository") == [22, 3, 1])
        #expect(numbers("group=repository&sort=size") == [22, 1, 3])
        #expect(numbers("group=repository&sort=age&author=a") == [3, 1])
    }

    @Test func `equal ones have one order, whatever the list's was`() throws {
        let same = try (1...5).map { try PullSample.item("apple/swift-nio", $0) }
        let filter = PullFilter(InboxQuery(), PullChoices())
        #expect(filter.items(of: same) == filter.items(of: same.reversed()))
    }
}
