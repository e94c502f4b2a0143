import Foundation
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport

@Suite struct MembersControllerTests {
    /// Runs a test with Ada's browser and a member, Grace.
    private func withMembers(
        clock: WallClock = WallClock(), _ test: (TestServer, Browser, User) async throws -> Void
    ) async throws {
        try await TestServer.with(clock: clock) { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open("/members")
            try await test(testServer, browser, grace.user)
        }
    }

    @Test func `an owner changes roles, effective immediately`() async throws {
        try await withMembers { testServer, browser, grace in
            let graceBrowser = Browser(testServer)
            try await graceBrowser.signIn("grace")
            #expect(try await graceBrowser.open("/members").status == 403)
            let created = try await browser.submit("/members/\(grace.userId)/role", ["role": "owner"])
            #expect(created.status == 303)
            let page = try await browser.open(try #require(created.location))
            #expect(page.text.contains("<p>Role changed.</p>"))
            #expect(try await graceBrowser.open("/members").status == 200)
            #expect(
                try await graceBrowser.submit("/members/\(grace.userId)/role", ["role": "member"]).status
                    == 303)
            #expect(try await graceBrowser.open("/members").status == 403)
            try await browser.open("/members")
            #expect(try await browser.submit("/members/\(grace.userId)/role", ["role": "god"]).status == 422)
            for id in ["99", "x", "-1"] {
                try await browser.open("/members")
                #expect(try await browser.submit("/members/\(id)/role", ["role": "owner"]).status == 404)
            }
        }
    }

    @Test func `the last owner can be neither demoted nor removed`() async throws {
        try await withMembers { testServer, browser, _ in
            let id = testServer.owner.userId
            #expect(browser.page.text.contains("<span id=\"obstacle-\(id)\">Roost needs an owner"))
            let disabled = browser.page.text.matches(
                of: /<button[^>]* disabled aria-describedby="obstacle-[0-9]+">([^<]+)</)
            #expect(disabled.map { String($0.1) } == ["Make member", "Remove"])
            for (path, fields) in [("role", ["role": "member"]), ("remove", [:])] {
                try await browser.open("/members")
                let page = try await browser.submit("/members/\(id)/\(path)", fields)
                #expect(page.status == 409, "\(path)")
            }
            #expect(try await testServer.services.identity.accounts.user(id)?.role == .owner)
        }
    }

    @Test func `owners cannot reset or remove themselves without their password`() async throws {
        try await withMembers { testServer, browser, grace in
            try await testServer.services.identity.accounts.setRole(
                .owner, of: grace.userId, by: nil, from: .commandLine)
            for path in ["remove", "reset"] {
                try await browser.open("/members")
                let page = try await browser.submit("/members/\(testServer.owner.userId)/\(path)")
                #expect(page.status == 409 && page.text.contains("on the Security page"), "\(path)")
            }
            #expect(
                try await testServer.services.identity.accounts.user(testServer.owner.userId)
                    == testServer.owner)
        }
    }

    @Test func `a reset link is shown once, with its QR code, to the owner who created it`() async throws {
        try await withMembers { testServer, browser, grace in
            let created = try await browser.submit("/members/\(grace.userId)/reset")
            let location = try #require(created.location)
            let linkPage = try await browser.open(location)
            let link = try #require(
                linkPage.text.firstMatch(of: /value="http:\/\/[^"]*(\/reset\/[0-9A-Z-]{19})"/))
            #expect(
                linkPage.cacheControl == "no-store" && linkPage.text.contains("<svg")
                    && !location.contains("/reset/"))
            #expect(linkPage.text.contains("Only this computer can open this link."))
            #expect(try await !browser.open(location).text.contains("/reset/\(link.1.dropFirst(7))"))
            let graceBrowser = Browser(testServer)
            #expect(try await graceBrowser.open(String(link.1)).status == 200)
            let set = try await graceBrowser.submit(String(link.1), ["password": "seven grey herons"])
            #expect(set.status == 303)
        }
    }

    @Test func `an owner signs a member out, and ends a single session`() async throws {
        try await withMembers { testServer, browser, grace in
            let services = testServer.services
            let (one, two) = (Browser(testServer), Browser(testServer))
            try await one.signIn("grace")
            try await two.signIn("grace")
            let page = try await browser.open("/members/sessions")
            #expect(page.text.contains("grace") && page.text.contains("ada"))
            let last = try #require(try await services.identity.sessions.sessions(of: grace.userId).first)
            #expect(try await browser.submit("/members/sessions/\(last.id)/end").status == 303)
            #expect(try await services.identity.sessions.sessions(of: grace.userId).count == 2)
            for id in ["99999", "x"] {
                try await browser.open("/members/sessions")
                #expect(try await browser.submit("/members/sessions/\(id)/end").status == 404)
            }
            try await browser.open("/members")
            let out = try await browser.submit("/members/\(grace.userId)/sign-out")
            let nextPage = try await browser.open(try #require(out.location))
            #expect(nextPage.text.contains("<p>Signed out everywhere.</p>"))
            #expect(try await services.identity.sessions.sessions(of: grace.userId).isEmpty)
            #expect(try await browser.open("/members").status == 200)
        }
    }

    @Test func `an owner removes a member with all their data`() async throws {
        try await withMembers { testServer, browser, grace in
            let link = try await testServer.services.market.displays.add("Wall", for: grace.userId).token
            let page = try await browser.open("/members")
            for data in testServer.services.userData {
                #expect(page.text.contains(">\(data.text)<"), "\(data.text)")
            }
            let removed = try await browser.submit("/members/\(grace.userId)/remove")
            let nextPage = try await browser.open(try #require(removed.location))
            #expect(nextPage.text.contains("<p>Account removed.</p>"))
            #expect(try await testServer.services.identity.accounts.user(grace.userId) == nil)
            #expect(try await testServer.send("GET", "/display/\(link)", as: .anonymous).status == 404)
            #expect(try await !browser.open("/members").text.contains("grace"))
        }
    }

    @Test func `a join link is created, shown with its QR code, listed with who joined, and revoked`()
        async throws
    {
        try await withMembers { testServer, browser, _ in
            try await browser.open("/members/invitations")
            let created = try await browser.submit(
                "/members/invitations", ["note": "Neighbours", "days": "7", "uses": "2"])
            let location = try #require(created.location)
            let linkPage = try await browser.open(location)
            let found = try #require(linkPage.text.firstMatch(of: /\/join\/([0-9A-Z]{4}(-[0-9A-Z]{4}){3})/))
            let code = String(found.1)
            #expect(linkPage.cacheControl == "no-store" && linkPage.text.contains("<svg"))
            #expect(try !testServer.isOnDisk(code))
            let bob = Browser(testServer)
            try await bob.open("/join/\(code)")
            try await bob.submit("/join/\(code)", ["username": "bob", "password": TestServer.password])
            let list = try await browser.open("/members/invitations")
            #expect(list.text.contains("Neighbours") && list.text.contains("1 of 2 left"))
            #expect(list.text.contains("bob") && !list.text.contains(code))
            let id = try #require(try await testServer.services.identity.invitations.links().first).link.id
            let large = try await browser.open("/members/invitations/\(id)")
            #expect(large.status == 200 && large.cacheControl == "no-store" && large.text.contains(code))
            try await browser.open("/members/invitations")
            #expect(try await browser.submit("/members/invitations/\(id)/revoke").status == 303)
            #expect(try await browser.open("/members/invitations").text.contains("revoked on"))
            for path in ["/members/invitations/\(id)", "/members/invitations/99", "/members/invitations/x"] {
                #expect(try await browser.open(path).status == 404, "\(path)")
            }
            try await browser.open("/members/invitations")
            #expect(try await browser.submit("/members/invitations/99/revoke").status == 404)
        }
    }

    @Test func `with another secret key the list says that the codes cannot be shown`() async throws {
        try await withMembers { testServer, browser, _ in
            let created = try await testServer.services.identity.invitations.invite(
                note: "Neighbours", days: 7, uses: 2, by: testServer.owner, from: ClientInfo(address: "x"))
            let folder = FileManager.default.temporaryDirectory.path + "/roost-test-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await testServer.services.backup(to: Services.databasePath(in: folder))
            try await TestServer.with(isEmpty: true, configure: { $0.dataFolder = folder }) { restored in
                let browser = Browser(restored)
                try await browser.signIn("ada")
                let list = try await browser.open("/members/invitations")
                #expect(list.status == 200 && list.text.contains("Neighbours"))
                #expect(list.text.contains("encrypted with another key"))
                #expect(!list.text.contains("/members/invitations/\(created.id)\""))
                let one = try await browser.open("/members/invitations/\(created.id)")
                #expect(one.status == 503 && one.text.contains("encrypted with another key"))
                #expect(try await browser.open("/join/\(created.code)").status == 200)
            }
            #expect(try await !browser.open("/members/invitations").text.contains("another key"))
        }
    }

    @Test func `a refused join link keeps what was typed, with the reason at its field`() async throws {
        try await withMembers { testServer, browser, _ in
            for (field, wrong) in [
                ("note", String(repeating: "x", count: 65)), ("days", "0"), ("uses", "101"), ("uses", "many"),
            ] {
                var fields = ["note": "Neighbours", "days": "7", "uses": "2"]
                fields[field] = wrong
                try await browser.open("/members/invitations")
                let page = try await browser.submit("/members/invitations", fields)
                #expect(page.status == 422, "\(field)")
                #expect(browser.error(of: field) != nil || page.text.contains("role=\"alert\""), "\(field)")
                #expect(browser.value(of: "note") == fields["note"])
                #expect(browser.value(of: "uses") == fields["uses"])
            }
            #expect(try await testServer.services.identity.invitations.links().isEmpty)
        }
    }

    @Test func `the log describes events in sentences, filtered by kind and paged`() async throws {
        try await withMembers { testServer, browser, grace in
            _ = try await Browser(testServer).signIn("grace", "wrong")
            try await testServer.services.identity.accounts.setRole(
                .owner, of: grace.userId, by: testServer.owner, from: ClientInfo(address: "10.0.0.9"))
            let all = try await browser.open("/members/log").text
            #expect(all.contains("ada made grace an owner.") && all.contains("10.0.0.9"))
            #expect(all.contains("Someone tried to sign in as grace with a wrong password."))
            #expect(all.contains("ada was added as owner from the command line."))
            let signIns = try await browser.open("/members/log?kind=sign-ins").text
            let changes = try await browser.open("/members/log?kind=changes").text
            #expect(signIns.contains("signed in.") && !signIns.contains("made grace an owner"))
            #expect(!changes.contains("signed in.") && changes.contains("made grace an owner"))
            for number in 0..<60 {
                _ = try await testServer.services.identity.invitations.invite(
                    note: "No \(number)", days: 1, uses: 1, by: testServer.owner,
                    from: ClientInfo(address: "x"))
            }
            let first = try await browser.open("/members/log").text
            #expect(first.components(separatedBy: "id=\"entry-").count == AuditLog.pageSize + 1)
            let older = try #require(first.firstMatch(of: /\/members\/log\?[^"]*before=[0-9]+/)).0
            let second = try await browser.open(String(older).replacing("&amp;", with: "&")).text
            #expect(second.contains("made grace an owner") && second.contains("No 5”"))
            #expect(!second.contains("No 59”") && first.contains("No 59”"))
            for path in ["?kind=nonsense", "?before=x", "?before=-1", "?before=99999999999999999999"] {
                #expect(try await browser.open("/members/log\(path)").status == 200, "\(path)")
            }
        }
    }
}
