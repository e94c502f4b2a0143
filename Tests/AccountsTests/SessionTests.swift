import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct SessionTests {
    private func end(_ id: Int64, _ fixture: ServicesFixture, by user: User) async -> RoostError? {
        await refusal {
            try await fixture.services.identity.sessions.end(id, of: user.userId, by: user, from: Cast.desk)
        }
    }

    @Test func `only the hash of a session cookie is on the disk`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let newSession = try await fixture.signIn("ada")
            #expect(
                try fixture.sql(Data.self, "SELECT token_hash FROM sessions") == [
                    Data(Secret.hash(newSession.secret))
                ])
            #expect(try !fixture.isOnDisk(newSession.secret))
        }
    }

    @Test
    func `a sign-in starts a new session and ends the browser's previous one, whichever user it belonged to`()
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
            #expect(try await fixture.services.identity.sessions.sessions().count == 1)
        }
    }

    @Test func `a cookie that an attacker planted is not a session after the sign-in`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let planted = Secret.make(bytes: 32)
            let newSession = try await fixture.signIn("ada", replacing: planted)
            #expect(newSession.secret != planted)
            #expect(fixture.services.identity.sessions.find(secret: planted, from: "192.168.1.7") == nil)
        }
    }

    @Test func `changing the password ends every session and starts a new one here`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let (first, second) = (try await fixture.signIn("ada"), try await fixture.signIn("ada"))
            let grace = try await fixture.signIn("grace")
            let newSession = try await fixture.services.identity.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: Cast.desk)
            #expect(!fixture.isSignedIn(first) && !fixture.isSignedIn(second))
            #expect(fixture.isSignedIn(newSession) && fixture.isSignedIn(grace))
            #expect(try await fixture.newest() == "passwordChanged ada> 192.168.1.7 ")
            let error1 = await refusal { _ = try await fixture.signIn("ada") }
            #expect(error1 != nil)
            #expect(try await fixture.signIn("ada", Cast.otherPassword).user.userId == ada.userId)
            #expect(
                try await fixture.services.identity.accounts.user(ada.userId)?.updatedAt == fixture.clock.now)
        }
    }

    @Test func `changing the password requires the current one and a good new one`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, displayName: "Lovelace")
            let newSession = try await fixture.signIn("ada")
            for (current, new, field) in [
                ("wrong", Cast.otherPassword, "current"), (Cast.password, "short", "password"),
                (Cast.password, "lovelace-1815", "password"),
            ] {
                let error = await refusal {
                    _ = try await fixture.services.identity.sessions.changePassword(
                        of: ada, current: current, to: new, from: Cast.desk)
                }
                #expect(error?.field == field)
            }
            #expect(fixture.isSignedIn(newSession))
        }
    }

    @Test func `someone at an open session cannot guess the password either`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            var errors: [RoostError?] = []
            for _ in 0..<7 {
                errors.append(
                    await refusal {
                        try await fixture.services.identity.accounts.leave(
                            ada, password: "wrong", from: Cast.desk)
                    })
            }
            #expect(errors.prefix(6).allSatisfy { $0?.field == "password" } && errors.last??.wait == 1)
        }
    }

    @Test func `a session unused for thirty days ends, and one in use never does`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let (idle, used) = (try await fixture.signIn("ada"), try await fixture.signIn("ada"))
            for _ in 0..<3 {
                fixture.clock.advance(10 * 86_400)
                #expect(fixture.isSignedIn(used))
            }
            #expect(try await fixture.services.identity.sessions.sessions().count == 2)
            fixture.clock.advance(1)
            #expect(!fixture.isSignedIn(idle) && fixture.isSignedIn(used))
            #expect(try await fixture.services.identity.sessions.sessions().count == 1)
            try await fixture.whileRunning {}
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM sessions") == [1])
        }
    }

    @Test func `a session's last-seen time and address are updated at once and survive a restart`()
        async throws
    {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await first.services.load()
            try await first.add("ada", .owner)
            let newSession = try await first.signIn("ada")
            first.clock.advance(3_600)
            try await first.whileRunning {
                _ = first.services.identity.sessions.find(secret: newSession.secret, from: "10.0.0.9")
                let session = try #require(try await first.services.identity.sessions.sessions().first)
                #expect(session.lastSeenAt == first.clock.now && session.address == "10.0.0.9")
            }
            let time = first.clock.now
            try first.end()
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.load()
            let session = try #require(try await second.services.identity.sessions.sessions().first)
            #expect(session.lastSeenAt == time && session.address == "10.0.0.9")
            #expect(session.createdAt == TestClock.start && session.device == "Firefox on Linux")
            try second.end()
        }
    }

    @Test func `a user can sign out here, on another device, on all others, and everywhere`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let grace = try await fixture.signIn("grace")
            var newSessions: [SessionService.NewSession] = []
            for _ in 0..<5 { newSessions.append(try await fixture.signIn("ada")) }
            let sessions = fixture.services.identity.sessions
            try await sessions.signOut(ada, secret: newSessions[0].secret, from: Cast.desk)
            #expect(newSessions.map(fixture.isSignedIn) == [false, true, true, true, true])
            #expect(try await fixture.newest() == "signedOut ada> 192.168.1.7 ")
            let second = try #require(sessions.find(secret: newSessions[1].secret, from: "192.168.1.7"))
                .session
            let error2 = await end(second.id, fixture, by: ada)
            #expect(error2 == nil)
            #expect(newSessions.map(fixture.isSignedIn) == [false, false, true, true, true])
            let current = try #require(sessions.find(secret: newSessions[4].secret, from: "192.168.1.7"))
                .session
            try await sessions.endAll(of: ada, but: current.id, by: ada, from: Cast.desk)
            #expect(newSessions.map(fixture.isSignedIn) == [false, false, false, false, true])
            #expect(try await fixture.newest() == "sessionsEnded ada> 192.168.1.7 on all other devices")
            try await sessions.endAll(of: ada, by: ada, from: Cast.desk)
            #expect(!fixture.isSignedIn(newSessions[4]) && fixture.isSignedIn(grace))
        }
    }

    @Test func `only an owner can see and end another user's session`() async throws {
        try await withAccounts { fixture in
            let (ada, grace) = (try await fixture.add("ada", .owner), try await fixture.add("grace"))
            let newSession = try await fixture.signIn("ada")
            let id = try #require(try await fixture.services.identity.sessions.sessions(of: ada.userId).first)
                .id
            let error3 = await end(id, fixture, by: grace)
            #expect(error3 == .notFound("There is no such session."))
            let error4 = await end(99, fixture, by: ada)
            #expect(error4?.isNotFound == true)
            #expect(fixture.isSignedIn(newSession))
            let graceSession = try await fixture.signIn("grace", from: Cast.phone)
            let other = try #require(
                try await fixture.services.identity.sessions.sessions(of: grace.userId).first
            ).id
            try await fixture.services.identity.sessions.end(other, of: nil, by: ada, from: Cast.desk)
            #expect(!fixture.isSignedIn(graceSession))
            #expect(try await fixture.newest() == "sessionEnded ada>grace 192.168.1.7 Safari on iPhone")
        }
    }

    @Test func `a user has at most a hundred sessions, and a new one replaces the longest unused`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            try await fixture.add("grace")
            let grace = try await fixture.signIn("grace")
            var newSessions: [SessionService.NewSession] = []
            for _ in 0..<103 {
                fixture.clock.advance(1)
                newSessions.append(try await fixture.signIn("ada"))
            }
            let isIn = newSessions.map(fixture.isSignedIn)
            #expect(isIn == Array(repeating: false, count: 3) + Array(repeating: true, count: 100))
            #expect(fixture.isSignedIn(grace))
        }
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 43), String(repeating: "x", count: 10_000)])
    func `no other secret opens a session`(secret: String) async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            _ = try await fixture.signIn("ada")
            #expect(fixture.services.identity.sessions.find(secret: secret, from: "192.168.1.7") == nil)
        }
    }
}
