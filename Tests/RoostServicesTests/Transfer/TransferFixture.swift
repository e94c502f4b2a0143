import Foundation
import TestSupport

@testable import Accounts
@testable import Chat
@testable import GitHub
@testable import Market
@testable import Reading
@testable import RoostServices
@testable import RoostSupport

/// Users with something of every feature, for exports of all data.
struct TransferFixture {
    let fixture: ServicesFixture
    let ada, grace: UserID

    var services: Services { fixture.services }

    static func filled(_ fixture: ServicesFixture) async throws -> TransferFixture {
        let ada = try await fixture.add("ada", .owner, email: "ada@example.org", displayName: "Ada Lovelace")
        let grace = try await fixture.add("grace", displayName: "Grace Hopper")
        let filled = TransferFixture(fixture: fixture, ada: ada.userId, grace: grace.userId)
        try await filled.services.identity.accounts.setAvatar(Pictures.notedPNG, of: ada.userId)
        try await filled.addBookmarksAndPulls()
        try await filled.addReading()
        try await filled.addChat()
        try await filled.addMarket()
        return filled
    }

    private func addBookmarksAndPulls() async throws {
        let bookmarks = """
            {"program":"Roost","kind":"bookmarks","version":1,"bookmarks":[
            {"fullName":"apple/swift","note":"Read the “evolution” folder","state":"unresolved","tags":["swift","to read"],
             "addedAt":"2026-01-02T03:04:05.678Z"},
            {"fullName":"groue/GRDB.swift","state":"gone","tags":[],"note":"","addedAt":"2026-02-02T03:04:05.000Z"}
            ]}
            """
        _ = try await services.gitHub.bookmarkFiles.read(Array(bookmarks.utf8), for: ada)
        _ = try await services.gitHub.pulls.addSection(
            name: "Docs", query: "is:open label:docs", for: ada)
        try fixture.change(
            """
            INSERT INTO pull_marks (user_id, host, owner, name, number, node_id, kind, until, seen, marked_at)
            VALUES (\(ada), 'github.com', 'apple', 'swift', 7, 'PR_1', 'mute', NULL,
                    '{"hasDetail":true,"updated":4,"reasons":["name"]}', 1794000000.25),
                (\(ada), 'github.com', 'apple', 'swift', 8, '', 'until', 1795000000,
                    '{"hasDetail":false,"updated":0,"reasons":[]}', 1794000001);
            INSERT INTO pull_viewed_files (user_id, host, owner, name, number, path, blob, viewed_at)
            VALUES (\(ada), 'github.com', 'apple', 'swift', 7, 'lib/a.cpp',
                    '0123456789abcdef0123456789abcdef01234567', 1794000002.5);
            INSERT INTO pull_looks (user_id, host, owner, name, number, seen_at, previous_at)
            VALUES (\(ada), 'github.com', 'apple', 'swift', 7, 1794000003.75, 1793000000),
                (\(ada), 'github.com', 'apple', 'swift', 8, 1794000004, NULL);
            INSERT INTO preferences (user_id, name, value)
            VALUES (\(ada), 'watchlist', '{"density":"compact","redIsUp":true}')
            """)
    }

    private func addReading() async throws {
        let articles = """
            {"program":"Roost","kind":"reading","version":1,"articles":[
            {"url":"https://example.org/one","title":"One","titleIsGiven":true,"category":"Science",
             "tags":["space","Big Ideas"],"createdAt":"2026-01-01T00:00:00.000Z","savedAt":"2026-01-01T00:00:00.000Z",
             "updatedAt":"2026-01-03T00:00:00.000Z","state":"archived","archivedAt":"2026-01-02T00:00:00.000Z",
             "isFavorite":true,"progress":0.5,"author":"A. Writer","language":"en","fetchState":"fetched",
             "fetchedAt":"2026-01-01T00:00:01.000Z","mediaType":"text/html","kind":"article",
             "content":"<p>Light needs eight minutes from the sun.</p><p>Stars are further away.</p>",
             "text":"Light needs eight minutes from the sun.\\nStars are further away.",
             "comments":"<blockquote><p><b>Grace</b></p><p>And from the moon a second.</p></blockquote>",
             "highlights":[{"start":0,"end":5,"quote":"Light","before":"","after":" needs","note":"fast",
               "createdAt":"2026-01-02T00:00:00.000Z","updatedAt":"2026-01-02T00:00:00.000Z"}],
             "gist":{"title":"One","content":"Light is fast.","method":"own","isEdited":true,
               "createdAt":"2026-01-02T00:00:00.000Z","updatedAt":"2026-01-02T00:00:00.000Z"}},
            {"url":"https://example.org/two","title":"Two","createdAt":"2026-01-05T00:00:00.000Z",
             "savedAt":"2026-01-05T00:00:00.000Z","updatedAt":"2026-01-05T00:00:00.000Z","state":"unread"}
            ],"gists":[
            {"title":"Pasted","content":"A text of my own.","method":"own","isEdited":false,
             "createdAt":"2026-01-04T00:00:00.000Z","updatedAt":"2026-01-04T00:00:00.000Z"}
            ]}
            """
        _ = try await services.reading.imports.start(
            Array(articles.utf8), named: "reading.json", fetching: false, by: ada)
        await services.reading.imports.runUntilIdle()
        _ = try await services.reading.feeds.add(
            ArticleFilter(list: .unread, category: "Science"), by: ada)
        try fixture.change(
            """
            INSERT INTO shared_items (user_id, shared_with, url, title, source_application, created_at, processed)
            VALUES (\(ada), \(grace), 'https://example.org/one', 'One', 'share', 1794000000.5, 0),
                (\(grace), \(ada), 'https://example.org/three', NULL, 'share', 1794000001, 1)
            """)
    }

    private func addChat() async throws {
        let chat = services.chat.conversations
        let eve = try await fixture.add("eve").userId
        let pair = try await chat.start(with: [grace], groupName: nil, id: nil, by: ada).conversation.id
        let group = try await chat.start(with: [grace, eve], groupName: "Crew", id: nil, by: ada).conversation
            .id
        func send(
            _ text: String, to id: ConversationID, by user: UserID, file: String? = nil, answering: Int? = nil
        )
            async throws -> Message
        {
            try await chat.send(
                NewMessage(
                    id: UUID().uuidString.lowercased(), text: text, fileId: file, replyTo: answering),
                to: id, by: .user(user)
            ).message
        }
        let first = try await send("Hello @grace", to: pair, by: ada)
        let picture = try await services.chat.files.upload(
            Pictures.notedJPEG, name: "beach.jpg", to: pair, by: grace)
        _ = try await send("", to: pair, by: grace, file: picture.id)
        _ = try await send("Nice!", to: pair, by: ada, answering: first.number)
        try await chat.react("👍", on: first.seq, by: grace, isOn: true)
        let document = try await services.chat.files.upload(
            Array("some notes".utf8), name: "notes.txt", to: group, by: eve)
        _ = try await send("Here", to: group, by: eve, file: document.id)
        let wrong = try await send("Wrong", to: group, by: grace)
        try await chat.delete(wrong.seq, by: grace)
        try await chat.edit(first.seq, text: "Hello again @grace", by: ada)
    }

    private func addMarket() async throws {
        let market = services.market
        await fixture.loadCoins()
        let ids = ["bitcoin", "ethereum", "solana"]
        for id in ids.prefix(2) { try await market.watchlist.add(id, to: ada) }
        let second = try await market.watchlist.addList(name: "Later", for: ada)
        try await market.watchlist.add(ids[2], to: ada, list: second.id)
        try await market.watchlist.setNote(
            CoinNote(note: "On no list", category: "odd"), of: ids[2], for: ada)
        for _ in 0..<2 {
            _ = try await market.watchlist.addHolding(
                NewHolding(
                    coinId: ids[0], amount: 1.5, price: 20_000, currency: "usd", boughtOn: "2025-03-31"),
                for: ada)
        }
        _ = try await market.watchlist.addWallet(
            NewWallet(coinId: ids[0], address: "bc1qexample", label: "Paper"), for: ada)
        _ = try await market.alerts.add(
            NewAlert(coinId: ids[0], kind: .above, threshold: "999999"), for: ada)
        let display = try await market.displays.add("Kitchen", for: ada).display
        try fixture.change(
            "UPDATE displays SET headline = 'Hi', list_id = \(second.id) WHERE id = \(display.id)")
    }

    // MARK: Files

    /// The rows of an export of all data by the file's name, without what differs between servers.
    static func rows(ofFileAt path: String) throws -> [String: [String]] {
        let manifest = try TransferService.manifest(ofFileAt: path)
        let reader = try ZipFileReader(path: path)
        var rows: [String: [String]] = [:]
        for name in manifest.counts.keys {
            var lines: [String] = []
            let file = try reader.lines(of: name, maximumBytes: 1 << 24)
            while let line = try file?.next() {
                lines.append(plain(String(decoding: line, as: UTF8.self), of: name))
            }
            rows[name] = lines
        }
        return rows
    }

    private static func plain(_ line: String, of name: String) -> String {
        if name.hasSuffix("/watchlists.jsonl") { return line.replacing(#/,"id":\d+/#, with: "") }
        if name.hasSuffix("/displays.jsonl") {
            return line.replacing(#/"listId":\d+/#, with: #""listId":true"#)
        }
        return name.hasPrefix("shared/") ? line.replacing(#/"senderKey":"\d+"/#, with: "") : line
    }
}
