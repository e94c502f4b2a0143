import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct PictureIndexTests {
    @Test func `the number of pictures is limited, however small they are`() {
        var index = PictureIndex(maximumBytes: 64 << 20)
        var gone: [String] = []
        for number in 0...PictureIndex.maximumEntries {
            let time = TestClock.start + Double(number)
            gone += index.put(.init(size: 75, fetchedAt: time, usedAt: time), as: "\(number)")
        }
        #expect(gone == ["0"] && index.entries.count == PictureIndex.maximumEntries)
    }
}
