import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostSupport

@Suite struct ResetTests {
    private func reset(
        _ fixture: ServicesFixture, _ code: LinkCode, to password: String = Cast.otherPassword
    ) async throws -> SessionService.NewSession {
        try await fixture.services.identity.resets.reset(
            code: "\(code)", password: password, from: Cast.phone)
    }

    private func withGrace(_ body: (ServicesFixture, User, User) async throws -> Void) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await body(fixture, ada, try await fixture.add("grace", displayName: "Hopper"))
        }
    }

    @Test func `a reset link sets the password, ends all sessions and starts one`() async throws {
        try await withGrace { fixture, ada, grace in
            let (old, owner) = (try await fixture.signIn("grace"), try await fixture.signIn("ada"))
            let code = try await fixture.services.identity.resets.makeLink(
                for: grace.userId, by: ada, from: Cast.desk)
            #expect(try await fixture.newest() == "resetLinkMade ada>grace 192.168.1.7 ")
            #expect(try await fixture.services.identity.resets.user(of: "\(code)", from: Cast.phone) == grace)
            #expect(fixture.isSignedIn(old))
            let newSession = try await reset(fixture, code)
            #expect(try await fixture.newest() == "passwordReset grace> 192.168.1.8 ")
            #expect(fixture.isSignedIn(newSession) && !fixture.isSignedIn(old) && fixture.isSignedIn(owner))
            let wrong = await refusal { _ = try await fixture.signIn("grace") }
            #expect(wrong != nil)
            #expect(try await fixture.signIn("grace", Cast.otherPassword).user.userId == grace.userId)
        }
    }

    @Test func `a link works once, for a day, and only until the next one is made`() async throws {
        try await withGrace { fixture, ada, grace in
            let resets = fixture.services.identity.resets
            let first = try await resets.makeLink(for: grace.userId, by: ada)
            let second = try await resets.makeLink(for: grace.userId, by: ada)
            let replaced = await refusal { _ = try await reset(fixture, first) }
            #expect(replaced?.isNotFound == true)
            _ = try await reset(fixture, second)
            let used = await refusal { _ = try await reset(fixture, second, to: Cast.password) }
            #expect(used?.isNotFound == true)
            let third = try await resets.makeLink(for: grace.userId, by: ada)
            fixture.clock.advance(ResetService.lifetime - 1)
            #expect(try await resets.user(of: "\(third)", from: Cast.phone).userId == grace.userId)
            fixture.clock.advance(1)
            let late = await refusal { _ = try await reset(fixture, third) }
            #expect(late?.isNotFound == true)
            #expect(try await fixture.signIn("grace", Cast.otherPassword).user.userId == grace.userId)
        }
    }

    @Test func `when two people use one link at once, one sets the password`() async throws {
        try await withGrace { fixture, ada, grace in
            let code = try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada)
            let errors = await withTaskGroup(of: RoostError?.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        await refusal { _ = try await reset(fixture, code, to: "choice number \(number)") }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.count { $0 == nil } == 1 && errors.count { $0?.isNotFound == true } == 3)
            #expect(try await fixture.services.identity.sessions.sessions(of: grace.userId).count == 1)
        }
    }

    @Test func `a refused password does not use the link up`() async throws {
        try await withGrace { fixture, ada, grace in
            let code = try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada)
            for weak in ["short", "hopper-grace"] {
                let error = await refusal { _ = try await reset(fixture, code, to: weak) }
                #expect(error?.field == "password")
            }
            #expect(fixture.isSignedIn(try await reset(fixture, code)))
        }
    }

    @Test func `only the link's hash is on the disk`() async throws {
        try await withGrace { fixture, ada, grace in
            let code = try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada)
            #expect(try fixture.sql(Data.self, "SELECT code_hash FROM reset_links") == [Data(code.hash)])
            #expect(try !fixture.isOnDisk("\(code)"))
        }
    }

    @Test func `changing the password also ends the link`() async throws {
        try await withGrace { fixture, ada, grace in
            let code = try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada)
            _ = try await fixture.services.identity.sessions.changePassword(
                of: grace, current: Cast.password, to: Cast.otherPassword, from: Cast.desk)
            let error = await refusal { _ = try await reset(fixture, code, to: "another one entirely") }
            #expect(error?.isNotFound == true)
        }
    }

    @Test func `using a link ends the browser's current session, whichever user it belongs to`() async throws
    {
        try await withGrace { fixture, ada, grace in
            let owner = try await fixture.signIn("ada")
            let code = try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada)
            let newSession = try await fixture.services.identity.resets.reset(
                code: "\(code)", password: Cast.otherPassword, replacing: owner.secret, from: Cast.desk)
            #expect(!fixture.isSignedIn(owner) && fixture.isSignedIn(newSession))
        }
    }

    @Test func `owners cannot create a reset link for themselves, which would bypass their password`()
        async throws
    {
        try await withGrace { fixture, ada, _ in
            let error = await refusal {
                _ = try await fixture.services.identity.resets.makeLink(
                    for: ada.userId, by: ada, from: Cast.desk)
            }
            #expect(error?.isConflict == true)
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM reset_links") == [0])
            // On the machine itself, the operator makes the link.
            let code = try await fixture.services.identity.resets.makeLink(for: ada.userId, by: nil)
            #expect(fixture.isSignedIn(try await reset(fixture, code)))
        }
    }

    @Test func `guessing links is slowed down, but an open link always works`() async throws {
        try await withGrace { fixture, ada, grace in
            let code = try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada)
            for _ in 0..<6 {
                let error = await refusal { _ = try await reset(fixture, LinkCode()) }
                #expect(error?.isNotFound == true)
            }
            let slowed = await refusal { _ = try await reset(fixture, LinkCode()) }
            #expect(slowed?.wait == 1)
            #expect(try await reset(fixture, code).user.username == "grace")
        }
    }

    @Test func `unknown users and the placeholder get no reset link`() async throws {
        try await withAccounts { fixture in
            let placeholder = try #require(fixture.services.identity.accounts.firstOwner)
            for id in [placeholder.userId, 99] {
                let error = await refusal {
                    _ = try await fixture.services.identity.resets.makeLink(for: id, by: nil)
                }
                #expect(error == .notFound("There is no such user."))
            }
        }
    }

    @Test func `setting a password on the command line ends all sessions`() async throws {
        try await withGrace { fixture, _, grace in
            let newSession = try await fixture.signIn("grace")
            let weak = await refusal { try await fixture.services.identity.resets.set("short", of: grace) }
            #expect(weak?.field == "password" && fixture.isSignedIn(newSession))
            try await fixture.services.identity.resets.set(Cast.otherPassword, of: grace)
            #expect(!fixture.isSignedIn(newSession))
            #expect(try await fixture.newest() == "passwordReset command line>grace command line ")
            #expect(try await fixture.signIn("grace", Cast.otherPassword).user.userId == grace.userId)
        }
    }
}
