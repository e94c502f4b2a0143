import Foundation
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct SessionTests {
    private func end(_ id: Int64, _ fixture: ServicesFixture, by user: User) async -> RoostError? {
        await refusal {
            try await fixture.services.sessions.end(id, of: user.userId, by: user, from: Cast.desk)
        }
    }

    @Test func `of a cookie the disk has the hash alone`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let begun = try await fixture.signIn("ada")
            #expect(
                try fixture.sql(Data.self, "SELECT token_hash FROM sessions") == [
                    Data(Secret.hash(begun.secret))
                ])
            #expect(try !fixture.isOnDisk(begun.secret))
        }
    }

    @Test func `a sign-in begins a new session and ends the one that the browser had, whosever it was`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let first = try await fixture.signIn("ada")
            let second = try await fixture.signIn("ada", replacing: first.secret)
            #expect(second.secret != first.secret)
            #expect(!fixture.isSignedIn(first) && fixture.isSignedIn(second))
            let third = try await fixture.signIn("grace", replacing: second.secret)
            #expect(!fixture.isSignedIn(second) && fixture.isSignedIn(third))
            #expect(try await fixture.services.sessions.sessions().count == 1)
        }
    }

    @Test func `a cookie that a stranger planted is no session after the sign-in`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let planted = Secret.make(bytes: 32)
            let begun = try await fixture.signIn("ada", replacing: planted)
            #expect(begun.secret != planted)
            #expect(fixture.services.sessions.find(secret: planted, from: "192.168.1.7") == nil)
        }
    }

    @Test func `a new password ends every session and begins a new one here`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let (here, there) = (try await fixture.signIn("ada"), try await fixture.signIn("ada"))
            let grace = try await fixture.signIn("grace")
            let begun = try await fixture.services.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: Cast.desk)
            #expect(!fixture.isSignedIn(here) && !fixture.isSignedIn(there))
            #expect(fixture.isSignedIn(begun) && fixture.isSignedIn(grace))
            #expect(try await fixture.newest() == "passwordChanged ada> 192.168.1.7 ")
            let error1 = await refusal { _ = try await fixture.signIn("ada") }
            #expect(error1 != nil)
            #expect(try await fixture.signIn("ada", Cast.otherPassword).user.userId == ada.userId)
            #expect(try await fixture.services.accounts.user(ada.userId)?.updatedAt == fixture.clock.now)
        }
    }

    @Test func `a password is changed with the present one only, and to one worth having`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, displayName: "Lovelace")
            let begun = try await fixture.signIn("ada")
            for (current, new, field) in [
                ("wrong", Cast.otherPassword, "current"), (Cast.password, "short", "password"),
                (Cast.password, "lovelace-1815", "password"),
            ] {
                let error = await refusal {
                    _ = try await fixture.services.sessions.changePassword(
                        of: ada, current: current, to: new, from: Cast.desk)
                }
                #expect(error?.field == field)
            }
            #expect(fixture.isSignedIn(begun))
        }
    }

    @Test func `who sits at an open session cannot guess the password either`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            var errors: [RoostError?] = []
            for _ in 0..<7 {
                errors.append(
                    await refusal {
                        try await fixture.services.accounts.leave(ada, password: "wrong", from: Cast.desk)
                    })
            }
            #expect(errors.prefix(6).allSatisfy { $0?.field == "password" } && errors.last??.wait == 1)
        }
    }

    @Test func `a session that nobody has used for thirty days is over, and one in use never`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let (idle, used) = (try await fixture.signIn("ada"), try await fixture.signIn("ada"))
            for _ in 0..<3 {
                fixture.clock.advance(10 * 86_400)
                #expect(fixture.isSignedIn(used))
            }
            #expect(try await fixture.services.sessions.sessions().count == 2)
            fixture.clock.advance(1)
            #expect(!fixture.isSignedIn(idle) && fixture.isSignedIn(used))
            #expect(try await fixture.services.sessions.sessions().count == 1)
            try await fixture.whileRunning {}
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM sessions") == [1])
        }
    }

    @Test func `when and where a session was last seen is known at once and outlives a restart`() async throws
    {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await first.services.prepare()
            try await first.add("ada", .owner)
            let begun = try await first.signIn("ada")
            first.clock.advance(3_600)
            try await first.whileRunning {
                _ = first.services.sessions.find(secret: begun.secret, from: "10.0.0.9")
                let session = try #require(try await first.services.sessions.sessions().first)
                #expect(session.lastSeenAt == first.clock.now && session.address == "10.0.0.9")
            }
            let time = first.clock.now
            try first.end()
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.prepare()
            let session = try #require(try await second.services.sessions.sessions().first)
            #expect(session.lastSeenAt == time && session.address == "10.0.0.9")
            #expect(session.createdAt == TestClock.start && session.device == "Firefox on Linux")
            try second.end()
        }
    }

    @Test func `one signs out here, on another device, on all others, and everywhere`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let grace = try await fixture.signIn("grace")
            var begun: [SessionService.NewSession] = []
            for _ in 0..<5 { begun.append(try await fixture.signIn("ada")) }
            let sessions = fixture.services.sessions
            try await sessions.signOut(ada, secret: begun[0].secret, from: Cast.desk)
            #expect(begun.map(fixture.isSignedIn) == [false, true, true, true, true])
            #expect(try await fixture.newest() == "signedOut ada> 192.168.1.7 ")
            let second = try #require(sessions.find(secret: begun[1].secret, from: "192.168.1.7")).session
            let error2 = await end(second.id, fixture, by: ada)
            #expect(error2 == nil)
            #expect(begun.map(fixture.isSignedIn) == [false, false, true, true, true])
            let kept = try #require(sessions.find(secret: begun[4].secret, from: "192.168.1.7")).session
            try await sessions.endAll(of: ada, but: kept.id, by: ada, from: Cast.desk)
            #expect(begun.map(fixture.isSignedIn) == [false, false, false, false, true])
            #expect(try await fixture.newest() == "sessionsEnded ada> 192.168.1.7 on all other devices")
            try await sessions.endAll(of: ada, by: ada, from: Cast.desk)
            #expect(!fixture.isSignedIn(begun[4]) && fixture.isSignedIn(grace))
        }
    }

    @Test func `another user's session is not there, except for an owner who looks after all`() async throws {
        try await withAccounts { fixture in
            let (ada, grace) = (try await fixture.add("ada", .owner), try await fixture.add("grace"))
            let begun = try await fixture.signIn("ada")
            let id = try #require(try await fixture.services.sessions.sessions(of: ada.userId).first).id
            let error3 = await end(id, fixture, by: grace)
            #expect(error3 == .notFound("There is no such session."))
            let error4 = await end(99, fixture, by: ada)
            #expect(error4?.isNotFound == true)
            #expect(fixture.isSignedIn(begun))
            let hers = try await fixture.signIn("grace", from: Cast.phone)
            let other = try #require(try await fixture.services.sessions.sessions(of: grace.userId).first).id
            try await fixture.services.sessions.end(other, of: nil, by: ada, from: Cast.desk)
            #expect(!fixture.isSignedIn(hers))
            #expect(try await fixture.newest() == "sessionEnded ada>grace 192.168.1.7 Safari on iPhone")
        }
    }

    @Test func `a hundred sessions are the most, and the one unused for longest makes room`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let grace = try await fixture.signIn("grace")
            var begun: [SessionService.NewSession] = []
            for _ in 0..<103 {
                fixture.clock.advance(1)
                begun.append(try await fixture.signIn("ada"))
            }
            let isIn = begun.map(fixture.isSignedIn)
            #expect(isIn == Array(repeating: false, count: 3) + Array(repeating: true, count: 100))
            #expect(fixture.isSignedIn(grace))
        }
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 43), String(repeating: "x", count: 10_000)])
    func `no other word is a session`(secret: String) async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            _ = try await fixture.signIn("ada")
            #expect(fixture.services.sessions.find(secret: secret, from: "192.168.1.7") == nil)
        }
    }
}
