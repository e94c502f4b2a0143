import Foundation
import TestSupport
import Testing

@testable import Market

@Suite struct WatchlistItemTests {
    @Test func `an item survives a round trip through JSON`() throws {
        let item = try WatchlistItem(coinId: "boringdao-[old]", dateAdded: TestClock.start, sortOrder: 7)
        let back = try JSONDecoder().decode(WatchlistItem.self, from: try JSONEncoder().encode(item))
        #expect(back == item && back.id == "boringdao-[old]" && back.hashValue == item.hashValue)
    }

    @Test func `without a date an item was added now, and without a position it is first`() throws {
        let before = Date()
        let item = try JSONDecoder().decode(WatchlistItem.self, from: Data(#"{"coinId":"bitcoin"}"#.utf8))
        #expect(item.sortOrder == 0)
        #expect((before...Date()).contains(item.dateAdded))
        #expect(try WatchlistItem(coinId: "bitcoin").sortOrder == 0)
    }

    @Test(arguments: ["", " ", "\u{0}", "bit\ncoin", "a\u{7F}", String(repeating: "x", count: 201)])
    func `an impossible coin id is refused`(id: String) throws {
        #expect(throws: WatchlistError.invalidCoinId) { try WatchlistItem(coinId: id) }
        let json = try JSONEncoder().encode(["coinId": id])
        #expect(throws: WatchlistError.invalidCoinId) {
            _ = try JSONDecoder().decode(WatchlistItem.self, from: json)
        }
    }

    @Test(arguments: [
        "bitcoin", "1move token", "boringdao-[old]", "_", "-4", String(repeating: "x", count: 200),
    ])
    func `an id may have spaces, brackets and up to 200 bytes`(id: String) throws {
        #expect(try WatchlistItem(coinId: id).coinId == id)
    }

    @Test func `a negative position is refused`() {
        #expect(throws: WatchlistError.invalidCoinId) { try WatchlistItem(coinId: "bitcoin", sortOrder: -1) }
    }
}

@Suite struct WatchlistErrorTests {
    /// The mission's text, letter for letter.
    @Test(arguments: [
        (WatchlistError.invalidCoinId, "Invalid cryptocurrency ID", "invalidCoinId"),
        (.coinAlreadyExists, "This coin is already in your watchlist", "coinAlreadyExists"),
        (.coinNotFound, "Cryptocurrency not found", "coinNotFound"),
        (.saveFailed("The disk is full."), "Failed to save: The disk is full.", "saveFailed"),
        (.networkError("No internet."), "Network error: No internet.", "networkError"),
    ])
    func `each error has its own message and code`(error: WatchlistError, message: String, code: String) {
        #expect(error.message == message)
        #expect(error.code == code)
    }
}
