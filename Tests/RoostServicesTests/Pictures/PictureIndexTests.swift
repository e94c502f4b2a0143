import Foundation
import RoostServices
import Testing

/// How many pictures are kept.
@Suite struct PictureIndexTests {
    @Test func `however small they are, there are only so many`() {
        var shelf = PictureIndex(mostBytes: 64 << 20)
        var gone: [String] = []
        for number in 0...PictureIndex.mostEntries {
            let time = TestClock.start + Double(number)
            gone += shelf.put(.init(size: 75, fetchedAt: time, usedAt: time), as: "\(number)")
        }
        #expect(gone == ["0"] && shelf.entries.count == PictureIndex.mostEntries)
    }
}
