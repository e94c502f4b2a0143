import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// Input that attackers send to overload Roost, to use revoked access or to hide their actions.
@Suite struct HostileInputTests {
    /// One character with very many combining marks: sorting them takes quadratic time.
    private static let marks = "a" + String(repeating: "\u{0316}\u{0301}", count: 8_000)

    @Test func `overlong names, codes and addresses are rejected without further checks`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            #expect(LinkCode(Self.marks) == nil)
            for name in [Self.marks, String(repeating: "x", count: 401)] {
                await #expect(throws: RoostError.unknownVisitor(SessionService.refusal)) {
                    try await fixture.services.identity.sessions.signIn(
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

    @Test func `a password that is changed during sign-in leaves no valid session`() async throws {
        try await withServices(plan: .keyless, { $0.passwordCost = .standard }) { fixture in
            try await fixture.services.load()
            let ada = try await fixture.add("ada", .owner)
            // The two are hashed one after the other, in either order: either the old password is compared before the
            // new one is stored, and its session ends then, or it no longer matches.
            for round in 0..<4 {
                let (old, new) = ("lantern number \(round) here", "lantern number \(round + 1) here")
                try await fixture.services.identity.resets.set(old, of: ada)
                async let changed: Void = fixture.services.identity.resets.set(new, of: ada)
                async let entered = Result {
                    try await fixture.services.identity.sessions.signIn(
                        "ada", password: old, replacing: nil, from: Cast.desk)
                }
                try await changed
                _ = await entered
                #expect(try await fixture.services.identity.sessions.sessions(of: ada.userId).isEmpty)
            }
        }
    }

    @Test func `a sealed code that is moved to another link is not shown`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            for note in ["one", "two"] {
                try await fixture.services.identity.invitations.invite(
                    note: note, days: 1, uses: 1, by: ada, from: Cast.desk)
            }
            let before = try await fixture.services.identity.invitations.links().map { $0.code != nil }
            try fixture.change(
                "UPDATE join_links SET sealed_code = (SELECT sealed_code FROM join_links ORDER BY id LIMIT 1)"
            )
            let after = try await fixture.services.identity.invitations.links().map { $0.code != nil }
            #expect(before == [true, true] && after == [false, true])
        }
    }

    @Test func `repeating an action does not push other users' entries out of the audit log`() async throws {
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

    @Test func `ending no sessions writes no audit entry`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.services.identity.sessions.endAll(of: ada, by: ada, from: Cast.desk)
            let kinds = try await fixture.services.identity.audit.entries().map(\.kind)
            #expect(!kinds.contains(.sessionsEnded))
        }
    }

    @Test func `failed sign-ins are logged separately for each address`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            for origin in [Cast.desk, Cast.phone, Cast.phone] {
                _ = try? await fixture.services.identity.sessions.signIn(
                    "ada", password: "not the password", replacing: nil, from: origin)
            }
            let failed = try await fixture.services.identity.audit.entries().filter {
                $0.kind == .signInFailed
            }
            #expect(Set(failed.map(\.address)) == [Cast.desk.address, Cast.phone.address])
            #expect(failed.first { $0.address == Cast.phone.address }?.detail.hasSuffix("2 times") == true)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
