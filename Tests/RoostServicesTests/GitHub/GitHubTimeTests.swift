import Foundation
import RoostServices
import Testing

@Suite struct GitHubTimeTests {
    @Test func `GitHub's form is read as every other reader reads it`() throws {
        let dates = [
            "1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2024-12-31T12:34:56Z", "2100-03-01T00:00:01Z",
        ]
        for text in dates {
            let quick = try #require(GitHubTime.parse(text))
            let slow = try #require(ModelTime.parse(text))
            #expect(quick == slow, "\(text)")
        }
    }

    @Test func `every day of a century is its own`() throws {
        let start = Date(timeIntervalSince1970: 946_684_800)
        for day in stride(from: 0, to: 36_525, by: 7) {
            let date = start + Double(day) * 86_400
            let text = date.formatted(.iso8601)
            #expect(GitHubTime.parse(text) == date, "\(text)")
        }
    }

    @Test func `fractions and offsets are understood too`() {
        #expect(GitHubTime.parse("2026-11-10T12:00:00.500Z") == Date(timeIntervalSince1970: 1_794_312_000.5))
        #expect(GitHubTime.parse("2026-11-10T13:00:00+01:00") == Date(timeIntervalSince1970: 1_794_312_000))
    }

    @Test(arguments: [
        "", "yesterday", "2026-13-10T12:00:00Z", "2026-11-10", "2026-1x-10T12:00:00Z",
    ])
    func `what is no time is nil`(text: String) {
        #expect(GitHubTime.parse(text) == nil)
    }
}
