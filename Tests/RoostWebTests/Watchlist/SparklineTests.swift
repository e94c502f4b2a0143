import Foundation
import Testing

@testable import MarketWeb

@Suite struct SparklineTests {
    @Test func `the highest price is at the top and the lowest at the bottom, with room for the stroke`() {
        #expect(Sparkline([1, 3, 2])?.points == "0,30 60,2 120,16")
    }

    @Test func `the direction compares the last price with the first`() {
        #expect(Sparkline([1, 9, 2])?.direction == .up)
        #expect(Sparkline([2, 9, 1])?.direction == .down)
        #expect(Sparkline([2, 9, 2])?.direction == .flat)
        #expect(Sparkline([.nan, 2, 1, -5])?.direction == .down)
    }

    @Test func `a constant price is a line through the middle`() {
        #expect(Sparkline([5, 5, 5])?.points == "0,16 60,16 120,16")
    }

    @Test(arguments: [[], [1], [-1, 2, .nan], [.nan], [.nan, .infinity, 3]])
    func `fewer than two prices make no line`(values: [Double]) {
        #expect(Sparkline(values) == nil)
    }

    @Test func `negative and non-numeric prices are left out`() {
        #expect(Sparkline([1, -1, 3, .nan, 2, .infinity]) == Sparkline([1, 3, 2]))
    }

    @Test func `a long week is thinned out and keeps its first and last prices`() throws {
        let values = (0..<168).map { Double($0) }
        let points = try #require(Sparkline(values)).points.split(separator: " ")
        #expect(points.count == Sparkline.limit)
        #expect(points.first == "0,30")
        #expect(points.last == "120,2")
    }

    @Test(arguments: [[0, 1e308], [0, .leastNonzeroMagnitude], [0.000000001, 0.000000002]])
    func `extreme prices stay within the box`(values: [Double]) throws {
        #expect(try #require(Sparkline(values)).points == "0,30 120,2")
    }

    @Test func `its points need no escaping`() throws {
        let points = try #require(Sparkline((0..<50).map { sin(Double($0)) + 1 })).points
        #expect(points.allSatisfy { "0123456789., ".contains($0) })
    }
}
