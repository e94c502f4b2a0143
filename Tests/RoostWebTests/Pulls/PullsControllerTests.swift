import Foundation
import Testing

@testable import HTTPClient

/// The inbox's requests that need no pull request.
@Suite struct PullsControllerTests {
    @Test func `without a GitHub account the inbox and the home page link to the settings`()
        async throws
    {
        try await TestServer.with { testServer in
            for path in ["/pulls", "/pulls?text=a", "/pulls/rows", "/pulls/tile", "/"] {
                let answer = try await testServer.send("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.text.contains("href=\"/settings/github\""), "\(path)")
            }
        }
    }

    @Test func `every page shows the number of waiting pull requests as a live region`() async throws {
        try await TestServer.with { testServer in
            for path in ["/", "/pulls", "/watchlist", "/settings", "/pulls/keys", "/nowhere"] {
                let page = try await testServer.send("GET", path).text
                #expect(
                    page.contains("data-live=\"/pulls/count\" data-topics=\"waiting\"></span>"), "\(path)")
            }
            let count = try await testServer.send("GET", "/pulls/count")
            #expect(count.status == 200 && count.text.isEmpty)
            let tag = try #require(count.headers["ETag"])
            let again = try await testServer.send("GET", "/pulls/count", headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
        }
    }

    @Test func `an ETag does not match for another filter`() async throws {
        try await TestServer.with { testServer in
            let tag = try #require(try await testServer.send("GET", "/pulls/rows?text=a").headers["ETag"])
            let header = [("If-None-Match", tag)]
            let same = try await testServer.send("GET", "/pulls/rows?text=a", headers: header)
            #expect(same.status == 304)
            let other = try await testServer.send("GET", "/pulls/rows?text=b", headers: header)
            #expect(other.status == 200)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let hers = try await testServer.send("GET", "/pulls/rows?text=a", headers: header, as: grace)
            #expect(hers.status == 200)
        }
    }

    @Test func `forms return to the page with its query`() async throws {
        try await TestServer.with { testServer in
            let back = "back=/pulls?text%3Da%2526b%26flash%3Dold%26sort%3Dsize"
            let refreshed = try await testServer.post("/pulls/refresh", form: back)
            #expect(refreshed.headers["Location"] == "/pulls?text=a%26b&sort=size")
            let chosen = try await testServer.post("/pulls/choices", form: back + "&sort=age")
            #expect(
                chosen.headers["Location"] == "/pulls?text=a%26b",
                "the stored choice is no longer in the address")
        }
    }

    @Test(arguments: ["sort=price", "group=author", "drafts=yes", "amberHours=0", "redHours=x"])
    func `invalid choices are refused`(form: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/pulls/choices", form: form)
            #expect(answer.status == 422)
        }
    }

    @Test func `invalid thresholds are reported at their field, with what was typed`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(
                "/pulls/choices", form: "from=sections&amberHours=12&redHours=99999")
            #expect(answer.status == 422)
            #expect(
                answer.text.contains("id=\"waits-redHours-error\">Must be between 1 and 8,760 hours.</p>"))
            #expect(answer.text.contains("value=\"12\"") && answer.text.contains("value=\"99999\""))
        }
    }

    @Test func `bots are separated by spaces or commas, deduplicated, and invalid logins are reported`()
        async throws
    {
        try await TestServer.with { testServer in
            let saved = try await testServer.post(
                "/pulls/choices", form: "from=sections&botLogins=labs-automation%2C+%40Tidy+Labs-Automation")
            #expect(saved.headers["Location"]?.hasPrefix("/pulls/sections?flash=") == true)
            let page = try await testServer.send("GET", "/pulls/sections").text
            #expect(page.contains("value=\"labs-automation Tidy\""))
            let refused = try await testServer.post("/pulls/choices", form: "from=sections&botLogins=a%21b")
            #expect(refused.status == 422)
            #expect(
                refused.text.contains("id=\"bots-botLogins-error\">“a!b” is not a GitHub login.</p>"))
            #expect(refused.text.contains("value=\"a!b\""))
            let waits = try await testServer.post(
                "/pulls/choices", form: "from=sections&amberHours=5&redHours=6")
            #expect(waits.status == 303)
            let settingsPage = try await testServer.send("GET", "/pulls/sections").text
            #expect(
                settingsPage.contains("value=\"labs-automation Tidy\""), "the other form says nothing of bots"
            )
        }
    }

    @Test func `a snooze needs a time or a change, and a pull request needs a number`() async throws {
        try await TestServer.with { testServer in
            for until in ["", "soon", "2026-13-40"] {
                let answer = try await testServer.post(
                    "/pulls/github.com/a/b/1/snooze", form: "until=\(until)")
                #expect(answer.status == 422, "\(until)")
                let json = try await testServer.json(
                    "POST", "/api/v1/pulls/github.com/a/b/1/snooze", "{\"until\": \"\(until)\"}")
                #expect(json.status == 422 && json.error("field") == "until", "\(until)")
            }
            for number in ["0", "-1", "x", "99999999999999999999"] {
                let answer = try await testServer.post("/pulls/github.com/a/b/\(number)/done")
                #expect(answer.status == 404, "\(number)")
            }
        }
    }

    @Test func `the JSON inbox has its lists even when they are empty`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/api/v1/pulls")
            #expect(answer.status == 200)
            #expect(answer.object["sections"] is [Any] && answer.object["sources"] is [Any])
            #expect(answer.object["waiting"] as? Int == 0)
        }
    }

    @Test func `the keyboard shortcuts are listed for people without scripts`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/pulls/keys").text
            for key in ["j", "k", "o", "s", "m", "e", "r", "/", "?"] {
                #expect(page.contains("<kbd>\(key)</kbd>"), "\(key)")
            }
        }
    }

    @Test func `the inbox topics are per user`() async throws {
        try await TestServer.with { testServer in
            let topics = ["pulls", "inbox", "waiting", "github", "pictures"]
            let answer = try await testServer.send(
                "GET", "/changes?topics=\(topics.joined(separator: ","))&cursor=before.1")
            #expect(answer.object["changed"] as? [String] == topics)
            for topic in ["pulls/99", "waiting/99", "github/99"] {
                let foreign = try await testServer.send("GET", "/changes?topics=\(topic)")
                #expect(foreign.status == 403, "\(topic)")
            }
        }
    }
}
