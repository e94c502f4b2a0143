import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct AuditLogTests {
    /// Performs every action that is logged, once.
    private func live(_ fixture: ServicesFixture) async throws {
        let services = fixture.services
        let code = try #require(services.identity.invitations.setupCode)
        let ada = try await services.identity.invitations.setUp(
            code: "\(code)", Profile(username: "ada"), password: Cast.password, from: Cast.desk)
        let link = try await services.identity.invitations.invite(
            note: "", days: 1, uses: 1, by: ada, from: Cast.desk)
        let grace = try await services.identity.invitations.join(
            code: "\(link.code)", Profile(username: "grace"), password: Cast.password, from: Cast.phone)
        try await services.identity.invitations.revoke(link.id, by: ada, from: Cast.desk)
        _ = await refusal { _ = try await fixture.signIn("grace", "wrong", from: Cast.phone) }
        let newSession = try await fixture.signIn("grace", from: Cast.phone)
        _ = try await fixture.signIn("ada")
        let session = try #require(try await services.identity.sessions.sessions(of: ada.userId).first)
        try await services.identity.sessions.end(session.id, of: ada.userId, by: ada, from: Cast.desk)
        try await services.identity.sessions.signOut(grace, secret: newSession.secret, from: Cast.phone)
        _ = try await services.identity.sessions.changePassword(
            of: grace, current: Cast.password, to: Cast.otherPassword, from: Cast.phone)
        let reset = try await services.identity.resets.makeLink(for: grace.userId, by: ada, from: Cast.desk)
        _ = try await services.identity.resets.reset(
            code: "\(reset)", password: Cast.password, from: Cast.phone)
        try await services.identity.sessions.endAll(of: grace, by: ada, from: Cast.desk)
        let token = try await services.identity.tokens.make(
            .init(name: "printer", scope: .read), for: grace, by: grace, from: Cast.phone)
        try await services.identity.tokens.revoke(token.id, of: grace.userId, by: grace, from: Cast.phone)
        _ = try await services.identity.tokens.make(
            .init(name: "spare", scope: .read), for: grace, by: grace, from: Cast.phone)
        try await services.identity.tokens.revokeAll(of: grace)
        try await services.identity.accounts.add(Profile(username: "eve"), role: .member, password: nil)
        try await services.identity.accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
        try await services.identity.accounts.remove(grace.userId, by: ada, from: Cast.desk)
    }

    @Test func `the audit log records every account event with its user, subject and address`() async throws {
        try await withAccounts { fixture in
            try await live(fixture)
            let entries = try await fixture.services.identity.audit.entries().reversed().map {
                "\($0.kind) \($0.actor)>\($0.subject) \($0.address) \($0.detail)"
            }
            #expect(
                entries == [
                    "setUp ada> 192.168.1.7 ", "joinLinkMade ada> 192.168.1.7 ",
                    "joined grace> 192.168.1.8 join link 1", "joinLinkRevoked ada> 192.168.1.7 ",
                    "signInFailed >grace 192.168.1.8 Safari on iPhone",
                    "signedIn grace> 192.168.1.8 Safari on iPhone",
                    "signedIn ada> 192.168.1.7 Firefox on Linux",
                    "sessionEnded ada> 192.168.1.7 Firefox on Linux", "signedOut grace> 192.168.1.8 ",
                    "passwordChanged grace> 192.168.1.8 ", "resetLinkMade ada>grace 192.168.1.7 ",
                    "passwordReset grace> 192.168.1.8 ", "sessionsEnded ada>grace 192.168.1.7 everywhere",
                    "tokenMade grace> 192.168.1.8 printer, read", "tokenRevoked grace> 192.168.1.8 printer",
                    "tokenMade grace> 192.168.1.8 spare, read",
                    "tokensRevoked command line>grace command line 1 token",
                    "userAdded command line>eve command line member",
                    "roleChanged ada>grace 192.168.1.7 owner", "userRemoved ada>grace 192.168.1.7 ",
                ])
            // GitHub's and the webhooks' events, and acts, have their own tests.
            let others: Set<AuditEntry.Kind> = [
                .gitHubConnected, .gitHubDisconnected, .gitHubExpired, .webhookAddressAllowed,
                .webhookAddressRemoved, .pullAct,
            ]
            #expect(Set(try await fixture.logged()) == Set(AuditEntry.Kind.allCases).subtracting(others))
        }
    }

    @Test func `two users with the same display name are distinguished`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, displayName: "Ada")
            let eve = try await fixture.add("eve")
            // Earlier versions allowed this.
            let disk = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            try await disk.write { try $0.execute(sql: "UPDATE users SET display_name = 'Ada'") }
            try await fixture.services.identity.accounts.remove(eve.userId, by: ada, from: Cast.desk)
            #expect(try await fixture.newest() == "userRemoved ada>eve 192.168.1.7 ")
        }
    }

    @Test func `sign-ins and changes can be read separately, and together they are the whole log`()
        async throws
    {
        try await withAccounts { fixture in
            try await live(fixture)
            let audit = fixture.services.identity.audit
            let (all, signIns) = (try await audit.entries(), try await audit.entries(isSignIn: true))
            let changes = try await audit.entries(isSignIn: false)
            #expect(
                Set(signIns.map(\.kind)) == [
                    .signedIn, .signInFailed, .signedOut, .sessionEnded, .sessionsEnded,
                ])
            #expect((signIns + changes).sorted { $0.id > $1.id } == all && !changes.isEmpty)
        }
    }

    @Test func `the log is read page by page, newest first, each entry once`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            for number in 0..<(2 * AuditLog.pageSize + 8) {
                try await fixture.services.identity.accounts.setRole(
                    number.isMultiple(of: 2) ? .owner : .member, of: grace.userId, by: ada, from: Cast.desk)
            }
            var pages: [[AuditEntry]] = []
            repeat {
                pages.append(
                    try await fixture.services.identity.audit.entries(before: pages.last?.last?.id))
            } while pages.last?.count == AuditLog.pageSize
            #expect(pages.map(\.count) == [50, 50, 10])
            let ids = pages.joined().map(\.id)
            #expect(ids == ids.sorted(by: >) && Set(ids).count == 110)
        }
    }

    @Test func `entries of the last ninety days are kept, at most twenty thousand`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            fixture.clock.advance(91 * 86_400)
            try await fixture.add("grace")
            try await fixture.whileRunning {}
            let entries = try await fixture.services.identity.audit.entries()
            #expect(entries.map(\.subject) == ["grace"])
            let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            let now = fixture.clock.now.timeIntervalSince1970
            try await file.write {
                try $0.execute(
                    sql: """
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20500)
                        INSERT INTO audit_entries (at, kind, actor, subject, address, detail)
                        SELECT ?, 'signedIn', 'user ' || (i % 100), '', '', i FROM n
                        """, arguments: [now])
            }
            try await fixture.whileRunning {}
            let counts = try fixture.sql(Int.self, "SELECT count(*) FROM audit_entries")
            #expect(counts == [20_000])
            #expect(try await fixture.services.identity.audit.entries().first?.detail == "20500")
        }
    }

    @Test func `a failing audit log blocks no action and is reported in the server's log`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            try await file.write { try $0.execute(sql: "DROP TABLE audit_entries") }
            #expect(fixture.isSignedIn(try await fixture.signIn("ada")))
            let lines = fixture.log.lines.filter { $0.hasPrefix("error") }
            // Once for each write, with the statement.
            #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("audit_entries") })
            #expect(lines.allSatisfy { $0.hasPrefix("error: The database could not be used") })
        }
    }
}
