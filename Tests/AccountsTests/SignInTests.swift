import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct SignInTests {
    @Test(arguments: ["Ada", "ada", " ADA ", "ada@example.org", "Ada@Example.ORG"])
    func `a user signs in by user name or by e-mail address`(name: String) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("Ada", .owner, email: "ada@example.org", displayName: "Countess")
            let newSession = try await fixture.signIn(name)
            #expect(newSession.user == ada && newSession.secret.count == 43)
            let found = try #require(
                fixture.services.identity.sessions.find(secret: newSession.secret, from: "192.168.1.7"))
            #expect(found.user == ada && found.session.device == "Firefox on Linux")
            #expect(found.session.address == "192.168.1.7" && found.session.createdAt == fixture.clock.now)
        }
    }

    @Test func `the error is the same whether or not the user exists`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner, email: "ada@example.org")
            try await fixture.services.identity.accounts.add(
                Profile(username: "grace"), role: .member, password: nil)
            let names = [
                "ada", "ada@example.org", "eve", "eve@example.org", "grace", "", "Countess",
                String(repeating: "x", count: 5_000),
            ]
            var errors: [RoostError?] = []
            for name in names {
                for password in ["", "wrong", Cast.otherPassword] {
                    let origin = ClientInfo(address: "10.0.0.\(errors.count)")
                    let error = await refusal { _ = try await fixture.signIn(name, password, from: origin) }
                    errors.append(error)
                    fixture.clock.advance(10)
                }
            }
            #expect(errors.count == 24 && errors.allSatisfy { $0 == .unknownVisitor(SessionService.refusal) })
        }
    }

    @Test(arguments: ["ada\u{D4E}", "\u{301}ada", "a\u{2800}da"])
    func `a user whose name the rules now refuse can still sign in and keeps it`(name: String) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let disk = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            try await disk.write { database in
                try database.execute(
                    sql: "UPDATE users SET username = ?, name_key = ?, display_name = ? WHERE id = ?",
                    arguments: [name, Profile.key(name), name, ada.userId])
            }
            try await fixture.services.identity.accounts.load()
            let newSession = try await fixture.signIn(name)
            #expect(newSession.user.username == name && fixture.isSignedIn(newSession))
            try await fixture.services.identity.accounts.change(
                ada.userId, email: "ada@example.org", displayName: name)
            let changed = try await fixture.signIn("ada@example.org").user
            #expect(changed.displayName == name && changed.email == "ada@example.org")
            let error = await refusal {
                try await fixture.services.identity.accounts.change(
                    ada.userId, email: nil, displayName: name + "\u{2800}")
            }
            #expect(error?.field == "displayName")
        }
    }

    @Test func `no one can sign in as the placeholder`() async throws {
        try await withAccounts { fixture in
            for password in ["", "owner", Cast.password] {
                let error1 = await refusal { _ = try await fixture.signIn("owner", password) }
                #expect(error1 != nil)
            }
            let sessions = try await fixture.services.identity.sessions.sessions()
            #expect(sessions.isEmpty)
        }
    }

    @Test func `wrong passwords bring a growing wait, for unknown names as well`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            for name in ["ada", "nobody"] {
                let origin = ClientInfo(address: name == "ada" ? "192.168.1.7" : "192.168.2.7")
                for _ in 0..<6 {
                    let error = await refusal { _ = try await fixture.signIn(name, "wrong", from: origin) }
                    #expect(error == .unknownVisitor(SessionService.refusal))
                }
                var waits: [Int?] = []
                for _ in 0..<3 {
                    let error = await refusal { _ = try await fixture.signIn(name, from: origin) }
                    waits.append(error?.wait)
                    fixture.clock.advance(TimeInterval(error?.wait ?? 0))
                    _ = await refusal { _ = try await fixture.signIn(name, "wrong", from: origin) }
                }
                #expect(waits == [1, 2, 4], "\(name)")
            }
        }
    }

    @Test func `a user name and the e-mail address have separate waits`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner, email: "ada@example.org")
            for number in 0..<6 {
                let origin = ClientInfo(address: "10.0.0.\(number)")
                let error = await refusal { _ = try await fixture.signIn("ada", "wrong", from: origin) }
                #expect(error == .unknownVisitor(SessionService.refusal))
            }
            let waits = [
                await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.phone) },
                await refusal { _ = try await fixture.signIn("ADA", "wrong", from: Cast.phone) },
                await refusal { _ = try await fixture.signIn("ada@example.org", "wrong", from: Cast.phone) },
                await refusal { _ = try await fixture.signIn("eve@example.org", "wrong", from: Cast.phone) },
            ]
            #expect(waits.map { $0?.wait != nil } == [true, true, false, false])
        }
    }

    /// A browser at this address that has signed in as Ada before.
    private static func knownDevice(
        _ origin: ClientInfo, to fixture: ServicesFixture, as name: String = "ada"
    )
        async throws
        -> ClientInfo
    {
        let newSession = try await fixture.signIn(name, from: origin)
        return ClientInfo(
            address: origin.address, device: origin.device, isOnThisMachine: origin.isOnThisMachine,
            deviceSecrets: [try #require(newSession.deviceSecret)])
    }

    @Test(arguments: [Cast.desk, Cast.here])
    func `a device that has signed in before never waits, whatever strangers guess`(origin: ClientInfo)
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner, email: "ada@example.org")
            let knownDevice = try await Self.knownDevice(origin, to: fixture)
            for address in [origin, Cast.phone, Cast.here] {
                for name in ["ada", "ada@example.org"] {
                    for _ in 0..<20 {
                        _ = await refusal { _ = try await fixture.signIn(name, "wrong", from: address) }
                    }
                }
            }
            let unknownDevice = await refusal { _ = try await fixture.signIn("ada", from: origin) }
            #expect(unknownDevice?.wait != nil)
            for name in ["ada", "ada@example.org"] {
                let newSession = try await fixture.signIn(name, from: knownDevice)
                #expect(newSession.user.username == "ada" && newSession.deviceSecret == nil)
            }
        }
    }

    /// Guesses Ada's password from many addresses, including the desk, until everyone must wait.
    private static func guess(_ fixture: ServicesFixture) async throws {
        for address in (1...20).map({ "203.0.113.\($0)" }) + Array(repeating: Cast.desk.address, count: 20) {
            _ = await refusal {
                _ = try await fixture.signIn("ada", "wrong", from: ClientInfo(address: address))
            }
        }
        let unknownDevice = await refusal { _ = try await fixture.signIn("ada", from: Cast.desk) }
        #expect(unknownDevice?.wait != nil)
    }

    private static func withLink(_ code: LinkCode, _ address: String = Cast.desk.address) -> ClientInfo {
        ClientInfo(address: address, linkCode: "\(code)")
    }

    @Test(arguments: ["join link", "reset link", "this machine"])
    func `strangers' wrong passwords do not lock out a user with a link or on this machine`(method: String)
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, email: "ada@example.org")
            let origin: ClientInfo =
                switch method {
                case "join link":
                    Self.withLink(
                        try await fixture.services.identity.invitations.invite(
                            note: "", days: 1, uses: 1, by: ada, from: Cast.here
                        ).code)
                case "reset link":
                    Self.withLink(
                        try await fixture.services.identity.resets.makeLink(for: ada.userId, by: nil))
                default: Cast.here
                }
            try await Self.guess(fixture)
            for name in ["ada", "ada@example.org"] {
                for _ in 1...25 {
                    #expect(try await fixture.signIn(name, from: origin).user == ada, "\(method)")
                }
            }
            // Wrong passwords with the link are limited too, with growing waits.
            for _ in 1...6 {
                let wrong = await refusal { _ = try await fixture.signIn("ada", "wrong", from: origin) }
                #expect(wrong == .unknownVisitor(SessionService.refusal))
            }
            for seconds in [1, 2, 4] {
                let right = await refusal { _ = try await fixture.signIn("ada", from: origin) }
                #expect(right?.wait == seconds)
                fixture.clock.advance(TimeInterval(seconds))
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: origin) }
            }
        }
    }

    @Test func `browsers with the same link share its count of wrong passwords`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let code = try await fixture.services.identity.invitations.invite(
                note: "", days: 1, uses: 100, by: ada, from: Cast.here
            ).code
            try await Self.guess(fixture)
            for number in 1...6 {
                let origin = Self.withLink(code, "198.51.100.\(number)")
                let wrong = await refusal { _ = try await fixture.signIn("ada", "wrong", from: origin) }
                #expect(wrong == .unknownVisitor(SessionService.refusal))
            }
            let next = await refusal {
                _ = try await fixture.signIn("ada", from: Self.withLink(code, "198.51.100.99"))
            }
            #expect(next?.wait == 1)
        }
    }

    @Test func `a link that is closed, invented or another user's does not skip the wait`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let (invitations, resets) = (
                fixture.services.identity.invitations, fixture.services.identity.resets
            )
            let revoked = try await invitations.invite(note: "", days: 1, uses: 1, by: ada, from: Cast.here)
            try await invitations.revoke(revoked.id, by: ada, from: Cast.here)
            let used = try await invitations.invite(note: "", days: 1, uses: 1, by: ada, from: Cast.here).code
            _ = try await invitations.join(
                code: "\(used)", Profile(username: "alan"), password: Cast.otherPassword, from: Cast.phone)
            let expired = try await invitations.invite(
                note: "", days: 1, uses: 1, by: ada, from: Cast.here
            ).code
            let replaced = try await resets.makeLink(for: ada.userId, by: nil)
            _ = try await resets.makeLink(for: ada.userId, by: nil)
            fixture.clock.advance(86_401)
            let graces = try await resets.makeLink(for: grace.userId, by: ada)
            try await Self.guess(fixture)
            for code in [revoked.code, used, expired, replaced, graces, LinkCode()] {
                let right = await refusal { _ = try await fixture.signIn("ada", from: Self.withLink(code)) }
                #expect(right?.wait != nil)
            }
            for code in ["", "x", String(repeating: "x", count: 10_000)] {
                let origin = ClientInfo(address: Cast.desk.address, linkCode: code)
                let right = await refusal { _ = try await fixture.signIn("ada", from: origin) }
                #expect(right?.wait != nil)
            }
        }
    }

    @Test func `a device is known only for the users who signed in on it`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            try await fixture.add("eve")
            let evesDevice = try await Self.knownDevice(Cast.phone, to: fixture, as: "eve")
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            let error = await refusal { _ = try await fixture.signIn("ada", from: evesDevice) }
            #expect(error?.wait != nil)
            #expect(try await fixture.signIn("eve", from: evesDevice).deviceSecret == nil)
            fixture.clock.advance(60)
            // Two people now share this browser: each has their own secret.
            let second = try #require(try await fixture.signIn("ada", from: evesDevice).deviceSecret)
            #expect(second != evesDevice.deviceSecrets[0])
        }
    }

    @Test
    func `a device stays known after signing out and with a new password, and its secret is not on the disk`()
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let newSession = try await fixture.signIn("ada", from: Cast.here)
            let secret = try #require(newSession.deviceSecret)
            let knownDevice = ClientInfo(address: "192.168.1.7", deviceSecrets: [secret])
            let changed = try await fixture.services.identity.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: knownDevice)
            #expect(changed.deviceSecret == nil)
            try await fixture.services.identity.sessions.signOut(
                ada, secret: changed.secret, from: knownDevice)
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            #expect(
                try await fixture.signIn("ada", Cast.otherPassword, from: knownDevice).deviceSecret == nil)
            #expect(try !fixture.isOnDisk(secret))
        }
    }

    @Test func `a user has at most fifty known devices, and one unused for 400 days is forgotten`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let first = try await Self.knownDevice(Cast.desk, to: fixture)
            fixture.clock.advance(1)
            let second = try await Self.knownDevice(Cast.desk, to: fixture)
            for _ in 0..<49 {
                fixture.clock.advance(1)
                _ = try await fixture.signIn("ada")
            }
            #expect(try await fixture.signIn("ada", from: second).deviceSecret == nil)
            #expect(try await fixture.signIn("ada", from: first).deviceSecret != nil)
            fixture.clock.advance(400 * 86_400 + 1)
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            #expect(await refusal { _ = try await fixture.signIn("ada", from: second) }?.wait != nil)
        }
    }

    @Test func `guesses at the sign-in do not stop anyone from changing the password`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            let newSession = try await fixture.services.identity.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: Cast.desk)
            #expect(newSession.user == ada)
            for _ in 0..<6 {
                _ = await refusal {
                    _ = try await fixture.services.identity.sessions.changePassword(
                        of: ada, current: "wrong", to: Cast.password, from: Cast.phone)
                }
            }
            let slowed = await refusal {
                _ = try await fixture.services.identity.sessions.changePassword(
                    of: ada, current: Cast.otherPassword, to: Cast.password, from: Cast.phone)
            }
            #expect(slowed?.wait == 1)
        }
    }

    @Test func `fifty concurrent guesses get no more attempts than sequential ones`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let errors = await withTaskGroup(of: RoostError?.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        await refusal { _ = try await fixture.signIn("ada", "guess number \(number)") }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let compared = errors.count { $0 == .unknownVisitor(SessionService.refusal) }
            #expect(compared <= 6 && errors.count { $0?.wait != nil } == 50 - compared)
        }
    }

    @Test func `text typed as an unknown user name is not stored on the disk`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let typed = "my-own-password-by-mistake"
            for _ in 0..<8 { _ = await refusal { _ = try await fixture.signIn(typed, "wrong") } }
            _ = await refusal { _ = try await fixture.signIn("ada", typed, from: Cast.phone) }
            #expect(try await fixture.newest() == "signInFailed >ada 192.168.1.8 Safari on iPhone")
            try await fixture.whileRunning {}
            #expect(try !fixture.isOnDisk(typed))
            let log = fixture.log.lines.joined()
            #expect(!log.contains(typed))
            let strange = try await fixture.services.identity.audit.entries().filter {
                $0.address == "192.168.1.7"
            }
            #expect(strange.map(\.detail) == ["Firefox on Linux, 6 times"])
            #expect(strange.allSatisfy { $0.subject.isEmpty && $0.actor.isEmpty })
        }
    }
}
