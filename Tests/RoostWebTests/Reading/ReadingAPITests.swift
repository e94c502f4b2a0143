import Foundation
import Testing

@testable import HTTPClient
@testable import Reading
@testable import TextFormats

@Suite struct ReadingAPITests {
    private static let path = "/api/v1/articles"

    @Test func `an article is stored immediately, and saving it again returns the same one`() async throws {
        try await TestServer.with { testServer in
            let body =
                #"{"userId": "\#(testServer.owner.userId)", "url": "https://x.example/a?utm_source=y", "title": "T", "category": "C", "autoCreateGist": true}"#
            let first = try await testServer.json("POST", Self.path, body)
            #expect(first.status == 201)
            #expect(first.object["message"] as? String == "Article saved.")
            #expect(first.object["gistCreated"] as? Bool == false)
            let id = try #require(first.object["linkId"] as? String)
            #expect(first.headers["Location"] == "\(Self.path)/\(id)")
            let again = try await testServer.json("POST", Self.path, #"{"url": "https://x.example/a#top"}"#)
            #expect(again.status == 200)
            #expect(again.object["message"] as? String == "Already in your list.")
            #expect(again.object["linkId"] as? String == id)
        }
    }

    @Test func `an article cannot be stored in another user's list`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let answer = try await testServer.json(
                "POST", Self.path, #"{"userId": "\#(grace.user.userId)", "url": "https://x.example/"}"#)
            #expect(answer.status == 403)
            #expect(try await testServer.services.reading.articles.counts(of: grace.user.userId).all == 0)
        }
    }

    @Test(arguments: [
        (#"{}"#, "url"), (#"{"url": " "}"#, "url"), (#"{"url": 7}"#, "url"),
        (#"{"url": "ftp://x.example/"}"#, "url"),
        (#"{"url": "https://x.example/", "autoCreateGist": "yes"}"#, "autoCreateGist"),
    ])
    func `an invalid request is refused with its field`(body: String, field: String)
        async throws
    {
        try await TestServer.with { testServer in
            let answer = try await testServer.json("POST", Self.path, body)
            #expect(answer.status == 422)
            #expect(answer.error("field") == field)
        }
    }

    @Test func `only suggestions have a reason`() async throws {
        try await TestServer.with { testServer in
            let (reading, ada) = (testServer.services.reading.articles, testServer.owner.userId)
            for number in 0..<3 {
                let read = try await reading.save(
                    ArticleDraft(url: "https://example.org/\(number)", category: "Science"), by: ada
                ).item
                try await reading.edit(read.id, change: .init(state: .archived, progress: 1), by: ada)
            }
            let more = try await reading.save(
                ArticleDraft(url: "https://blog.example/x", category: "Science"), by: ada
            ).item
            let suggested = try await testServer.send("GET", "\(Self.path)?list=suggested").items
            #expect(suggested.map { $0["id"] as? String } == ["\(more.id)"])
            let reason = suggested.first?["reason"] as? String
            #expect(reason == "You finished all articles that you opened in “Science”.")
            let all = try await testServer.send("GET", Self.path).items
            #expect(all.count == 4 && all.allSatisfy { $0["reason"] == nil })
        }
    }

    @Test func `a token's name is the source of what it saves`() async throws {
        try await TestServer.with { testServer in
            let token = try await testServer.services.identity.tokens.make(
                .init(name: "my script", scope: .write), for: testServer.owner
            ).token
            let answer = try await testServer.json(
                "POST", Self.path, #"{"url": "https://x.example/"}"#,
                headers: [("Authorization", "Bearer \(token)")], as: .anonymous)
            #expect(answer.status == 201)
            let own = try await testServer.send("GET", "/api/v1/shared-items?direction=own")
            #expect(own.items.first?["sourceApplication"] as? String == "my script")
        }
    }

    /// The request of the shortcut in Reading.md, as iOS sends it: with escaped slashes, without `Origin`.
    @Test(arguments: [("write", 201), ("read", 403), ("wrong", 401)])
    func `an iPhone's shortcut saves a page`(scope: String, status: Int) async throws {
        try await TestServer.with { testServer in
            let token = try await testServer.services.identity.tokens.make(
                .init(name: "iPhone", scope: scope == "read" ? .read : .write), for: testServer.owner
            ).token
            let answer = try await testServer.json(
                "POST", Self.path, #"{"url":"https:\/\/x.example\/post?a=1"}"#,
                headers: [
                    ("Accept", "*/*"), ("Accept-Language", "en-GB,en;q=0.9"),
                    ("User-Agent", "BackgroundShortcutRunner/2607.1.3 CFNetwork/1568.200.51 Darwin/24.1.0"),
                    ("Authorization", "Bearer \(scope == "wrong" ? "roost_wrong" : token)"),
                ], as: .anonymous)
            #expect(answer.status == status)
            guard status == 201 else { return }
            #expect(answer.object["message"] as? String == "Article saved.")
            let list = try await testServer.send("GET", Self.path)
            #expect(list.items.map { $0["url"] as? String } == ["https://x.example/post?a=1"])
        }
    }

    @Test func `the list is paged, filtered and searched`() async throws {
        try await ReadingFixture.with { reading in
            for number in 1...4 {
                _ = try await reading.save("https://x.example/\(number)", category: "C", tags: ["t\(number)"])
            }
            let server = reading.testServer
            let first = try await server.send("GET", "\(Self.path)?limit=3")
            #expect(first.items.count == 3)
            let next = try #require(first.object["next"] as? String)
            let rest = try await server.send(
                "GET", "\(Self.path)?limit=3&cursor=\(PercentEncoding.encode(next))")
            #expect(rest.items.count == 2)
            #expect(rest.object["next"] is NSNull)
            let ids = (first.items + rest.items).compactMap { $0["id"] as? String }
            #expect(Set(ids).count == 5)
            #expect(try await server.send("GET", "\(Self.path)?tag=t2").items.count == 1)
            #expect(try await server.send("GET", "\(Self.path)?category=C").items.count == 4)
            let found = try await server.send("GET", "\(Self.path)?text=pendulum").items
            #expect(found.map { $0["id"] as? String } == ["\(reading.id)"])
            #expect((found.first?["snippet"] as? [[String: Any]])?.isEmpty == false)
            for (query, field) in [
                ("list=x", "list"), ("sort=x", "sort"), ("limit=0", "limit"), ("cursor=x", "cursor"),
            ] {
                let answer = try await server.send("GET", "\(Self.path)?\(query)")
                #expect(answer.status == 422, "\(query)")
                #expect(answer.error("field") == field, "\(query)")
            }
            let tags = try await server.send("GET", "\(Self.path)/tags").items
            #expect(tags.count == 4)
            #expect(try await server.send("GET", "\(Self.path)/categories").items.count == 2)
            #expect(try await server.send("GET", "\(Self.path)/sites").items.count == 2)
        }
    }

    @Test func `an article has the model's fields, with dates in ISO 8601`() async throws {
        try await ReadingFixture.with { reading in
            let article = try await reading.testServer.send("GET", reading.api).object
            #expect(article["id"] as? String == "\(reading.id)")
            #expect(article["userId"] as? String == "\(reading.ada)")
            #expect(article["url"] as? String == ReadingFixture.url)
            #expect(article["category"] as? String == "Unsorted")
            #expect(article["state"] as? String == "unread")
            #expect(article["fetchState"] as? String == "fetched")
            for name in ["createdAt", "updatedAt", "savedAt"] {
                let text = try #require(article[name] as? String, "\(name)")
                #expect(ISO8601.parse(text) != nil && text.hasSuffix("Z"), "\(name)")
            }
            let text = try await reading.testServer.send("GET", "\(reading.api)/text").object
            #expect((text["text"] as? String)?.contains("a heavy weight & a wheel") == true)
            #expect((text["html"] as? String)?.contains("a heavy weight &amp; a wheel") == true)
        }
    }

    @Test func `an outdated change is answered with both versions`() async throws {
        try await ReadingFixture.with { reading in
            let server = reading.testServer
            let seen = ("If-Match", try #require(try await server.send("GET", reading.api).headers["ETag"]))
            let changed = try await server.json(
                "PATCH", reading.api, #"{"title": "Mine", "tags": ["a"]}"#, headers: [seen])
            #expect(changed.status == 200)
            #expect(changed.object["title"] as? String == "Mine")
            let late = try await server.json(
                "PATCH", reading.api, #"{"title": "Late"}"#, headers: [seen])
            #expect(late.status == 409 && late.error("field") == "If-Match")
            #expect(late.error("code") == "conflict")
            #expect((late.object["yours"] as? [String: Any])?["title"] as? String == "Late")
            #expect((late.object["current"] as? [String: Any])?["title"] as? String == "Mine")
            #expect(try await reading.item().title == "Mine")
            let next = ("If-Match", try #require(changed.headers["ETag"]))
            let again = try await server.json(
                "PATCH", reading.api, #"{"title": "Again"}"#, headers: [next])
            #expect(again.status == 200)
        }
    }

    @Test func `highlights are added, changed and removed`() async throws {
        try await ReadingFixture.with { reading in
            let server = reading.testServer
            let all = "\(reading.api)/highlights"
            let text = MarkupText(
                try #require(
                    try await reading.services.reading.articles.reading(reading.id, for: reading.ada).markup))
            let range = try #require(text.range(quoting: ReadingFixture.quote))
            let added = try await server.json(
                "POST", all,
                #"{"start": \#(range.lowerBound), "end": \#(range.upperBound), "quote": "\#(ReadingFixture.quote)", "note": "n"}"#
            )
            #expect(added.status == 201)
            let one = try #require(added.headers["Location"])
            #expect(try await server.send("GET", all).items.count == 1)
            let changed = try await server.json("PATCH", one, #"{"note": "m"}"#)
            #expect(changed.object["note"] as? String == "m")
            let late = try await server.json(
                "PATCH", one, #"{"note": "x"}"#, headers: [("If-Match", "\"978307200000\"")])
            #expect(late.status == 409)
            #expect((late.object["current"] as? [String: Any])?["note"] as? String == "m")
            #expect(try await server.send("DELETE", one).status == 204)
            #expect(try await server.send("GET", all).items.isEmpty)
        }
    }

    @Test func `gists are created, changed and removed`() async throws {
        try await ReadingFixture.with { reading in
            let server = reading.testServer
            let created = try await server.json("POST", "\(reading.api)/gist", #"{"length": "sentences-1"}"#)
            #expect(created.status == 201)
            #expect(created.object["articleId"] as? String == "\(reading.id)")
            let one = try #require(created.headers["Location"])
            let changed = try await server.json("PATCH", one, #"{"content": "Mine."}"#)
            #expect(changed.object["content"] as? String == "Mine.")
            #expect(changed.object["isEdited"] as? Bool == true)
            #expect(try await server.json("POST", "\(reading.api)/gist", "{}").status == 409)
            let late = try await server.json(
                "PATCH", one, #"{"content": "Late."}"#, headers: [("If-Match", "\"978307200000\"")])
            #expect(late.status == 409)
            #expect((late.object["current"] as? [String: Any])?["content"] as? String == "Mine.")
            let pasted = try await server.json(
                "POST", "/api/v1/gists", #"{"text": "A clock is a machine. It shows the time."}"#)
            #expect(pasted.status == 201)
            #expect(try await server.send("GET", "/api/v1/gists").items.count == 2)
            #expect(try await server.send("DELETE", one).status == 204)
            #expect(try await server.send("GET", one).status == 404)
            let wrong = try await server.json("POST", "\(reading.api)/gist", #"{"length": "long"}"#)
            #expect(wrong.error("field") == "length")
        }
    }

    @Test func `pages are shared, accepted and withdrawn`() async throws {
        try await ReadingFixture.with { reading in
            let server = reading.testServer
            let path = "/api/v1/shared-items"
            let with = #""with": "\#(reading.grace.user.userId)""#
            let shared = try await server.json("POST", path, #"{\#(with), "articleId": "\#(reading.id)"}"#)
            #expect(shared.status == 201)
            let id = try #require(shared.object["id"] as? String)
            #expect(try await server.send("GET", "\(path)?direction=by").items.count == 1)
            let hers = try await server.send("GET", path, as: reading.grace)
            #expect(hers.items.first?["sharedByName"] as? String == "ada")
            let accepted = try await server.send("POST", "\(path)/\(id)/accept", as: reading.grace)
            #expect(accepted.status == 201)
            #expect(accepted.object["message"] as? String == "Article saved.")
            #expect(try await server.send("DELETE", "\(path)/\(id)").status == 204)
            let nothing = try await server.json("POST", path, #"{\#(with)}"#)
            #expect(nothing.status == 422)
        }
    }

    @Test func `everything is exported, and importing it again adds nothing`() async throws {
        try await ReadingFixture.with { reading in
            let server = reading.testServer
            try await reading.highlight(note: "n")
            for format in ["json", "netscape", "csv"] {
                let answer = try await server.send("GET", "\(Self.path)/export?format=\(format)")
                #expect(answer.status == 200 && answer.text.contains("clocks.example"), "\(format)")
            }
            #expect(try await server.send("GET", "\(Self.path)/export?format=x").status == 422)
            let file = try await server.send("GET", "\(Self.path)/export?format=json").text
            let body =
                "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\n\r\n\(file)\r\n--XX--\r\n"
            let started = try await server.send(
                "POST", "\(Self.path)/import",
                headers: [("Content-Type", "multipart/form-data; boundary=XX")],
                body: body)
            #expect(started.status == 202)
            let path = try #require(started.headers["Location"])
            try await eventually("the import is done") {
                try await server.send("GET", path).object["state"] as? String == "done"
            }
            let done = try await server.send("GET", path).object
            #expect(done["added"] as? Int == 0 && done["known"] as? Int == 1)
            #expect(done["merged"] as? Int == 0)
            #expect(try await server.send("GET", path, as: reading.grace).status == 404)
        }
    }
}
