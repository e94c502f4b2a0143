import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPClient
@testable import RoostSimulator
@testable import RoostSupport

/// The page of a pull request of the simulated GitHub.
@Suite struct PullPageControllerTests {
    static func withPull(_ test: (TestServer, PullKey) async throws -> Void) async throws {
        try await TestServer.with { testServer in
            let (services, owner) = (testServer.services, testServer.owner.userId)
            _ = try await services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: owner)
            try await eventually("the inbox is loaded") {
                try await services.gitHub.pulls.inbox(of: owner).sections.contains { !$0.items.isEmpty }
            }
            let inbox = try await services.gitHub.pulls.inbox(of: owner)
            let key = try #require(inbox.sections.first { $0.kind == .turn }?.items.first).key
            try await test(testServer, key)
        }
    }

    static func conversation(_ testServer: TestServer, _ key: PullKey) async throws -> String {
        var page = ""
        try await eventually("the details are loaded") {
            page = try await testServer.send("GET", key.page()).text
            return page.contains("pull-timeline")
        }
        return page
    }

    @Test func `the page shows the conversation, and its region answers 304 while nothing changes`()
        async throws
    {
        try await Self.withPull { testServer, key in
            let page = try await Self.conversation(testServer, key)
            #expect(page.contains("freshness-live") && page.contains("<li class=\"entry"))
            let found = try #require(page.firstMatch(of: /data-live="(\/pulls\/[^"]+\/pane[^"]*)"/))
            let address = String(found.1).replacing("&amp;", with: "&")
            let region = try await testServer.send("GET", address)
            #expect(region.status == 200 && region.text.contains("pull-timeline"))
            try await eventually("the region stays the same") {
                let tag = try await testServer.send("GET", address).headers["ETag"] ?? ""
                return try await testServer.send("GET", address, headers: [("If-None-Match", tag)]).status
                    == 304
            }
        }
    }

    @Test func `a region of an impossible time is answered`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            for seen in ["9223372036854775807", "-9223372036854775808"] {
                let region = try await testServer.send("GET", key.page("/pane", ["seen": seen]))
                #expect(region.status == 200 && region.text.contains("pull-timeline"))
            }
        }
    }

    @Test func `a new session gets forms of its own, although nothing has changed`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let again = try await Guest.signIn(testServer.owner.username, testServer.services)
            let address = key.page("/pane", ["seen": "0"])
            try await eventually("the region stays the same") {
                let tag = try await testServer.send("GET", address).headers["ETag"] ?? ""
                let other = try await testServer.send(
                    "GET", address, headers: [("If-None-Match", tag)], as: again)
                #expect(other.status == 200)
                return try await testServer.send("GET", address, headers: [("If-None-Match", tag)]).status
                    == 304
            }
        }
    }

    @Test func `a comment on lines is about the commit that is shown, not about an older one`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let gitHub = try #require(testServer.simulator.gitHub)
            let push = PullEvent.push(commits: 1, additions: 12, deletions: 3, files: 2)
            let pushed = try #require(
                gitHub.world.add([push], to: "\(key.owner)/\(key.name)#\(key.number)"))
            let page = try await testServer.send("GET", key.page("/files")).text
            var heads: Set<String> = []
            for address in page.matches(of: /data-diff="([^"]+)"/) {
                let path = String(address.1).replacing("&amp;", with: "&")
                let diff = try await testServer.send("GET", path).text
                let head = diff.firstMatch(of: /name="head" value="([^"]+)"/)
                heads.formUnion(head.map { [String($0.1)] } ?? [])
            }
            #expect(heads == [pushed.head.oid])
        }
    }

    @Test func `files are listed, and each diff is a fragment`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let page = try await testServer.send("GET", key.page("/files")).text
            let addresses = page.matches(of: /data-diff="([^"]+)"/).map {
                String($0.1).replacing("&amp;", with: "&")
            }
            #expect(!addresses.isEmpty)
            let diff = try await testServer.send("GET", try #require(addresses.first))
            #expect(diff.status == 200 && !diff.text.contains("<!doctype"))
            #expect(diff.text.contains("<table class=\"diff\">") || diff.text.contains("class=\"message\""))
            let unknown = try await testServer.send("GET", key.page("/files/diff", ["path": "no/such.file"]))
            #expect(unknown.status == 404)
        }
    }

    @Test func `all lines of a file come with the page and as a fragment`() async throws {
        try await Self.withPull { testServer, key in
            let gitHub = try #require(testServer.simulator.gitHub)
            let pull = try gitHub.requestReview()
            let own = PullKey(
                host: key.host, owner: pull.repository.owner, name: pull.repository.name, number: pull.number)
            _ = try await Self.conversation(testServer, own)
            let path = "Sources/Engine/Carry.swift"
            let diff = try await testServer.send("GET", own.page("/files/diff", ["path": path])).text
            #expect(diff.contains("8 unchanged lines") && !diff.contains("Line 1<"))
            let link = try #require(diff.firstMatch(of: /href="([^"]+)" data-lines="([^"]+)"/))
            for address in [link.1, link.2] {
                let shown = String(address.prefix { $0 != "#" }).replacing("&amp;", with: "&")
                let whole = try await testServer.send("GET", shown)
                #expect(whole.status == 200 && whole.text.contains("Show only the changes"))
                #expect(whole.text.contains("// Line 1") && whole.text.contains("// The end"))
            }
        }
    }

    @Test func `a box marks a file as viewed, and again not`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let page = try await testServer.send("GET", key.page("/files")).text
            let form = try #require(
                page.firstMatch(
                    of: /name="path" value="([^"]+)"><input type="hidden" name="blob" value="([^"]+)"/))
            func post(_ viewed: String) async throws -> ClientResponse {
                try await testServer.post(
                    key.page("/viewed"), form: "path=\(form.1)&blob=\(form.2)&viewed=\(viewed)")
            }
            #expect(try await post("true").headers["Location"] == key.page("/files"))
            #expect(try await testServer.send("GET", key.page("/files")).text.contains(">1 of "))
            #expect(try await post("false").status == 303)
            #expect(try await testServer.send("GET", key.page("/files")).text.contains(">0 of "))
            let nothing = try await testServer.post(key.page("/viewed"), form: "path=&blob=&viewed=true")
            #expect(nothing.status == 422)
        }
    }

    @Test func `the arrangement of diffs is remembered, and an address overrides it`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let chosen = try await testServer.post(
                "/pulls/choices", form: "from=pull&diffs=split&back=\(key.page("/files"))")
            #expect(chosen.headers["Location"] == key.page("/files"))
            let page = try await testServer.send("GET", key.page("/files")).text
            #expect(page.contains("value=\"split\" aria-pressed=\"true\""))
            let other = try await testServer.send("GET", key.page("/files", ["diffs": "unified"])).text
            #expect(other.contains("value=\"split\" aria-pressed=\"false\""))
            let hidden = try await testServer.post(
                "/pulls/choices",
                form: "from=pull&whitespace=hidden&back=\(key.page("/files"))?whitespace=shown")
            #expect(hidden.headers["Location"] == key.page("/files"))
            let both = try await testServer.send("GET", key.page("/files")).text
            #expect(both.contains("value=\"split\" aria-pressed=\"true\""))
            #expect(both.contains("value=\"shown\" aria-pressed=\"true\">Hide whitespace"))
            for field in ["diffs", "whitespace"] {
                let wrong = try await testServer.post(
                    "/pulls/choices", form: "from=pull&\(field)=upside-down")
                #expect(wrong.status == 422, "\(field)")
            }
        }
    }

    @Test func `no one sees a pull request without an account that does`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            for rest in ["", "/files", "/pane", "/files/diff", "/files/image"] {
                let query: KeyValuePairs<String, String?> = ["path": "a.png", "commit": "abcdef12"]
                let answer = try await testServer.send("GET", key.page(rest, query), as: grace)
                #expect(answer.status == 404, "\(rest)")
            }
            let api = "/api/v1" + key.page()
            #expect(try await testServer.send("GET", api, as: grace).status == 404)
            #expect(try await testServer.send("GET", api + "/files", as: grace).status == 404)
        }
    }

    @Test func `the browser names the next one in the list, and Roost fetches it for those who see it`()
        async throws
    {
        try await Self.withPull { testServer, key in
            let (pulls, owner) = (testServer.services.gitHub.pulls, testServer.owner.userId)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let account = try #require(pulls.account(for: key, of: owner)?.id)
            func time() async throws -> Date? {
                try await pulls.database.read { try $0.pullDetailsTime(of: key, as: account) }
            }
            let path = key.page("/prefetch")
            #expect(try await testServer.post(path, as: grace).status == 404)
            #expect(try await testServer.post(path, as: .anonymous).status != 204)
            #expect(try await time() == nil)
            #expect(try await testServer.post(path).status == 204)
            try await eventually("the details are stored") { try await time() != nil }
        }
    }

    @Test func `only files that are pictures are sent, in a sandbox`() async throws {
        try await Self.withPull { testServer, key in
            // From eight files on, a picture is among them.
            let gitHub = try #require(testServer.simulator.gitHub)
            for _ in 0..<8 { try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)") }
            _ = try await Self.conversation(testServer, key)
            let details = try await testServer.send("GET", "/api/v1" + key.page()).object["details"]
            let commit = try #require((details as? [String: Any])?["headCommit"] as? String)
            let path = "docs/images/wheel.png"
            let picture = try await testServer.send(
                "GET", key.page("/files/image", ["path": path, "commit": commit]))
            #expect(picture.status == 200 && picture.headers["Content-Type"] == "image/png")
            #expect(picture.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
            #expect(picture.headers["X-Content-Type-Options"] == "nosniff")
            for (path, name) in [
                ("docs/a.svg", commit), (path, "main"), (path, String(repeating: "ab", count: 20)),
                ("docs/images/other.png", commit),
            ] {
                let answer = try await testServer.send(
                    "GET", key.page("/files/image", ["path": path, "commit": name]))
                #expect(answer.status >= 400, "\(path) at \(name)")
            }
        }
    }

    @Test func `programs get the conversation and the files as JSON`() async throws {
        try await Self.withPull { testServer, key in
            _ = try await Self.conversation(testServer, key)
            let pull = try await testServer.send("GET", "/api/v1" + key.page())
            #expect(pull.status == 200 && pull.object["key"] as? String == key.description)
            let details = try #require(pull.object["details"] as? [String: Any])
            #expect((details["headCommit"] as? String)?.isEmpty == false)
            let kinds = (details["timeline"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
            #expect(kinds?.isEmpty == false)
            let files = try await testServer.send("GET", "/api/v1" + key.page("/files"))
            #expect(!files.items.isEmpty && files.items[0]["isViewed"] as? Bool == false)
            let all = files.items.compactMap { $0["path"] as? String }
            var (read, cursor) = ([String](), "")
            repeat {
                let page = try await testServer.send(
                    "GET", "/api/v1" + key.page("/files", ["limit": "1", "cursor": cursor]))
                #expect(page.items.count == 1)
                read += page.items.compactMap { $0["path"] as? String }
                cursor = page.object["next"] as? String ?? ""
            } while !cursor.isEmpty && read.count < all.count + 1
            #expect(files.object["next"] is String || read == all)
            #expect(Array(read.prefix(all.count)) == all)
            let wrong = try await testServer.send("GET", "/api/v1" + key.page("/files", ["since": "a1b2c3d"]))
            #expect(wrong.status == 422 && wrong.error("field") == "since")
        }
    }
}
