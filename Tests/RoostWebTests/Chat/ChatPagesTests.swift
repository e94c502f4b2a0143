import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostSupport
@testable import TextFormats

/// Chat in a browser without scripts.
@Suite struct ChatPagesTests {
    @Test func `a message is sent by form and read by the other member`() async throws {
        try await ChatFixture.with { talk in
            let answer = try await talk.compose([
                "id": ChatFixture.newId(), "text": "Hello *there*", "replyTo": "",
            ])
            #expect(answer.status == 303)
            #expect(answer.headers["Location"] == "/chat/\(talk.id)")
            let page = try await talk.page(as: talk.grace)
            #expect(page.text.contains("Hello <i>there</i>"))
            #expect(page.text.contains("id=\"unread\""))
        }
    }

    @Test func `the page contains the data that its scripts need`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("One")
            let page = try await talk.page(as: talk.grace).text
            let main = try #require(page.firstMatch(of: /<main [^>]*>/)).output
            #expect(main.contains("data-chat=\"\(talk.id)\""))
            #expect(main.contains("data-me=\"\(talk.grace.user.userId)\""))
            #expect(main.contains("data-last=\"\(message.number)\""))
            #expect(main.contains("data-log=\""))
            #expect(
                page.contains(
                    "id=\"m-\(message.number)\" data-seq=\"\(message.number)\" data-id=\"\(message.id)\"")
            )
            #expect(page.contains("interactive-widget=resizes-content"))
        }
    }

    @Test func `the page follows what its cards show`() async throws {
        try await ChatFixture.with { talk in
            let page = try await talk.page(as: talk.grace).text
            let topics = "chat-typing/\(talk.id) inbox pull-details"
            #expect(page.contains("data-topics=\"\(topics)\""))
        }
    }

    @Test func `two tabs of one page send two messages`() async throws {
        let clock = TestClock()
        try await ChatFixture.with(clock: clock.wallClock) { talk in
            func number() async throws -> String {
                let page = try await talk.page().text
                return try #require(page.firstMatch(of: #/name="id" value="([^"]+)"/#).map { "\($0.1)" })
            }
            let (first, second) = (try await number(), try await number())
            for (number, text) in [(first, "One"), (second, "Two"), (first, "One")] {
                #expect(try await talk.compose(["id": number, "text": text]).status == 303)
            }
            let page = try await talk.services.chat.conversations.page(of: talk.id, for: talk.ada.user.userId)
            #expect(page.messages.map(\.text) == ["One", "Two"])
        }
    }

    @Test func `a refused message stays in the composer, with the reason`() async throws {
        try await ChatFixture.with { talk in
            let long = String(repeating: "long ", count: 4_000)
            let answer = try await talk.compose(["id": ChatFixture.newId(), "text": long])
            #expect(answer.status == 422)
            #expect(answer.text.contains(">\(long)</textarea>"))
            #expect(answer.text.contains("<p class=\"field-error\" role=\"alert\">"))
        }
    }

    @Test func `an image is sent without text, shown with its size, and served to members only`() async throws
    {
        try await ChatFixture.with { talk in
            let answer = try await talk.compose(
                ["id": ChatFixture.newId(), "text": ""], file: ("a \"photo\".png", Picture.png))
            #expect(answer.status == 303)
            let page = try await talk.page(as: talk.grace).text
            let image = try #require(
                page.firstMatch(of: /<img src="(\/chat\/files\/[^"]+)"[^>]* width="16" height="16"/))
            let path = String(image.1)
            let shown = try await talk.testServer.send("GET", path, as: talk.grace)
            #expect(shown.headers["Content-Type"] == "image/png")
            #expect(shown.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
            #expect(shown.headers["X-Content-Type-Options"] == "nosniff")
            #expect(shown.headers["Content-Disposition"]?.hasPrefix("inline; ") == true)
            #expect(try await talk.testServer.send("GET", path, as: talk.eve).status == 404)
        }
    }

    @Test func `a file that is not an image is only offered for download`() async throws {
        try await ChatFixture.with { talk in
            let page = Array("<script>alert(1)</script>".utf8)
            _ = try await talk.compose(["id": ChatFixture.newId(), "text": "See"], file: ("a.html", page))
            let text = try await talk.page(as: talk.grace).text
            let link = try #require(text.firstMatch(of: /class="file" href="([^"]+)"/))
            let file = try await talk.testServer.send("GET", String(link.1), as: talk.grace)
            #expect(file.headers["Content-Type"] == "application/octet-stream")
            #expect(file.headers["Content-Disposition"]?.hasPrefix("attachment; ") == true)
        }
    }

    @Test(arguments: [
        ("beach.HEIC", Pictures.brands("heic", "mif1"), "image/heic"),
        ("beach.avif", Pictures.brands("avif", "mif1"), "image/avif"),
    ])
    func `a picture that only some browsers can show has a preview, a sentence and a download`(
        name: String, bytes: [UInt8], type: String
    ) async throws {
        try await ChatFixture.with { talk in
            _ = try await talk.compose(["id": ChatFixture.newId(), "text": "See"], file: (name, bytes))
            let text = try await talk.page(as: talk.grace).text
            let source = try #require(
                text.firstMatch(of: /<source type="([^"]+)" srcset="([^"]+)"><img src="([^"]+)"/))
            #expect(source.1 == type)
            let preview = try await talk.testServer.send("GET", String(source.2), as: talk.grace)
            #expect(preview.status == 200 && Array(preview.body) == bytes)
            #expect(preview.headers["Content-Type"] == type)
            #expect(preview.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
            #expect(preview.headers["X-Content-Type-Options"] == "nosniff")
            #expect(preview.headers["Content-Disposition"]?.hasPrefix("inline; ") == true)
            #expect(try await talk.testServer.send("GET", String(source.2), as: talk.eve).status == 404)
            let sentence = try await talk.testServer.send("GET", String(source.3), as: talk.grace)
            #expect(sentence.headers["Content-Type"] == "image/svg+xml")
            #expect(sentence.text.contains("Download the file"))
            let link = try #require(text.firstMatch(of: /class="file" href="([^"]+)"/))
            let file = try await talk.testServer.send("GET", String(link.1), as: talk.grace)
            #expect(file.headers["Content-Disposition"]?.hasPrefix("attachment; ") == true)
        }
    }

    @Test(arguments: [
        ("page.heic", Array("<script>alert(1)</script>".utf8)),
        ("film.avif", Pictures.brands("mp42", "isom")),
        ("beach.txt", Pictures.brands("heic", "mif1")),
    ])
    func `a file with only the name or only the content of such a picture has no preview`(
        name: String, bytes: [UInt8]
    ) async throws {
        try await ChatFixture.with { talk in
            let file = try await talk.services.chat.files.upload(
                bytes, name: name, to: talk.id, by: talk.ada.user.userId)
            try await talk.say("look", fileId: file.id)
            let preview = try await talk.testServer.send("GET", file.url + "/preview", as: talk.grace)
            #expect(preview.status == 404)
        }
    }

    @Test func `users can edit and delete only their own messages`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("Frist")
            let path = "/chat/\(talk.id)/messages/\(message.number)"
            let stranger = try await talk.testServer.post("\(path)/edit", form: "text=No", as: talk.grace)
            #expect(stranger.status == 403)
            _ = try await talk.testServer.post("\(path)/edit", form: "text=First")
            let edited = try await talk.page("?message=\(message.number)").text
            #expect(edited.contains(">First</div>"))
            #expect(edited.contains("<span class=\"edited\">edited</span>"))
            _ = try await talk.testServer.post("\(path)/delete")
            let deleted = try await talk.page(as: talk.grace).text
            #expect(deleted.contains("Message deleted"))
            #expect(!deleted.contains(">First</div>"))
        }
    }

    @Test func `a refused edit is shown with what was typed`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("First")
            let path = "/chat/\(talk.id)/messages/\(message.number)/edit"
            let answer = try await talk.testServer.post(path, form: "text=")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"edit-text\""))
        }
    }

    @Test func `one button adds and removes a reaction, and shows who reacted`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("Done")
            let path = "/chat/\(talk.id)/react"
            let form = "reaction=\(message.number)%20%F0%9F%91%8D"
            #expect(try await talk.testServer.post(path, form: form, as: talk.grace).status == 303)
            let page = try await talk.page().text
            #expect(page.contains("data-emoji=\"👍\" data-users=\"\(talk.grace.user.userId)\""))
            #expect(page.contains("title=\"grace\""))
            _ = try await talk.testServer.post(path, form: form, as: talk.grace)
            #expect(
                try await talk.services.chat.conversations.message(message.seq, for: talk.ada.user.userId)
                    .reactions.isEmpty
            )
        }
    }

    @Test func `a reply quotes its message`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("The question")
            let composer = try await talk.page("?reply=\(message.number)", as: talk.grace).text
            #expect(composer.contains("name=\"replyTo\" value=\"\(message.number)\""))
            _ = try await talk.compose(
                ["id": ChatFixture.newId(), "text": "The answer", "replyTo": "\(message.number)"],
                as: talk.grace
            )
            let page = try await talk.page().text
            #expect(
                page.contains(
                    "class=\"quote\" href=\"/chat/\(talk.id)?message=\(message.number)#m-\(message.number)\"")
            )
        }
    }

    @Test func `older and newer messages are a link away, and each has its own address`() async throws {
        try await ChatFixture.with { talk in
            for number in 1...60 { try await talk.say("Number \(number).") }
            let latest = try await talk.page().text
            #expect(latest.contains(">Number 60.<"))
            #expect(!latest.contains(">Number 5.<"))
            let older = try #require(latest.firstMatch(of: /id="older"[^>]* href="([^"]+)"/))
            #expect(try await talk.testServer.send("GET", String(older.1)).text.contains(">Number 5.<"))
            let one = try await talk.page("?message=5").text
            #expect(one.contains("chosen\" id=\"m-5\""))
            #expect(one.contains("id=\"newer\""))
        }
    }

    @Test func `the new-messages line is above the first unread message, or a link leads to it`()
        async throws
    {
        try await ChatFixture.with { talk in
            let first = try await talk.say("Number 1.")
            for number in 2...60 { try await talk.say("Number \(number).") }
            let latest = try await talk.page(as: talk.grace).text
            #expect(!latest.contains("id=\"unread\""))
            let link = try #require(
                latest.firstMatch(of: /href="[^"]*(\?after=[0-9]+)#unread">60 new messages/))
            let start = try await talk.page(String(link.1), as: talk.grace).text
            let line = try #require(start.range(of: "id=\"unread\""))
            let message = try #require(start.range(of: "id=\"m-\(first.number)\""))
            #expect(line.upperBound < message.lowerBound)
        }
    }

    @Test func `without scripts an image marks the page as read, and no other site can load it`()
        async throws
    {
        try await ChatFixture.with { talk in
            try await talk.say("News")
            #expect(try await talk.unread(of: talk.grace) == 1)
            let page = try await talk.page(as: talk.grace).text
            let image = try #require(page.firstMatch(of: /<noscript><img class="read-image" src="([^"]+)"/))
            let path = String(image.1).replacingOccurrences(of: "&amp;", with: "&")
            let server = talk.testServer
            let forged = try await server.send(
                "GET", path, headers: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")],
                as: talk.grace)
            #expect(forged.status == 403)
            let unproven = try #require(path.split(separator: "&").first)
            #expect(try await server.send("GET", "\(unproven)", as: talk.grace).status == 403)
            let otherSession = try await Guest.signIn("grace", talk.services)
            #expect(try await server.send("GET", path, as: otherSession).status == 403)
            #expect(try await talk.unread(of: talk.grace) == 1)
            #expect(try await server.send("GET", path, as: talk.grace).status == 200)
            #expect(try await talk.unread(of: talk.grace) == 0)
        }
    }

    @Test func `opening a page marks nothing as read`() async throws {
        try await ChatFixture.with { talk in
            try await talk.say("News")
            _ = try await talk.page(as: talk.grace)
            #expect(try await talk.unread(of: talk.grace) == 1)
        }
    }

    @Test func `a message is marked unread`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("News")
            try await talk.services.chat.conversations.markRead(
                talk.id, upTo: message.number, by: talk.grace.user.userId)
            let path = "/chat/\(talk.id)/messages/\(message.number)/unread"
            #expect(try await talk.testServer.post(path, as: talk.grace).status == 303)
            #expect(try await talk.unread(of: talk.grace) == 1)
        }
    }

    @Test func `unread messages are shown in the navigation, on the home page and in the list`() async throws
    {
        try await ChatFixture.with { talk in
            try await talk.say("News for <you>")
            let home = try await talk.testServer.send("GET", "/", as: talk.grace).text
            #expect(home.contains("data-live=\"/chat/count\" data-topics=\"chat\">1</span>"))
            #expect(home.contains("News for &lt;you&gt;"))
            let count = try await talk.testServer.send("GET", "/chat/count", as: talk.grace)
            #expect(count.text == "1")
            let list = try await talk.testServer.send("GET", "/chat/list", as: talk.grace)
            #expect(list.text.contains("data-conversation=\"\(talk.id)\""))
            let tag = try #require(list.headers["ETag"])
            let same = try await talk.testServer.send(
                "GET", "/chat/list", headers: [("If-None-Match", tag)], as: talk.grace)
            #expect(same.status == 304)
        }
    }

    @Test func `a user's own messages show their status as text and icon`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("Look")
            #expect(try await talk.page().text.contains("<span class=\"status sent\">Sent</span>"))
            try await talk.services.chat.conversations.markRead(
                talk.id, upTo: message.number, by: talk.grace.user.userId)
            #expect(try await talk.page().text.contains("<span class=\"status read\">Read</span>"))
        }
    }

    @Test func `a shared link asks for a conversation, and is put into its composer`() async throws {
        try await ChatFixture.with { talk in
            let text = PercentEncoding.encode("https://github.com/apple/swift-nio/pull/1")
            let new = try await talk.testServer.send("GET", "/chat/new?text=\(text)").text
            let target = "/chat/\(talk.id)?text=\(text)#composer"
            #expect(new.contains("href=\"\(target)\""))
            let page = try await talk.page("?text=\(text)").text
            #expect(page.contains(">https://github.com/apple/swift-nio/pull/1</textarea>"))
        }
    }

    @Test(arguments: ["RepositoryDetailView", "WatchlistRow", "PullSnoozeView"])
    func `every page that can be shared has a link to the chat`(view: String) throws {
        let text = try #require(Samples.texts[view])
        #expect(text.contains("href=\"/chat/new?text="))
    }

    @Test func `the inbox has the share link once, in its menu`() throws {
        let text = try #require(Samples.texts["PullsView"])
        #expect(text.components(separatedBy: "href=\"/chat/new").count == 2)
    }

    @Test func `a group is created, renamed, joined and left by forms`() async throws {
        try await ChatFixture.with { talk in
            let (grace, eve) = (talk.grace.user.userId, talk.eve.user.userId)
            let id = ChatFixture.newId()
            let server = talk.testServer
            let started = try await server.post(
                "/chat/new", form: "id=\(id)&participants=\(grace)&participants=\(eve)&groupName=Three")
            #expect(started.headers["Location"] == "/chat/\(id)")
            let renamed = try await server.post("/chat/\(id)/rename", form: "groupName=Trio")
            #expect(renamed.status == 303)
            _ = try await server.post("/chat/\(id)/members/\(grace)", form: "act=promote")
            _ = try await server.post("/chat/\(id)/members/\(eve)", form: "act=remove")
            #expect(try await server.send("GET", "/chat/\(id)", as: talk.eve).status == 404)
            let details = try await server.send("GET", "/chat/\(id)/details", as: talk.grace).text
            #expect(details.contains("Trio"))
            #expect(try await server.post("/chat/\(id)/notify", form: "notify=none").status == 303)
            #expect(try await server.post("/chat/\(id)/leave").status == 303)
            #expect(try await server.send("GET", "/chat/\(id)").status == 404)
        }
    }

    @Test func `people are listed with their user names, as pages and as JSON`() async throws {
        try await ChatFixture.with { talk in
            let server = talk.testServer
            try await talk.services.identity.accounts.change(
                talk.grace.user.userId, email: nil, displayName: "Grace Hopper")
            for path in ["/chat/new", "/chat/\(talk.id)/details"] {
                let page = try await server.send("GET", path).text
                #expect(page.contains("Grace Hopper</span> <span class=\"muted\">@grace</span>"), "\(path)")
            }
            let message = try await talk.say("Here", as: talk.grace)
            for path in [
                "/api/v1/conversations", talk.api, "\(talk.api)/members", "\(talk.api)/messages",
            ] {
                let json = try await server.send("GET", path).text
                #expect(json.contains("sername\":\"grace\""), "\(path): \(json)")
            }
            let receipts = try await talk.services.database.read {
                try talk.services.chat.conversations.receipts(
                    $0, of: message.seq, for: talk.grace.user.userId)
            }
            #expect(receipts.map(\.username) == ["ada"])
        }
    }

    @Test func `a message shows the thumbnail of its image and links to the image`() async throws {
        try await ChatFixture.with { talk in
            let file = try await talk.services.chat.files.upload(
                Picture.png, name: "dot.png", to: talk.id, by: talk.ada.user.userId)
            try await talk.say("look", fileId: file.id)
            let page = try await talk.page().text
            let image =
                "<img src=\"/chat/files/\(file.id)/thumbnail\" alt=\"dot.png\" width=\"16\" height=\"16\""
            #expect(
                page.contains(
                    "<a class=\"picture\" href=\"/chat/files/\(file.id)\" target=\"_blank\">\(image)"))
            #expect(!page.contains("src=\"/chat/files/\(file.id)\""))
        }
    }

    @Test func `a search finds words with its filters and links to the message`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("The lighthouse keeper")
            let found = try await talk.testServer.send("GET", "/chat/search?q=lighthouse", as: talk.grace)
                .text
            #expect(found.contains("<mark>lighthouse</mark>"))
            #expect(found.contains("href=\"/chat/\(talk.id)?message=\(message.number)#m-\(message.number)\""))
            let none = try await talk.testServer.send(
                "GET", "/chat/search?q=lighthouse&from=\(talk.grace.user.userId)", as: talk.grace
            ).text
            #expect(!none.contains("<mark>"))
            #expect(
                !(try await talk.testServer.send("GET", "/chat/search?q=lighthouse", as: talk.eve).text
                    .contains("<mark>")))
        }
    }

    @Test func `a conversation is exported as one page with its images, and as JSON`() async throws {
        try await ChatFixture.with { talk in
            _ = try await talk.compose(
                ["id": ChatFixture.newId(), "text": "A *picture*"], file: ("a.png", Picture.png))
            let page = try await talk.testServer.send("GET", "/chat/\(talk.id)/export.html")
            #expect(page.text.contains("A <i>picture</i>"))
            #expect(page.text.contains("<img src=\"data:image/png;base64,"))
            #expect(page.headers["Content-Disposition"]?.hasPrefix("attachment; ") == true)
            #expect(page.headers["Content-Security-Policy"]?.contains("sandbox") == true)
            let json = try await talk.testServer.send("GET", "/chat/\(talk.id)/export.json")
            #expect((json.object["messages"] as? [Any])?.count == 1)
        }
    }

    @Test func `a webhook's secret is shown once, posts as a bot, and is not logged`() async throws {
        try await ChatFixture.with { talk in
            let server = talk.testServer
            let created = try await server.post("/chat/\(talk.id)/webhooks", form: "name=Builds")
            let address = try #require(created.text.firstMatch(of: /\/hooks\/([A-Za-z0-9_-]+)</))
            let path = "/hooks/\(address.1)"
            let posted = try await server.json(
                "POST", path, #"{"text": "Build 7 is <green>"}"#, as: .anonymous)
            #expect(posted.status == 201)
            let page = try await talk.page().text
            #expect(page.contains("Build 7 is &lt;green&gt;"))
            #expect(page.contains("<span class=\"chip\">bot</span>"))
            let details = try await server.send("GET", "/chat/\(talk.id)/details").text
            #expect(!details.contains(address.1))
            #expect(!server.accessLines.all.joined().contains(address.1))
            let wrong = try await server.json(
                "POST", "/hooks/wrong-secret-of-some-length", "{}", as: .anonymous)
            #expect(wrong.status == 404)
            let added = try await server.json(
                "POST", path, #"{"text": "Build 8 is red", "repository": {"name": "x"}}"#, as: .anonymous)
            #expect(added.status == 201)
            for (body, status) in [("{", 400), ("{}", 422), (#"{"text": 7}"#, 422)] {
                let refused = try await server.json("POST", path, body, as: .anonymous)
                #expect(refused.status == status, "\(body)")
                #expect(refused.error("field") == (status == 400 ? nil : "text"), "\(body)")
            }
        }
    }

    @Test func `a webhook's errors are JSON, whatever the request's form and method`() async throws {
        try await TestServer.with { server async throws in
            let path = "/hooks/wrong-secret-of-some-length"
            let form = try await server.post(path, form: "text=x", as: .anonymous)
            #expect(form.status == 404 && form.error("code") == "notFound")
            let read = try await server.send("GET", path, as: .anonymous)
            #expect(read.status == 405 && read.error("code") == "methodNotAllowed")
            for path in ["/hooks", "/api", "/api/v2", "/api/v1/nothing"] {
                let nothing = try await server.send("GET", path, as: .anonymous)
                #expect(nothing.status == 404 && nothing.error("code") == "notFound", "\(path)")
            }
        }
    }

    @Test func `Details shows who made a webhook`() async throws {
        try await ChatFixture.with(isGroup: true) { talk in
            let server = talk.testServer
            try await talk.services.chat.conversations.promote(
                talk.grace.user.userId, in: talk.id, by: talk.ada.user.userId)
            _ = try await server.post("/chat/\(talk.id)/webhooks", form: "name=Builds", as: talk.grace)
            let details = try await server.send("GET", "/chat/\(talk.id)/details").text
            #expect(details.contains("Created by grace, never used"))
            try await talk.services.chat.conversations.leave(talk.id, by: talk.grace.user.userId)
            #expect(try await !server.send("GET", "/chat/\(talk.id)/details").text.contains("Builds"))
        }
    }

    @Test func `names and messages from users are escaped on every page`() async throws {
        try await ChatFixture.with(isGroup: true) { talk in
            let text = HostileText.short
            let message = try await talk.say(text + " probe", as: talk.grace)
            try await talk.services.chat.conversations.rename(talk.id, to: text, by: talk.ada.user.userId)
            let encoded = PercentEncoding.encode(text)
            for path in [
                "/chat/\(talk.id)", "/chat/\(talk.id)?message=\(message.number)",
                "/chat/\(talk.id)?text=\(encoded)",
                "/chat/\(talk.id)?reply=\(message.number)", "/chat/\(talk.id)/details", "/chat", "/chat/list",
                "/chat/tile", "/chat/new?text=\(encoded)", "/chat/search?q=probe",
                "/chat/search?q=\(encoded)",
                "/chat/\(talk.id)/messages/\(message.number)", "/chat/\(talk.id)/export.html",
            ] {
                let page = try await talk.testServer.send("GET", path)
                #expect(page.status == 200, "\(path)")
                for tag in try Markup(page.text).tags { #expect(!tag.contains("probe"), "\(path): \(tag)") }
            }
        }
    }

    @Test func `a page named in a message can be saved for reading, by members only`() async throws {
        try await ChatFixture.with { talk in
            try await talk.say("Look at https://x.example/a and https://y.example/")
            let page = try await talk.page(as: talk.grace).text
            #expect(page.contains("form=\"save-link\" name=\"link\" value=\"https://x.example/a\""))
            let form = "link=https%3A%2F%2Fx.example%2Fa"
            let path = "/chat/\(talk.id)/save"
            let saved = try await talk.testServer.post(path, form: form, as: talk.grace)
            let after = try await talk.testServer.send("GET", saved.headers["Location"] ?? "", as: talk.grace)
            #expect(after.text.contains("Article saved."))
            let list = try await talk.testServer.send("GET", "/api/v1/articles", as: talk.grace)
            #expect(list.items.map { $0["url"] as? String } == ["https://x.example/a"])
            #expect(try await talk.testServer.post(path, form: form, as: talk.eve).status == 404)
            let wrong = try await talk.testServer.post(path, form: "link=%2Fcoins%2Fbitcoin")
            #expect(wrong.status == 422)
        }
    }
}
