import Foundation
import Testing

@testable import GitHubWeb
@testable import RoostWeb

@Suite struct ElapsedTimeTests {
    private let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test(arguments: [
        (-5, "now", 5), (0, "now", 1), (59, "now", 1), (60, "1 min", 60), (3_599, "59 min", 1),
        (3_600, "1 h", 3_600), (86_399, "23 h", 1), (86_400, "1 d", 86_400), (800_000, "9 d", 64_000),
    ])
    func `a wait is short, with the time until its text changes`(ago: Int, text: String, left: Int) {
        let date = now - Double(ago)
        #expect(ElapsedTime.short(since: date, now: now) == text)
        #expect(ElapsedTime.change(of: date, now: now) == now + Double(left))
    }

    @Test func `the text stays the same until the announced moment, and then changes`() {
        for ago in stride(from: 0, to: 900_000, by: 977) {
            let date = now - Double(ago)
            let change = ElapsedTime.change(of: date, now: now)
            let before = change - 1
            #expect(
                ElapsedTime.short(since: date, now: before) == ElapsedTime.short(since: date, now: now),
                "\(ago)")
            if ago < 604_800 - 86_400 {
                #expect(
                    RelativeTime.ago(date, now: max(now, before)) == RelativeTime.ago(date, now: now),
                    "\(ago)")
                #expect(RelativeTime.ago(date, now: change) != RelativeTime.ago(date, now: now), "\(ago)")
            }
        }
    }

    @Test(arguments: [
        (0, "now"), (1, "1 second ago"), (59, "59 seconds ago"), (60, "1 minute ago"),
        (7_200, "2 hours ago"), (86_400, "1 day ago"), (500_000, "5 days ago"), (700_000, "12 Nov 2025"),
    ])
    func `an update's age uses the model's long form`(ago: Int, text: String) {
        #expect(RelativeTime.longAgo(now - Double(ago), now: now, zone: .gmt) == text)
    }
}
