import Foundation
import Testing

@testable import RoostWeb

@Suite struct RelativeTimeTests {
    let now = Date(timeIntervalSince1970: 1_763_631_667)  // 2025-11-20 09:41:07 UTC, a Thursday

    @Test(arguments: [
        (-30, "now"), (0, "now"), (1, "1 s ago"), (12, "12 s ago"), (59, "59 s ago"), (60, "1 min ago"),
        (299, "4 min ago"), (3_599, "59 min ago"), (3_600, "1 h ago"), (86_399, "23 h ago"),
        (86_400, "1 day ago"),
        (172_799, "1 day ago"), (172_800, "2 days ago"), (604_799, "6 days ago"), (604_800, "13 Nov 2025"),
        (86_400 * 400, "16 Oct 2024"),
    ])
    func `an age uses the largest unit, and becomes a date after a week`(seconds: Int, text: String) {
        #expect(RelativeTime.ago(now - Double(seconds), now: now, zone: .gmt) == text)
    }

    @Test(arguments: [
        (-5, "now"), (0, "now"), (48, "in 48 s"), (60, "in 1 min"), (270, "in 4 min"), (7_200, "in 2 h"),
        (3_600, "in 1 h"), (84_599, "in 23 h"), (84_600, "in 1 day"), (86_390, "in 1 day"),
        (129_599, "in 1 day"),
        (129_600, "in 2 days"), (200_000, "in 2 days"), (86_400 * 30 - 60, "in 30 days"),
    ])
    func `a future time uses the same units`(seconds: Int, text: String) {
        #expect(RelativeTime.until(now + Double(seconds), now: now) == text)
    }

    @Test func `half a second ago is now, and half a second ahead is one second`() {
        #expect(RelativeTime.ago(now - 0.5, now: now) == "now")
        #expect(RelativeTime.until(now + 0.5, now: now) == "in 1 s")
    }

    @Test(arguments: [
        (0, 0, "09:41"), (9 * 3_600, 0, "00:41"), (10 * 3_600, 0, "Yesterday"), (33 * 3_600, 0, "Yesterday"),
        (34 * 3_600, 0, "18 Nov 2025"), (86_400 * 365, 0, "20 Nov 2024"), (-60, 0, "09:42"),
        (0, 15, "00:41"), (3_600, 15, "Yesterday"), (25 * 3_600, 15, "19 Nov 2025"),
    ])
    func `a recent time is the clock today, then “Yesterday”, then the date, in the reader's zone`(
        seconds: Int, hours: Int, text: String
    ) throws {
        let zone = try #require(TimeZone(secondsFromGMT: hours * 3_600))
        #expect(RelativeTime.recent(now - Double(seconds), now: now, zone: zone) == text)
    }

    @Test func `the day before a change of the clocks is yesterday, with 23 or 25 hours`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Paris"))
        // The midnights after 30 March and 26 October 2025.
        for (midnight, hours) in [(1_743_372_000.0, 23.0), (1_761_519_600, 25)] {
            let (start, noon) = (
                Date(timeIntervalSince1970: midnight), Date(timeIntervalSince1970: midnight + 43_200)
            )
            #expect(RelativeTime.recent(start, now: noon, zone: zone) == "00:00")
            #expect(RelativeTime.recent(start - 60, now: noon, zone: zone) == "Yesterday")
            #expect(RelativeTime.recent(start - hours * 3_600, now: noon, zone: zone) == "Yesterday")
            let earlier = RelativeTime.recent(start - hours * 3_600 - 60, now: noon, zone: zone)
            #expect(earlier == (hours == 23 ? "29 Mar 2025" : "25 Oct 2025"))
        }
    }

    @Test func `the clock and the day follow the time zone`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 15 * 3_600))
        #expect(RelativeTime.clock(now, zone: .gmt) == "09:41")
        #expect(RelativeTime.weekday(now, zone: .gmt) == "Thursday 20 November")
        #expect(RelativeTime.clock(now, zone: zone) == "00:41")
        #expect(RelativeTime.weekday(now, zone: zone) == "Friday 21 November")
    }
}
