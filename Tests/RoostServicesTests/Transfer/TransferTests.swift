import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import Chat
@testable import GitHub
@testable import Market
@testable import Reading
@testable import RoostServices
@testable import RoostSupport

@Suite(.timeLimit(.minutes(5))) struct TransferTests {
    /// Exports the server, or one user, and passes the file's path.
    private func withExport(
        of name: String? = nil, _ body: (TransferFixture, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await withAccounts { fixture async throws in
            let filled = try await TransferFixture.filled(fixture)
            let path = folder.file("all.zip")
            let user = try await name.asyncMap {
                try await fixture.services.identity.accounts.user(named: $0).userId
            }
            _ = try await fixture.services.transfer.export(of: user, to: path)
            try await body(filled, path)
        }
    }

    @Test func `a server's file has something of every part, and its mode is 0600`() async throws {
        try await withExport { _, path async throws in
            let rows = try TransferFixture.rows(ofFileAt: path)
            let ada = try TransferService.manifest(ofFileAt: path).users.first { $0.username == "ada" }
            let folder = try #require(ada?.folder)
            let parts =
                [
                    "profile", "preferences", "bookmarks", "pull-marks", "pull-sections", "pull-viewed-files",
                    "pull-looks", "watchlists",
                    "coin-notes",
                    "holdings", "wallets", "alerts", "displays", "articles", "gists", "shares", "feeds",
                ].map { "\(folder)/\($0).jsonl" }
                + ["conversations", "messages", "files", "members"].map { "shared/\($0).jsonl" }
            for part in parts { #expect(rows[part]?.isEmpty == false, "\(part) is empty") }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `no secret is in the file`() async throws {
        try await withExport { filled, path async throws in
            let text = try TransferFixture.rows(ofFileAt: path).values.joined().joined(separator: "\n")
            for name in ["password", "token", "hash", "sealed", "secret"] {
                #expect(!text.lowercased().contains(name), "\(name)")
            }
            let hashes = try filled.fixture.sql(String.self, "SELECT password_hash FROM users")
            #expect(hashes.allSatisfy { !text.contains($0) })
        }
    }

    @Test func `a new server has everything, and exports the same again`() async throws {
        try await withExport { filled, path async throws in
            try await withAccounts { other async throws in
                let report = try await other.services.transfer.importFile(at: path, for: nil)
                #expect(report.problems == [])
                #expect(Set(report.newUsers) == ["ada", "grace", "eve"])
                let second = path + ".again.zip"
                _ = try await other.services.transfer.export(of: nil, to: second)
                let (before, after) = (
                    try TransferFixture.rows(ofFileAt: path), try TransferFixture.rows(ofFileAt: second)
                )
                for (name, rows) in before { #expect(after[name] == rows, "\(name) differs") }
                let ada = try await other.services.identity.accounts.user(named: "ada")
                #expect(
                    ada.displayName == "Ada Lovelace" && ada.email == "ada@example.org" && ada.avatar != nil)
                #expect(try await other.services.problems() == [])
                try await expectSameServices(filled, other, ada.userId)
            }
        }
    }

    /// Compares what pages and the API read.
    private func expectSameServices(
        _ filled: TransferFixture, _ other: ServicesFixture, _ ada: UserID
    ) async throws {
        let (one, two) = (filled.services, other.services)
        func lists(_ services: Services, _ user: UserID) async throws -> [String] {
            try await services.market.watchlist.lists(of: user).map {
                "\($0.name) \($0.sort.rawValue) \($0.position)"
            }
        }
        #expect(try await lists(one, filled.ada) == lists(two, ada))
        func articles(_ services: Services, _ user: UserID) async throws -> [String] {
            try await services.reading.articles.list(ArticleFilter(list: .all), limit: 50, of: user).items.map
            {
                "\($0.url) \($0.title) \($0.tags) \($0.state) \($0.isFavorite) \($0.category)"
            }
        }
        #expect(try await articles(one, filled.ada) == articles(two, ada))
        func messages(_ services: Services, _ user: UserID) async throws -> [String] {
            var lines: [String] = []
            let chat = services.chat.conversations
            for conversation in try await chat.conversations(of: user).sorted(by: { $0.id < $1.id }) {
                lines.append("\(conversation.displayName) \(conversation.unread) \(conversation.readNumber)")
                for message in try await chat.page(of: conversation.id, for: user, limit: 50).messages {
                    lines.append(
                        "\(message.id) \(message.number) \(message.senderName ?? "-") \(message.text) \(message.sentAt) \(message.replyTo?.id ?? "-") \(message.reactions.map(\.emoji)) \(message.isDeleted)"
                    )
                    guard let file = message.file else { continue }
                    let content = try await services.chat.files.content(of: file.id, for: user)
                    lines.append("\(file.name) \(content.bytes.count) \(content.mediaType)")
                }
            }
            return lines
        }
        #expect(try await messages(one, filled.ada) == messages(two, ada))
    }

    @Test(arguments: [nil, "ada"]) func `importing a file again adds nothing`(user: String?) async throws {
        try await withExport(of: user) { _, path async throws in
            try await withAccounts { other async throws in
                let transfer = other.services.transfer
                let first = try await transfer.importFile(at: path, for: nil)
                #expect(first.count(.added) > 20)
                let again = try await transfer.importFile(at: path, for: nil)
                #expect(again.count(.added) == 0 && again.count(.updated) == 0)
                #expect(again.newUsers == [])
                #expect(again.count(.unchanged) >= first.count(.added))
            }
        }
    }

    @Test func `importing into the server that wrote it adds nothing`() async throws {
        for user in [nil, "ada"] {
            try await withExport(of: user) { filled, path async throws in
                let report = try await filled.services.transfer.importFile(
                    at: path, for: user == nil ? nil : filled.ada)
                #expect(report.count(.added) == 0 && report.count(.updated) == 0, "\(report.problems)")
            }
        }
    }

    @Test func `rows merge into what is here, and each is counted`() async throws {
        try await withExport(of: "ada") { _, path async throws in
            try await withAccounts { other async throws in
                let lovelace = try await other.add("lovelace", .owner).userId
                let bookmarks = #"[{"fullName":"apple/swift","tags":["mine"]},{"fullName":"mine/own"}]"#
                _ = try await other.services.gitHub.bookmarkFiles.read(Array(bookmarks.utf8), for: lovelace)
                _ = try await other.services.market.watchlist.addList(name: "Later", for: lovelace)
                let report = try await other.services.transfer.importFile(at: path, for: lovelace)
                #expect(report.count(.updated, of: "bookmarks") == 1)
                #expect(report.count(.added, of: "bookmarks") == 1)
                let tags = try other.sql(String.self, "SELECT name FROM bookmark_tags ORDER BY name")
                #expect(tags == ["mine", "swift", "to read"])
                let lists = try await other.services.market.watchlist.lists(of: lovelace)
                #expect(lists.map(\.name) == ["Watchlist", "Later"])
                #expect(report.count(.skipped, of: "shares") == 2)
            }
        }
    }

    @Test func `a user's own file adds nothing that others would see`() async throws {
        try await withExport(of: "ada") { _, path async throws in
            try await withAccounts { other async throws in
                let ada = try await other.add("ada", .owner)
                let grace = try await other.add("grace")
                _ = try await other.services.transfer.importFile(at: path, for: ada.userId)
                let chat = other.services.chat.conversations
                #expect(try await chat.conversations(of: grace.userId).isEmpty)
                let own = try await chat.conversations(of: ada.userId)
                #expect(own.count == 2)
                #expect(own.allSatisfy { $0.conversation.participants == [ada.userId] && $0.unread == 0 })
                let pair = try #require(own.first { $0.displayName == "Grace Hopper" })
                let messages = try await chat.page(of: pair.id, for: ada.userId, limit: 50).messages
                #expect(messages.map(\.text) == ["Hello again @grace", "", "Nice!"])
                #expect(messages.map(\.senderUserId) == [ada.userId, nil, ada.userId])
                #expect(messages[1].senderName == "Grace Hopper (imported)")
                #expect(messages.allSatisfy { $0.reactions.isEmpty && $0.mentions.isEmpty })
                // Eve has no account here.
                let crew = try #require(own.first { $0.displayName == "Crew" })
                let first = try await chat.page(of: crew.id, for: ada.userId, limit: 50).messages.first
                #expect(first?.senderName == "eve (imported)" && first?.senderUserId == nil)
                let received = try other.sql(
                    Int.self, "SELECT count(*) FROM shared_items WHERE shared_with IS NOT NULL")
                #expect(received == [0])
            }
        }
    }

    @Test func `an import looks for marks and notes by their keys`() async throws {
        try await withExport(of: "ada") { filled, path async throws in
            let before = filled.fixture.statements.all.count
            _ = try await filled.services.transfer.importFile(at: path, for: filled.ada)
            let statements = filled.fixture.statements.all.dropFirst(before)
            for (table, key) in [("pull_marks", "node_id = "), ("coin_notes", "coin_id = ")] {
                let reads = statements.filter {
                    $0.contains("FROM \(table) WHERE user_id") && $0.hasPrefix("SELECT")
                }
                #expect(!reads.isEmpty && reads.allSatisfy { $0.contains(key) }, "\(reads)")
            }
        }
    }

    // MARK: Conversations

    private static let plans = "0b9b5a0e-6c1d-4a57-9a3f-2f6a0a5d1c01"

    /// A conversation of Ada and Grace with a message of each.
    private static let planFiles = [
        "shared/conversations.jsonl":
            #"{"id":"\#(plans)","isGroup":true,"name":"Plans","createdAt":"2026-01-01T00:00:00.000Z","members":[{"user":"ada","name":"Ada"},{"user":"grace","name":"Grace Hopper"}]}"#,
        "shared/messages.jsonl": [
            #"{"id":"0b9b5a0e-6c1d-4a57-9a3f-2f6a0a5d1c02","conversation":"\#(plans)","sender":"grace","senderKey":"71","name":"Grace Hopper","text":"I agree","sentAt":"2026-01-02T00:00:00.000Z","deliveredAt":"2026-01-02T00:00:01.000Z","readAt":"2026-01-02T00:00:02.000Z","mentions":["ada","grace"],"reactions":[{"user":"ada","emoji":"👍"},{"user":"grace","emoji":"👍"}]}"#,
            #"{"id":"0b9b5a0e-6c1d-4a57-9a3f-2f6a0a5d1c03","conversation":"\#(plans)","sender":"ada","senderKey":"70","name":"Ada","text":"Good","sentAt":"2026-01-03T00:00:00.000Z","deliveredAt":"2026-01-03T00:00:01.000Z","readAt":"2026-01-03T00:00:02.000Z","reactions":[{"user":"grace","emoji":"👍"}]}"#,
        ].joined(separator: "\n"),
        "shared/members.jsonl":
            #"{"conversation":"\#(plans)","user":"ada","isAdmin":true,"joinedAt":"2026-01-01T00:00:00.000Z","notify":"all","joinedAfter":0,"visibleAfter":0,"delivered":2,"read":2}"#,
    ]

    /// Of all messages, in their order.
    private func senders(_ fixture: ServicesFixture) throws -> [String] {
        try fixture.sql(
            String.self,
            """
            SELECT sender_key || ' ' || coalesce(sender_id, '-') || ' ' || coalesce(bot_name, '-') || ' '
                || coalesce(mentions, '-') || ' ' || (delivered_at IS NOT NULL) || ' ' || (read_at IS NOT NULL)
            FROM chat_messages ORDER BY seq
            """)
    }

    @Test func `a user's own file does not speak for others, and a copy of the copy is the same`()
        async throws
    {
        try await withAda { fixture, ada, folder async throws in
            let grace = try await fixture.add("grace", displayName: "Grace Hopper").userId
            let transfer = fixture.services.transfer
            let (path, again) = (folder.file("plans.zip"), folder.file("again.zip"))
            try zip(Self.planFiles, at: path)
            let report = try await transfer.importFile(at: path, for: ada)
            #expect(report.count(.added) == 4 && report.problems == [])
            let expected = [
                "imported - Grace Hopper (imported) [\(ada)] 1 1", "\(ada) \(ada) - - 0 0",
            ]
            #expect(try senders(fixture) == expected)
            #expect(try fixture.sql(UserID.self, "SELECT user_id FROM chat_reactions") == [ada])
            _ = try await transfer.export(of: ada, to: again)
            for path in [path, again] {
                let report = try await transfer.importFile(at: path, for: ada)
                #expect(report.count(.added) == 0 && report.count(.updated) == 0, "\(report.problems)")
            }
            #expect(try senders(fixture) == expected)
            // Grace reads what was invented, but not as her own.
            let chat = fixture.services.chat.conversations
            try await chat.add([grace], to: Self.plans, showingEarlier: true, by: ada)
            let messages = try await chat.page(of: Self.plans, for: grace, limit: 50).messages
            #expect(messages.map(\.senderUserId) == [nil, ada])
            try await withAccounts { other async throws in
                let ada = try await other.add("ada", .owner).userId
                _ = try await other.services.transfer.importFile(at: again, for: ada)
                #expect(try senders(other).first == "imported - Grace Hopper (imported) [\(ada)] 1 1")
            }
        }
    }

    @Test func `a server's file adds nothing to a conversation of other people with the same id`()
        async throws
    {
        try await withAda { fixture, ada, folder async throws in
            let eve = try await fixture.add("eve").userId
            let finn = try await fixture.add("finn").userId
            let chat = fixture.services.chat.conversations
            _ = try await chat.start(with: [eve, finn], groupName: "Ours", id: Self.plans, by: ada)
            let manifest = """
                {"program":"Roost","kind":"all data","version":1,"exportedAt":"2026-11-01T00:00:00.000Z","scope":"server",
                "users":[{"folder":"users/1","username":"ada","role":"owner"},
                {"folder":"users/2","username":"grace","role":"member"}],"counts":{}}
                """
            let path = folder.file("server.zip")
            try zip(Self.planFiles, manifest: manifest, at: path)
            let report = try await fixture.services.transfer.importFile(at: path, for: nil)
            #expect(report.count(.added) == 4 && report.problems == [])
            let ours = try #require(try await chat.conversations(of: eve).first)
            #expect(Set(ours.conversation.participants) == [ada, eve, finn])
            #expect(try await chat.page(of: Self.plans, for: eve, limit: 50).messages.isEmpty)
            let plans = try #require(
                try await chat.conversations(of: ada).first { $0.displayName == "Plans" })
            let messages = try await chat.page(of: plans.id, for: ada, limit: 50).messages
            #expect(messages.map(\.senderName) == ["grace", "ada"])
            let again = try await fixture.services.transfer.importFile(at: path, for: nil)
            #expect(again.count(.added) == 0 && again.count(.updated) == 0, "\(again.problems)")
        }
    }

    @Test func `a user's own file adds conversations and messages up to a limit`() async throws {
        try await withAda { fixture, ada, _ async throws in
            let chat = ChatTransfer(
                chat: fixture.services.chat.conversations, maximumMessages: 1, maximumConversations: 1)
            let context = TransferContext(now: TestClock.start, isServer: false) { $0 == "ada" ? ada : nil }
            func merge(_ line: some StringProtocol, of name: String) async throws -> TransferResult {
                let part = try #require(chat.parts.first { $0.name == name })
                let row = TransferRow(number: 1, bytes: Array(line.utf8), owner: ada, context: context)
                let change = try part.merge(row)
                return try await fixture.services.database.write { try change($0) }
            }
            let line = try #require(Self.planFiles["shared/conversations.jsonl"])
            #expect(try await merge(line, of: "conversations") == .added)
            #expect(try await merge(line, of: "conversations") == .unchanged)
            let error = await refusal {
                let second = line.replacing(Self.plans, with: "0b9b5a0e-6c1d-4a57-9a3f-2f6a0a5d1c09")
                _ = try await merge(second, of: "conversations")
            }
            #expect(error?.message == "An import can add at most 1 conversations.")
            let messages = try #require(Self.planFiles["shared/messages.jsonl"])
            var results: [TransferResult] = []
            for line in messages.split(separator: "\n") {
                results.append(try await merge(line, of: "messages"))
            }
            #expect(results == [.added, .skipped("An import can add at most 1 messages.")])
        }
    }

    // MARK: Broken and hostile files

    /// Writes a zip file with a manifest of Ada and these files.
    private func zip(
        _ files: [String: String], bytes: [String: [UInt8]] = [:], manifest: String? = nil, at path: String
    ) throws {
        var writer = ZipWriter(at: TestClock.start)
        let standard = """
            {"program":"Roost","kind":"all data","version":1,"exportedAt":"2026-11-01T00:00:00.000Z","scope":"user",
            "users":[{"folder":"users/1","username":"ada","role":"owner"}],"counts":{}}
            """
        writer.add(Array((manifest ?? standard).utf8), as: "manifest.json")
        for (name, content) in files.sorted(by: { $0.key < $1.key }) {
            writer.add(Array(content.utf8), as: name)
        }
        for (name, content) in bytes.sorted(by: { $0.key < $1.key }) { writer.add(content, as: name) }
        try Data(try writer.finish()).write(to: URL(filePath: path))
    }

    private func withAda(_ body: (ServicesFixture, UserID, TemporaryFolder) async throws -> Void) async throws
    {
        let folder = try TemporaryFolder()
        try await withAccounts { fixture async throws in
            try await body(fixture, fixture.add("ada", .owner).userId, folder)
        }
    }

    @Test func `a broken row is reported, and the others are imported`() async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("broken.zip")
            try zip(
                [
                    "users/1/bookmarks.jsonl":
                        "{\"fullName\":\"a/b\"}\n{oops\n\n{\"fullName\":7}\n[]\n{\"fullName\":\"c/d\"}",
                    "users/1/holdings.jsonl": #"{"coinId":"bitcoin","amount":"-1","note":""}"#,
                    "users/1/displays.jsonl": #"{"name":"Wall","perPage":9999999999}"#,
                    "users/1/preferences.jsonl": #"{"name":"nonsense","value":{}}"#,
                    "shared/messages.jsonl":
                        #"{"id":"x","conversation":"y","senderKey":"1","name":"n","text":"t","sentAt":"2026-01-01T00:00:00Z"}"#,
                ], at: path)
            let report = try await fixture.services.transfer.importFile(at: path, for: ada)
            #expect(report.count(.added, of: "bookmarks") == 2)
            #expect(
                report.problems.filter { $0.file.hasSuffix("bookmarks.jsonl") }.map(\.line) == [2, 3, 4, 5])
            for part in ["holdings", "preferences", "messages"] {
                #expect(report.count(.skipped, of: part) == 1, "\(part)")
            }
            #expect(report.problems.allSatisfy { $0.result.why?.isEmpty == false })
        }
    }

    @Test func `shares end at a limit, wait for no fetch, and are looked for by their time`() async throws {
        try await withAda { fixture, ada, folder async throws in
            try fixture.change(
                """
                INSERT INTO shared_items (user_id, url, created_at, processed)
                WITH RECURSIVE numbers (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 9999)
                SELECT \(ada), 'https://example.org/' || number, 1600000000 + number, 1 FROM numbers
                """)
            let path = folder.file("shares.zip")
            let rows = ["one", "one", "two"].map {
                #"{"from":"ada","url":"https://example.org/\#($0)","createdAt":"2026-01-01T00:00:00.000Z","processed":false}"#
            }
            try zip(["users/1/shares.jsonl": rows.prefix(2).joined(separator: "\n")], at: path)
            let first = try await fixture.services.transfer.importFile(at: path, for: ada)
            #expect(first.count(.added) == 1 && first.count(.skipped) == 1)
            try zip(["users/1/shares.jsonl": rows[2]], at: folder.file("more.zip"))
            let more = try await fixture.services.transfer.importFile(at: folder.file("more.zip"), for: ada)
            #expect(more.count(.added) == 0)
            #expect(more.problems.map(\.result.why) == ["You can have up to 10,000 shares."])
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM shared_items") == [10_000])
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM shared_items WHERE processed = 0") == [0])
            let statement = try #require(
                fixture.statements.all.last { $0.contains("INTO shared_items") && $0.contains("NOT EXISTS") })
            let check = try #require(statement.components(separatedBy: "NOT EXISTS (").last).dropLast()
            let plan = try fixture.plan(of: String(check).replacing(#/:[a-zA-Z]+/#, with: "?"))
            let search = "shared_items_by_user (user_id=? AND created_at>? AND created_at<?)"
            #expect(plan.steps.contains { $0.contains(search) }, "\(plan.steps)")
        }
    }

    @Test(arguments: [
        #"{"program":"Roost","kind":"bookmarks","version":1}"#, #"{"program":"Other"}"#, "[]", "{", "",
        #"{"program":"Roost","kind":"all data","version":1,"exportedAt":"2026-11-01T00:00:00.000Z","scope":"user","users":[]}"#,
        #"{"program":"Roost","kind":"all data","version":2,"exportedAt":"2026-11-01T00:00:00.000Z","scope":"user","users":[]}"#,
    ]) func `a zip file of something else or of a newer version is refused`(manifest: String) async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("other.zip")
            try zip([:], manifest: manifest, at: path)
            let error = await refusal {
                _ = try await fixture.services.transfer.importFile(at: path, for: ada)
            }
            #expect(error?.field == "file")
        }
    }

    @Test func `a file that is no zip file, or is cut off, is refused`() async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("whole.zip")
            try zip(["users/1/bookmarks.jsonl": "{\"fullName\":\"a/b\"}\n"], at: path)
            let bytes = try folder.read("whole.zip")
            for (name, content) in [
                ("text", Array("hello".utf8)), ("empty", []), ("cut", Array(bytes.dropLast(30))),
                ("doubled", bytes + Array(repeating: Array(bytes.suffix(22)), count: 50).joined()),
            ] {
                try folder.write(content, to: name)
                let error = await refusal {
                    _ = try await fixture.services.transfer.importFile(at: folder.file(name), for: ada)
                }
                #expect(error?.field == "file", "\(name)")
            }
        }
    }

    @Test func `a zip bomb ends with a message`() async throws {
        try await withAda { _, _, folder async throws in
            let path = folder.file("bomb.zip")
            try zip(["bomb": String(repeating: " ", count: 40 << 20)], at: path)
            var limits = ZipFileReader.Limits()
            limits.total = 1 << 20
            try expectRefused(limits)
            limits.total = 64 << 20
            limits.maximum = 1 << 20
            try expectRefused(limits)

            func expectRefused(_ limits: ZipFileReader.Limits) throws {
                let lines = try #require(
                    try ZipFileReader(path: path, limits: limits).lines(of: "bomb", maximumBytes: 64 << 20))
                #expect(throws: ZipArchive.ReadError(why: "It is too large when unpacked.")) {
                    while try lines.next() != nil {}
                }
            }
        }
    }

    @Test func `a line that is too long ends the import`() async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("long.zip")
            let long = String(repeating: " ", count: 33 << 20)
            try zip(["users/1/bookmarks.jsonl": long + "\n{\"fullName\":\"a/b\"}"], at: path)
            let error = await refusal {
                _ = try await fixture.services.transfer.importFile(at: path, for: ada)
            }
            #expect(error?.message == "One of its lines is too long.")
        }
    }

    @Test func `an import can be stopped inside a line`() async throws {
        try await withAda { _, _, folder async throws in
            let path = folder.file("line.zip")
            try zip(["line": String(repeating: " ", count: 4 << 20)], at: path)
            let progress = TransferProgress()
            let reader = try ZipFileReader(path: path) { try progress.check() }
            let lines = try #require(try reader.lines(of: "line", maximumBytes: 8 << 20))
            progress.cancel()
            #expect(throws: CancellationError.self) { try lines.next() }
        }
    }

    @Test func `an import runs on a thread of low priority`() async throws {
        try await withExport(of: "ada") { filled, path async throws in
            let priorities = Mutex<Set<Int32>>([])
            _ = try await filled.services.transfer.importFile(at: path, for: filled.ada) { _ in
                // Of this thread (setpriority(2), C library/kernel differences).
                let priority = getpriority(Int32(PRIO_PROCESS.rawValue), 0)
                priorities.withLock { _ = $0.insert(priority) }
            }
            #expect(priorities.withLock { $0.allSatisfy { $0 >= 10 } && !$0.isEmpty })
        }
    }

    @Test func `an upload is opened once, also by several requests`() async throws {
        try await withAda { fixture, ada, _ async throws in
            let jobs = fixture.services.transferJobs
            _ = try jobs.receive([0x50], at: 0, from: ada)
            let path = "\(fixture.folder)/transfers/\(ada)/upload.zip"
            // Opening a pipe for reading waits until it is opened for writing.
            unlink(path)
            try #require(mkfifo(path, 0o600) == 0)
            let first = Task { try await jobs.startImport(for: ada) }
            var isRunning = false
            while !isRunning {
                if case .running = jobs.importState(of: ada) { isRunning = true }
                await Task.yield()
            }
            let second = await refusal { try await jobs.startImport(for: ada) }
            let slice = await refusal { _ = try jobs.receive([0x50], at: 0, from: ada) }
            close(open(path, O_WRONLY))
            #expect(second?.field == "file" && slice?.field == "file")
            await #expect(throws: (any Error).self) { try await first.value }
            if case .running = jobs.importState(of: ada) { Issue.record("The import is still reserved") }
        }
    }

    @Test(arguments: ["", "x", "[]"])
    func `a file of nothing but broken lines ends the import`(line: String) async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("lines.zip")
            let lines = String(repeating: line + "\n", count: 5_000)
            try zip(["users/1/bookmarks.jsonl": lines], at: path)
            let rows = Mutex(0)
            let error = await refusal {
                _ = try await fixture.services.transfer.importFile(at: path, for: ada) { _ in
                    rows.withLock { $0 += 1 }
                }
            }
            #expect(error?.message.contains("users/1/bookmarks.jsonl") == true)
            #expect(rows.withLock { $0 } == 1_000)
        }
    }

    @Test func `rows that are skipped for other reasons don't end the import`() async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("rows.zip")
            let lines = String(repeating: "{\"fullName\":7}\n", count: 1_500)
            try zip(["users/1/bookmarks.jsonl": lines], at: path)
            let report = try await fixture.services.transfer.importFile(at: path, for: ada)
            #expect(report.count(.skipped, of: "bookmarks") == 1_500)
        }
    }

    @Test func `a long report ends with a line that says so`() throws {
        let folder = try TemporaryFolder()
        let file = try #require(TransferReportFile(path: folder.file("report.csv"), maximumBytes: 100_000))
        for line in 1...10_000 {
            file.add(TransferReport.Row(file: "users/1/bookmarks.jsonl", line: line, result: .added))
        }
        file.finish()
        let text = String(decoding: try folder.read("report.csv"), as: UTF8.self)
        #expect((90_000..<101_000).contains(text.utf8.count))
        #expect(text.contains("bookmarks.jsonl,1,added"))
        let last = text.split(whereSeparator: \.isNewline).last
        #expect(last?.hasPrefix("more rows") == true)
        #expect(text.ranges(of: "more rows").count == 1)
    }

    @Test func `the disk is checked before each batch of rows`() async throws {
        try await withAda { fixture, ada, folder async throws in
            let path = folder.file("rows.zip")
            let rows = (1...250).map { "{\"fullName\":\"a/b\($0)\"}" }
            try zip(["users/1/bookmarks.jsonl": rows.joined(separator: "\n")], at: path)
            let checks = Mutex(0)
            let error = await refusal {
                _ = try await fixture.services.transfer.importFile(
                    at: path, for: ada,
                    checkRoom: {
                        try checks.withLock { checks in
                            checks += 1
                            if checks == 3 { throw RoostError.storageFull("Full.") }
                        }
                    })
            }
            #expect(error?.message == "Full.")
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM bookmarks") == [200])
        }
    }

    @Test func `an upload has at most 2 GB`() async throws {
        try await withAda { fixture, ada, _ async throws in
            let jobs = fixture.services.transferJobs
            _ = try jobs.receive([7], at: 0, from: ada)
            // A file with a hole, which takes no space.
            let size = TransferJobs.uploadBytes - 2
            try #require(truncate("\(fixture.folder)/transfers/\(ada)/upload.zip", size) == 0)
            #expect(try jobs.receive([7, 7], at: size, from: ada) == size + 2)
            let error = await refusal { _ = try jobs.receive([7], at: size + 2, from: ada) }
            #expect(error?.field == "file")
            #expect(jobs.received(by: ada) == 0)
        }
    }

    @Test(arguments: [
        (0, 1_000 << 30, 1 << 30), (600 << 20, 1_000 << 30, 1_200 << 20), (90 << 30, 1_000 << 30, 100 << 30),
        (0, 4 << 30, (4 << 30) / 10), (0, 64 << 20, 256 << 20),
    ]) func `what stays free grows with the database, up to a tenth of the disk`(
        database: Int, disk: Int, reserve: Int
    ) {
        #expect(TransferJobs.reserve(database: database, disk: disk) == reserve)
    }

    @Test func `names in a zip file are never used as paths`() async throws {
        try await withAda { fixture, ada, folder async throws in
            let (path, picture) = (folder.file("inner/paths.zip"), Pictures.notedPNG)
            try folder.write(picture, to: "inner/outside")
            try folder.write(picture, to: "outside")
            func files() throws -> [String] {
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            }
            func importAvatar(named name: String) async throws -> String? {
                let profile = #"{"username":"ada","role":"owner","path":"\#(name)"}"#
                try zip(
                    ["users/1/profile.jsonl": profile],
                    bytes: ["../new": picture, "outside": picture, "users/1/picture": picture], at: path)
                _ = try await fixture.services.transfer.importFile(at: path, for: ada)
                return try await fixture.services.identity.accounts.user(ada)?.avatar
            }
            for name in ["../../outside", folder.file("outside")] {
                #expect(try await importAvatar(named: name) == nil, "\(name)")
            }
            #expect(try await importAvatar(named: "picture") != nil)
            #expect(try files() == ["inner", "inner/outside", "inner/paths.zip", "outside"])
        }
    }

    @Test func `stopping an export leaves an import alone, and the other way round`() async throws {
        try await withExport(of: "ada") { filled, path async throws in
            let (jobs, ada) = (filled.services.transferJobs, filled.ada)
            let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
            func startBoth() async throws {
                #expect(try jobs.receive(file, at: 0, from: ada) == file.count)
                try jobs.startExport(for: ada)
                try await jobs.startImport(for: ada)
            }
            try await startBoth()
            jobs.cancel(.export, of: ada)
            await jobs.runQueued()
            guard case .none = jobs.exportState(of: ada), case .done = jobs.importState(of: ada) else {
                Issue.record("the export was made, or the import was not")
                return
            }
            try await startBoth()
            jobs.cancel(.upload, of: ada)
            await jobs.runQueued()
            guard case .ready = jobs.exportState(of: ada), case .none = jobs.importState(of: ada) else {
                Issue.record("the import was made, or the export was not")
                return
            }
        }
    }

    @Test func `an export replaces no file and leaves nothing when it fails`() async throws {
        try await withAda { fixture, ada, folder async throws in
            try folder.write("mine", to: "all.zip")
            let path = folder.file("all.zip")
            let error = await refusal { _ = try await fixture.services.transfer.export(of: ada, to: path) }
            #expect(error != nil)
            #expect(try folder.read("all.zip") == Array("mine".utf8))
            let progress = TransferProgress()
            progress.cancel()
            await #expect(throws: CancellationError.self) {
                _ = try await fixture.services.transfer.export(
                    of: ada, to: folder.file("cancelled.zip"), progress: progress)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["all.zip"])
        }
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        if let self { try await transform(self) } else { nil }
    }
}
