import Foundation
import Testing

@testable import TextFormats

@Suite struct ISO8601Tests {
    @Test(arguments: [
        ("2024-04-07T16:49:31.736Z", 1_712_508_571.736), ("2024-04-07T16:49:31Z", 1_712_508_571.0),
        ("2024-04-07T16:49:31.7Z", 1_712_508_571.7), ("2024-04-07T18:49:31+02:00", 1_712_508_571.0),
        ("2024-04-07T18:49:31.736+02:00", 1_712_508_571.736), ("2024-04-07T18:49:31+0200", 1_712_508_571.0),
        ("2013-07-06T00:00:00.000Z", 1_373_068_800.0), ("2024-02-29T00:00:00Z", 1_709_164_800.0),
        ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799),
        ("2024-12-31T12:34:56Z", 1_735_648_496),
        ("2100-03-01T00:00:01Z", 4_107_542_401), ("2026-11-10T12:00:00.500Z", 1_794_312_000.5),
    ])
    func `a time is read with and without fractions and offsets`(text: String, seconds: Double) throws {
        let date = try #require(ISO8601.parse(text))
        #expect(date == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "yesterday", "1712508571", "2024-13-01T00:00:00Z", "2026-1x-10T12:00:00Z", "2024-04-07",
        "16:49:31Z",
    ])
    func `an invalid time is nil`(text: String) {
        #expect(ISO8601.parse(text) == nil)
    }

    @Test(arguments: [
        "2026-02-29T12:00:00Z", "2100-02-29T12:00:00Z", "2026-04-31T12:00:00Z", "2026-12-32T12:00:00Z",
    ])
    func `a day past the end of its month is read as in other parsers`(text: String) {
        #expect(ISO8601.parse(text) == (try? Date(text, strategy: .iso8601)))
    }

    @Test func `times in export files are in UTC with milliseconds and can be read back`() {
        let date = Date(timeIntervalSince1970: 1_712_508_571.5)
        #expect(ISO8601.milliseconds(date) == "2024-04-07T16:49:31.500Z")
        #expect(ISO8601.parse("2024-04-07T16:49:31.500Z") == date)
    }

    @Test func `every millisecond is written as it was read`() throws {
        for millisecond in 0..<1_000 {
            let text = "2024-04-07T16:49:31.\(String(format: "%03d", millisecond))Z"
            let date = try #require(ISO8601.parse(text))
            #expect(ISO8601.milliseconds(date) == text)
            #expect(date == Date(timeIntervalSince1970: Double(1_712_508_571_000 + millisecond) / 1_000))
        }
    }

    @Test(arguments: [
        ("0001-01-01T00:00:00.001Z", "0001-01-01T00:00:00.001Z"),
        ("9999-12-31T23:59:58.999Z", "9999-12-31T23:59:58.999Z"),
        ("2024-04-07T16:49:31.7361234Z", "2024-04-07T16:49:31.736Z"),
        ("2024-04-07T18:49:31.007+02:00", "2024-04-07T16:49:31.007Z"),
    ])
    func `distant times, finer fractions and offsets are read and written correctly`(
        text: String, written: String
    ) throws {
        let date = try #require(ISO8601.parse(text))
        #expect(ISO8601.milliseconds(date) == written)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (1_763_631_667, "2025-11-20T09:41:07Z"),
        (1_709_251_199, "2024-02-29T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"), (-62_135_596_799, "0001-01-01T00:00:01Z"),
    ])
    func `times in JSON and on pages are in UTC to the second`(seconds: Int, text: String) {
        #expect(ISO8601.seconds(Date(timeIntervalSince1970: Double(seconds))) == text)
    }

    @Test func `fractions of a second are left out in JSON, whose readers may not know them`() throws {
        let text = ISO8601.seconds(Date(timeIntervalSince1970: 1_712_508_571.999))
        #expect(text == "2024-04-07T16:49:31Z")
        #expect(try Date(text, strategy: .iso8601) == Date(timeIntervalSince1970: 1_712_508_571))
    }

    @Test func `the calendar agrees with Foundation's on every day of a century`() {
        for day in 0..<36_525 {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
            let text = date.formatted(.iso8601)
            #expect(ISO8601.seconds(date) == text)
            #expect(ISO8601.parse(text) == date, "\(text)")
        }
    }

    @Test(arguments: [
        (-1e30, "0001-01-01T00:00:00.000Z"), (253_402_300_800, "9999-12-31T23:59:59.000Z"),
        (1e30, "9999-12-31T23:59:59.000Z"),
    ])
    func `a time outside the years 1 to 9999 is written as the nearest one inside`(
        seconds: Double, text: String
    ) {
        #expect(ISO8601.milliseconds(Date(timeIntervalSince1970: seconds)) == text)
    }
}
