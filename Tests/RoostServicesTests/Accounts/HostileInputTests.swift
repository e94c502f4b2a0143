import Foundation
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// What strangers send to keep Roost busy, to get in with what is no longer true, or to hide what they did.
@Suite struct HostileInputTests {
    /// One character of very many marks: putting them in order takes the square of their number.
    private static let marks = "a" + String(repeating: "\u{0316}\u{0301}", count: 8_000)

    @Test func `what is too long to be a name, a code or an address is not looked at closely`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            #expect(LinkCode(Self.marks) == nil)
            for name in [Self.marks, String(repeating: "x", count: 401)] {
                await #expect(throws: RoostError.unknownVisitor(SessionService.refusal)) {
                    try await fixture.services.sessions.signIn(
                        name, password: Cast.password, replacing: nil, from: Cast.desk)
                }
                #expect(throws: RoostError.self) { try Profile(username: name) }
                #expect(throws: RoostError.self) {
                    try Profile(username: "eve", email: name + "@example.org")
                }
                #expect(throws: RoostError.self) { try Profile(username: "eve", displayName: name) }
            }
            #expect(throws: RoostError.self) { try PasswordRules.check(Self.marks, names: []) }
        }
    }

    @Test func `a password that is changed while it is compared lets nobody in`() async throws {
        try await withServices(plan: .keyless, { $0.passwordCost = .standard }) { fixture in
            try await fixture.services.prepare()
            let ada = try await fixture.add("ada", .owner)
            // Hashed one after the other, in whichever order: either the old password is compared before the new one
            // is stored, and its session ends then, or it proves nothing any more.
            for round in 0..<4 {
                let (old, new) = ("lantern number \(round) here", "lantern number \(round + 1) here")
                try await fixture.services.resets.set(old, of: ada)
                async let changed: Void = fixture.services.resets.set(new, of: ada)
                async let entered = Result {
                    try await fixture.services.sessions.signIn(
                        "ada", password: old, replacing: nil, from: Cast.desk)
                }
                try await changed
                _ = await entered
                #expect(try await fixture.services.sessions.sessions(of: ada.userId).isEmpty)
            }
        }
    }

    @Test func `a sealed code that is moved to another link shows nothing`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            for note in ["one", "two"] {
                try await fixture.services.invitations.invite(
                    note: note, days: 1, uses: 1, by: ada, from: Cast.desk)
            }
            let before = try await fixture.services.invitations.links().map { $0.code != nil }
            try fixture.change(
                "UPDATE join_links SET sealed_code = (SELECT sealed_code FROM join_links ORDER BY id LIMIT 1)"
            )
            let after = try await fixture.services.invitations.links().map { $0.code != nil }
            #expect(before == [true, true] && after == [false, true])
        }
    }

    @Test func `nobody pushes others' deeds out of the log by repeating his own`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            try fixture.change(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20500)
                INSERT INTO audit_entries (at, kind, actor, subject, address, detail)
                SELECT \(fixture.clock.now.timeIntervalSince1970), 'sessionsEnded', 'eve', '', '', '' FROM n
                """)
            try await fixture.whileRunning {}
            let kinds = try fixture.sql(String.self, "SELECT kind FROM audit_entries")
            #expect(kinds.contains("userAdded") && kinds.count { $0 == "sessionsEnded" } == 500)
        }
    }

    @Test func `ending no session is nothing to write down`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.services.sessions.endAll(of: ada, by: ada, from: Cast.desk)
            let kinds = try await fixture.services.audit.entries().map(\.kind)
            #expect(!kinds.contains(.sessionsEnded))
        }
    }

    @Test func `failed tries are told with each address that they came from`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            for origin in [Cast.desk, Cast.phone, Cast.phone] {
                _ = try? await fixture.services.sessions.signIn(
                    "ada", password: "not the password", replacing: nil, from: origin)
            }
            let failed = try await fixture.services.audit.entries().filter { $0.kind == .signInFailed }
            #expect(Set(failed.map(\.address)) == [Cast.desk.address, Cast.phone.address])
            #expect(failed.first { $0.address == Cast.phone.address }?.detail.hasSuffix("2 times") == true)
        }
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous piece of work came to.
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
