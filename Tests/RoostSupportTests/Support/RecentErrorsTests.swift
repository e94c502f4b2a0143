import Foundation
import Testing

@testable import RoostSupport

@Suite struct RecentErrorsTests {
    private let errors = RecentErrors()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `the latest event comes first`() {
        errors.note("One", details: "", isError: true, at: start)
        errors.note("Two", details: "", isError: false, at: start + 1)
        #expect(errors.latest.map(\.message) == ["Two", "One"])
        #expect(errors.latest.map(\.isError) == [false, true])
    }

    @Test func `the same event again is counted and moves to the front`() {
        for second in 0..<3 { errors.note("Same", details: "a=1", isError: true, at: start + Double(second)) }
        errors.note("Same", details: "a=2", isError: true, at: start + 3)
        errors.note("Same", details: "a=1", isError: true, at: start + 4)
        #expect(errors.latest.map(\.details) == ["a=1", "a=2"])
        #expect(errors.latest.first?.count == 4)
        #expect(errors.latest.first?.firstAt == start)
        #expect(errors.latest.first?.lastAt == start + 4)
    }

    @Test func `only the latest fifty events and the start of long ones are kept`() {
        for number in 0..<80 {
            errors.note("Event \(number)", details: "", isError: true, at: start + Double(number))
        }
        #expect(errors.latest.count == RecentErrors.capacity)
        #expect(errors.latest.first?.message == "Event 79")
        #expect(errors.latest.last?.message == "Event 30")
        errors.note(String(repeating: "x", count: 10_000), details: "", isError: true, at: start + 100)
        #expect(errors.latest.first?.message.unicodeScalars.count == 501)
    }
}
