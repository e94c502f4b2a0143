import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct SignInTests {
    @Test(arguments: ["Ada", "ada", " ADA ", "ada@example.org", "Ada@Example.ORG"])
    func `one signs in by user name or by e-mail address`(name: String) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("Ada", .owner, email: "ada@example.org", displayName: "Countess")
            let begun = try await fixture.signIn(name)
            #expect(begun.user == ada && begun.secret.count == 43)
            let found = try #require(
                fixture.services.sessions.find(secret: begun.secret, from: "192.168.1.7"))
            #expect(found.user == ada && found.session.device == "Firefox on Linux")
            #expect(found.session.address == "192.168.1.7" && found.session.createdAt == fixture.clock.now)
        }
    }

    @Test func `the words are equal whether there is such a user or not`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner, email: "ada@example.org")
            try await fixture.services.accounts.add(
                Profile(username: "grace"), role: .member, password: nil)
            let names = [
                "ada", "ada@example.org", "eve", "eve@example.org", "grace", "", "Countess",
                String(repeating: "x", count: 5_000),
            ]
            var said: [RoostError?] = []
            for name in names {
                for password in ["", "wrong", Cast.otherPassword] {
                    let origin = ClientInfo(address: "10.0.0.\(said.count)")
                    let error = await refusal { _ = try await fixture.signIn(name, password, from: origin) }
                    said.append(error)
                    fixture.clock.advance(10)
                }
            }
            #expect(said.count == 24 && said.allSatisfy { $0 == .unknownVisitor(SessionService.refusal) })
        }
    }

    @Test(arguments: ["ada\u{D4E}", "\u{301}ada", "a\u{2800}da"])
    func `who has a name that is refused today goes on signing in, and keeps it`(name: String) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let disk = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            try await disk.write { database in
                try database.execute(
                    sql: "UPDATE users SET username = ?, name_key = ?, display_name = ? WHERE id = ?",
                    arguments: [name, Profile.key(name), name, ada.userId])
            }
            try await fixture.services.accounts.load()
            let begun = try await fixture.signIn(name)
            #expect(begun.user.username == name && fixture.isSignedIn(begun))
            try await fixture.services.accounts.change(
                ada.userId, email: "ada@example.org", displayName: name)
            let changed = try await fixture.signIn("ada@example.org").user
            #expect(changed.displayName == name && changed.email == "ada@example.org")
            let error = await refusal {
                try await fixture.services.accounts.change(
                    ada.userId, email: nil, displayName: name + "\u{2800}")
            }
            #expect(error?.field == "displayName")
        }
    }

    @Test func `nobody signs in as the stand-in`() async throws {
        try await withAccounts { fixture in
            for password in ["", "owner", Cast.password] {
                let error1 = await refusal { _ = try await fixture.signIn("owner", password) }
                #expect(error1 != nil)
            }
            let sessions = try await fixture.services.sessions.sessions()
            #expect(sessions.isEmpty)
        }
    }

    @Test func `wrong tries bring a wait that grows, for names that nobody has as well`() async throws {
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

    @Test func `a user name and its e-mail address are waited for apart`() async throws {
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

    @Test func `an account is slowed down from all addresses, and an address for all accounts`() async throws
    {
        try await withAccounts { fixture in
            for name in ["ada", "grace"] { try await fixture.add(name, name == "ada" ? .owner : .member) }
            for number in 0..<6 {
                _ = await refusal {
                    _ = try await fixture.signIn(
                        "ada", "wrong", from: ClientInfo(address: "10.0.0.\(number)"))
                }
            }
            let error2 = await refusal { _ = try await fixture.signIn("ada", from: Cast.desk) }
            #expect(error2?.wait != nil)
            #expect(try await fixture.signIn("grace").user.username == "grace")
            for number in 0..<11 {
                _ = await refusal { _ = try await fixture.signIn("eve \(number)", "wrong", from: Cast.phone) }
            }
            let error3 = await refusal { _ = try await fixture.signIn("grace", from: Cast.phone) }
            #expect(error3?.wait != nil)
            #expect(try await fixture.signIn("grace", from: Cast.desk).user.username == "grace")
        }
    }

    @Test func `on this machine wrong guesses are slowed as elsewhere, for owners as well`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            for number in 0..<6 {
                let error = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.here) }
                #expect(error == .unknownVisitor(SessionService.refusal), "\(number)")
            }
            for seconds in [1, 2, 4, 8] {
                let right = await refusal { _ = try await fixture.signIn("ada", from: Cast.here) }
                #expect(right?.wait == seconds)
                fixture.clock.advance(TimeInterval(seconds))
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.here) }
            }
            fixture.clock.advance(16)
            #expect(try await fixture.signIn("ada", from: Cast.here).user.username == "ada")
        }
    }

    /// A browser at this place that has signed in as ada before.
    private static func known(_ place: ClientInfo, to fixture: ServicesFixture, as name: String = "ada")
        async throws
        -> ClientInfo
    {
        let begun = try await fixture.signIn(name, from: place)
        return ClientInfo(
            address: place.address, device: place.device, isOnThisMachine: place.isOnThisMachine,
            deviceSecrets: [try #require(begun.deviceSecret)])
    }

    @Test(arguments: [Cast.desk, Cast.here])
    func `a device that has signed in before is let in at once, whatever strangers guess`(place: ClientInfo)
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner, email: "ada@example.org")
            let known = try await Self.known(place, to: fixture)
            for address in [place, Cast.phone, Cast.here] {
                for name in ["ada", "ada@example.org"] {
                    for _ in 0..<20 {
                        _ = await refusal { _ = try await fixture.signIn(name, "wrong", from: address) }
                    }
                }
            }
            let stranger = await refusal { _ = try await fixture.signIn("ada", from: place) }
            #expect(stranger?.wait != nil)
            for name in ["ada", "ada@example.org"] {
                let begun = try await fixture.signIn(name, from: known)
                #expect(begun.user.username == "ada" && begun.deviceSecret == nil)
            }
        }
    }

    /// Guesses at ada's password from many addresses, and from the desk, until all must wait.
    private static func guess(_ fixture: ServicesFixture) async throws {
        for address in (1...20).map({ "203.0.113.\($0)" }) + Array(repeating: Cast.desk.address, count: 20) {
            _ = await refusal {
                _ = try await fixture.signIn("ada", "wrong", from: ClientInfo(address: address))
            }
        }
        let stranger = await refusal { _ = try await fixture.signIn("ada", from: Cast.desk) }
        #expect(stranger?.wait != nil)
    }

    private static func withLink(_ code: LinkCode, _ address: String = Cast.desk.address) -> ClientInfo {
        ClientInfo(address: address, linkCode: "\(code)")
    }

    @Test(arguments: ["join link", "reset link", "this machine"])
    func `strangers' wrong passwords do not keep a user with a link, or on this machine, out`(way: String)
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, email: "ada@example.org")
            let origin: ClientInfo =
                switch way {
                case "join link":
                    Self.withLink(
                        try await fixture.services.invitations.invite(
                            note: "", days: 1, uses: 1, by: ada, from: Cast.here
                        ).code)
                case "reset link":
                    Self.withLink(try await fixture.services.resets.makeLink(for: ada.userId, by: nil))
                default: Cast.here
                }
            try await Self.guess(fixture)
            for name in ["ada", "ada@example.org"] {
                for _ in 1...25 {
                    #expect(try await fixture.signIn(name, from: origin).user == ada, "\(way)")
                }
            }
            // Its own wrong tries are few, and wait longer each time.
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

    @Test func `browsers with one link share its wrong tries`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let code = try await fixture.services.invitations.invite(
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

    @Test func `a link that is closed, made up or another user's is of no use against the wait`() async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let (invitations, resets) = (fixture.services.invitations, fixture.services.resets)
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

    @Test func `a known device has few wrong tries of its own, which cost strangers nothing`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let known = try await Self.known(Cast.desk, to: fixture)
            for _ in 0..<6 {
                let error = await refusal { _ = try await fixture.signIn("ada", "wrong", from: known) }
                #expect(error == .unknownVisitor(SessionService.refusal))
            }
            let right = await refusal { _ = try await fixture.signIn("ada", from: known) }
            #expect(right?.wait == 1)
            #expect(try await fixture.signIn("ada", from: Cast.desk).user.username == "ada")
            fixture.clock.advance(1)
            #expect(try await fixture.signIn("ada", from: known).user.username == "ada")
        }
    }

    @Test func `a device is known for those who have signed in on it, and for nobody else`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            try await fixture.add("eve")
            let hers = try await Self.known(Cast.phone, to: fixture, as: "eve")
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            let error = await refusal { _ = try await fixture.signIn("ada", from: hers) }
            #expect(error?.wait != nil)
            #expect(try await fixture.signIn("eve", from: hers).deviceSecret == nil)
            fixture.clock.advance(60)
            // Two people share this browser now: each has a secret of their own.
            let second = try #require(try await fixture.signIn("ada", from: hers).deviceSecret)
            #expect(second != hers.deviceSecrets[0])
        }
    }

    @Test
    func `a device stays known after signing out and with a new password, and its secret is not on the disk`()
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let begun = try await fixture.signIn("ada", from: Cast.here)
            let secret = try #require(begun.deviceSecret)
            let known = ClientInfo(address: "192.168.1.7", deviceSecrets: [secret])
            let changed = try await fixture.services.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: known)
            #expect(changed.deviceSecret == nil)
            try await fixture.services.sessions.signOut(ada, secret: changed.secret, from: known)
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            #expect(try await fixture.signIn("ada", Cast.otherPassword, from: known).deviceSecret == nil)
            #expect(try !fixture.isOnDisk(secret))
        }
    }

    @Test func `fifty devices are known of a user, and one that was not used for 400 days is a stranger`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let first = try await Self.known(Cast.desk, to: fixture)
            fixture.clock.advance(1)
            let second = try await Self.known(Cast.desk, to: fixture)
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

    @Test func `guesses at the sign-in do not keep anybody from changing the password`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            for _ in 0..<20 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
            }
            let begun = try await fixture.services.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: Cast.desk)
            #expect(begun.user == ada)
            for _ in 0..<6 {
                _ = await refusal {
                    _ = try await fixture.services.sessions.changePassword(
                        of: ada, current: "wrong", to: Cast.password, from: Cast.phone)
                }
            }
            let slowed = await refusal {
                _ = try await fixture.services.sessions.changePassword(
                    of: ada, current: Cast.otherPassword, to: Cast.password, from: Cast.phone)
            }
            #expect(slowed?.wait == 1)
        }
    }

    @Test func `nobody far away keeps the owner out on this machine`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            for _ in 0..<200 {
                _ = await refusal { _ = try await fixture.signIn("ada", "wrong", from: Cast.desk) }
                fixture.clock.advance(1)
            }
            let error6 = await refusal { _ = try await fixture.signIn("ada", from: Cast.desk) }
            #expect(error6?.wait != nil)
            #expect(try await fixture.signIn("ada", from: Cast.here).user.username == "ada")
        }
    }

    @Test func `fifty tries at once have no more luck than one after the other`() async throws {
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

    @Test func `what was typed as a name that nobody has is nowhere on the disk`() async throws {
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
            let strange = try await fixture.services.audit.entries().filter { $0.address == "192.168.1.7" }
            #expect(strange.map(\.detail) == ["Firefox on Linux, 6 times"])
            #expect(strange.allSatisfy { $0.subject.isEmpty && $0.actor.isEmpty })
        }
    }
}
