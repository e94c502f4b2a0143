import Foundation
import RoostServices
import Testing

/// How many pictures are kept.
@Suite struct PictureShelfTests {
    @Test func `however small they are, there are only so many`() {
        var shelf = PictureShelf(mostBytes: 64 << 20)
        var gone: [String] = []
        for number in 0...PictureShelf.mostEntries {
            let time = TestClock.start + Double(number)
            gone += shelf.put(.init(size: 75, fetchedAt: time, usedAt: time), as: "\(number)")
        }
        #expect(gone == ["0"] && shelf.entries.count == PictureShelf.mostEntries)
    }
}
