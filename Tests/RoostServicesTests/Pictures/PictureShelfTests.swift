import Foundation
import RoostServices
import Testing

/// Whose pictures come first, and how many are kept.
@Suite struct PictureShelfTests {
    private func address(_ url: String) throws -> PictureAddress {
        try #require(PictureAddress(url, from: GitHubHosts().standard))
    }

    @Test func `slow strangers leave room for the pictures of the host itself`() throws {
        var shelf = PictureShelf(mostBytes: 1 << 20)
        let now = TestClock.start
        for number in 0..<3_000 {
            _ = shelf.ask(for: try address("https://slow.example/\(number)"), now: now, steady: now)
        }
        let own = try address("https://avatars.githubusercontent.com/u/1")
        #expect(shelf.next().map(\.isOwn) == [false, false])
        #expect(shelf.ask(for: own, now: now, steady: now).isNew)
        #expect(shelf.next() == [own])
        #expect(shelf.next().isEmpty && shelf.waitingCount == 998)
        shelf.end(try address("https://slow.example/0"), failedUntil: nil, now: now)
        #expect(shelf.next() == [try address("https://slow.example/2")])
    }

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
