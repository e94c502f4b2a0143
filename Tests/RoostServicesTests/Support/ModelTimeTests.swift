import Foundation
import RoostServices
import Testing

@Suite struct ModelTimeTests {
    @Test(arguments: [
        ("2024-04-07T16:49:31.736Z", 1_712_508_571.736), ("2024-04-07T16:49:31Z", 1_712_508_571.0),
        ("2024-04-07T16:49:31.7Z", 1_712_508_571.7), ("2024-04-07T18:49:31+02:00", 1_712_508_571.0),
        ("2024-04-07T18:49:31.736+02:00", 1_712_508_571.736), ("2024-04-07T18:49:31+0200", 1_712_508_571.0),
        ("2013-07-06T00:00:00.000Z", 1_373_068_800.0), ("2024-02-29T00:00:00Z", 1_709_164_800.0),
    ])
    func `ISO 8601 is read with and without fractions and offsets`(text: String, seconds: Double) throws {
        let date = try #require(ModelTime.parse(text))
        #expect(date == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: ["", "yesterday", "1712508571", "2024-13-01T00:00:00Z", "2024-04-07", "16:49:31Z"])
    func `what is no time is nil`(text: String) {
        #expect(ModelTime.parse(text) == nil)
    }

    @Test func `times are written in UTC with milliseconds and read back`() throws {
        let date = Date(timeIntervalSince1970: 1_712_508_571.5)
        #expect(ModelTime.format(date) == "2024-04-07T16:49:31.500Z")
        #expect(ModelTime.parse("2024-04-07T16:49:31.500Z") == date)
    }

    @Test func `every millisecond is written as it was read`() throws {
        for millisecond in 0..<1_000 {
            let text = "2024-04-07T16:49:31.\(String(format: "%03d", millisecond))Z"
            let date = try #require(ModelTime.parse(text))
            #expect(ModelTime.format(date) == text)
            #expect(date == Date(timeIntervalSince1970: Double(1_712_508_571_000 + millisecond) / 1_000))
        }
    }

    @Test(arguments: [
        ("0001-01-01T00:00:00.001Z", "0001-01-01T00:00:00.001Z"),
        ("9999-12-31T23:59:58.999Z", "9999-12-31T23:59:58.999Z"),
        ("2024-04-07T16:49:31.7361234Z", "2024-04-07T16:49:31.736Z"),
        ("2024-04-07T18:49:31.007+02:00", "2024-04-07T16:49:31.007Z"),
    ])
    func `times far from ours, finer ones and those with an offset too`(text: String, written: String) throws
    {
        let date = try #require(ModelTime.parse(text))
        #expect(ModelTime.format(date) == written)
    }

    @Test(arguments: [(-1_000_000.0, false), (0, false), (300, false), (300.5, true), (1_000_000, true)])
    func `only a time more than five minutes ahead is clamped`(ahead: Double, isClamped: Bool) {
        let now = TestClock.start
        let result = ModelTime.clamped(now + ahead, now: now)
        #expect(result.wasAhead == isClamped)
        #expect(result.date == (isClamped ? now : now + ahead))
    }
}
