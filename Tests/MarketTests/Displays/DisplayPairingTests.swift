import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

/// Screens show a code until a user enters it.
@Suite(.timeLimit(.minutes(2))) struct DisplayPairingTests {
    private struct Fixture {
        let services: ServicesFixture
        let owner: UserID

        var pairings: DisplayPairingService { services.services.market.displayPairings }
        var displays: DisplayService { services.services.market.displays }

        func claim(
            _ code: String, for target: DisplayPairingService.Target = .new(name: "Kitchen"),
            by user: UserID? = nil, from address: String = "192.168.1.9"
        ) async throws -> DisplayID {
            try await pairings.claim(code, for: target, by: user ?? owner, from: address)
        }
    }

    private func withPairings(_ body: (Fixture) async throws -> Void) async throws {
        try await withServices { services in
            let owner = try await services.services.owner().userId
            try await body(Fixture(services: services, owner: owner))
        }
    }

    private static let wrong = RoostError.invalid(
        field: "code", why: "No screen shows this code. Type the one it shows now.")

    @Test func `a code has six letters and digits that do not look alike`() async throws {
        try await withPairings { fixture in
            for _ in 1...50 {
                let code = try await fixture.pairings.begin().pairing.code
                #expect(code.count == 6)
                #expect(code.allSatisfy { "23456789ABCDEFGHJKMNPQRSTUVWXYZ".contains($0) }, "\(code)")
            }
        }
    }

    @Test func `entering a code creates a display, which the screen's key opens`() async throws {
        try await withPairings { fixture in
            let (pairing, secret) = try await fixture.pairings.begin()
            #expect(!pairing.isClaimed)
            #expect(try await fixture.pairings.redeem(secret: secret) == nil)
            let before = fixture.services.services.feed.version(of: [pairing.topic])
            let id = try await fixture.claim(pairing.code)
            #expect(fixture.services.services.feed.version(of: [pairing.topic]) > before)
            #expect(try await fixture.pairings.pairing(secret: secret)?.isClaimed == true)
            let key = try #require(try await fixture.pairings.redeem(secret: secret))
            let display = try #require(try await fixture.displays.display(.key(key)))
            #expect(display.id == id && display.name == "Kitchen" && display.userId == fixture.owner)
            #expect(try await fixture.displays.display(.link(key)) == nil)
            #expect(try await fixture.displays.display(.key(key + "x")) == nil)
        }
    }

    @Test(
        arguments: [
            { $0 }, { $0.lowercased() }, { "\($0.prefix(3))-\($0.suffix(3))" },
            { " \($0.prefix(2)) \($0.dropFirst(2)) " },
        ] as [@Sendable (String) -> String])
    func `a code is accepted in any spelling`(typed: @Sendable (String) -> String) async throws {
        try await withPairings { fixture in
            let pairing = try await fixture.pairings.begin().pairing
            _ = try await fixture.claim(typed(pairing.code))
            #expect(try await fixture.displays.displays(of: fixture.owner).count == 1)
        }
    }

    @Test func `a screen can become an existing display`() async throws {
        try await withPairings { fixture in
            let display = try await fixture.displays.add("Hall", for: fixture.owner).display
            let (pairing, secret) = try await fixture.pairings.begin()
            #expect(try await fixture.claim(pairing.code, for: .existing(display.id)) == display.id)
            let key = try #require(try await fixture.pairings.redeem(secret: secret))
            #expect(try await fixture.displays.display(.key(key))?.id == display.id)
            #expect(try await fixture.displays.displays(of: fixture.owner).count == 1)
        }
    }

    @Test func `another user's display does not exist, and the code stays valid`() async throws {
        try await withPairings { fixture in
            let display = try await fixture.displays.add("Hall", for: fixture.owner).display
            let ada = try await fixture.services.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let pairing = try await fixture.pairings.begin().pairing
            await #expect(throws: RoostError.notFound("There is no such display.")) {
                try await fixture.claim(pairing.code, for: .existing(display.id), by: ada)
            }
            let id = try await fixture.claim(pairing.code, by: ada)
            #expect(try await fixture.displays.displays(of: ada).map(\.id) == [id])
        }
    }

    @Test func `a code is valid for ten minutes`() async throws {
        try await withPairings { fixture in
            let (pairing, secret) = try await fixture.pairings.begin()
            fixture.services.clock.advance(599)
            #expect(try await fixture.pairings.pairing(secret: secret)?.code == pairing.code)
            fixture.services.clock.advance(2)
            #expect(try await fixture.pairings.pairing(secret: secret) == nil)
            await #expect(throws: Self.wrong) { try await fixture.claim(pairing.code) }
            #expect(try await fixture.displays.displays(of: fixture.owner).isEmpty)
        }
    }

    @Test func `the key can be fetched within ten minutes after the code was entered`() async throws {
        try await withPairings { fixture in
            let secrets = [try await fixture.pairings.begin(), try await fixture.pairings.begin()]
            for (pairing, _) in secrets { _ = try await fixture.claim(pairing.code) }
            fixture.services.clock.advance(599)
            #expect(try await fixture.pairings.redeem(secret: secrets[0].secret) != nil)
            fixture.services.clock.advance(2)
            #expect(try await fixture.pairings.redeem(secret: secrets[1].secret) == nil)
        }
    }

    @Test func `a code works once`() async throws {
        try await withPairings { fixture in
            let pairing = try await fixture.pairings.begin().pairing
            _ = try await fixture.claim(pairing.code)
            await #expect(throws: Self.wrong) { try await fixture.claim(pairing.code) }
            #expect(try await fixture.displays.displays(of: fixture.owner).count == 1)
        }
    }

    @Test func `when two users enter a code at once, one gets the screen`() async throws {
        try await withPairings { fixture in
            let ada = try await fixture.services.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            for _ in 1...20 {
                let pairing = try await fixture.pairings.begin().pairing
                let claims = await withTaskGroup(of: Bool.self) { group in
                    for user in [fixture.owner, ada] {
                        group.addTask {
                            (try? await fixture.claim(pairing.code, by: user, from: "10.0.0.\(user)")) != nil
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(claims.count { $0 } == 1)
                // The loser's wrong code counts: after some, the user must wait.
                fixture.services.clock.advance(61)
            }
            let count = try await fixture.displays.displays(of: fixture.owner).count
            #expect(try await fixture.displays.displays(of: ada).count == 20 - count)
        }
    }

    @Test func `wrong codes make a user wait, and meanwhile a right one is refused`() async throws {
        try await withPairings { fixture in
            let pairing = try await fixture.pairings.begin().pairing
            let guess = pairing.code == "222222" ? "333333" : "222222"
            for number in 1...6 {
                await #expect(throws: Self.wrong) {
                    try await fixture.claim(guess, from: "10.0.0.\(number)")
                }
            }
            await #expect(
                throws: RoostError.tooMany("Too many wrong codes. Try again in 1 second.", retryAfter: 1)
            ) { try await fixture.claim(pairing.code) }
            #expect(try await fixture.displays.displays(of: fixture.owner).isEmpty)
            fixture.services.clock.advance(1)
            _ = try await fixture.claim(pairing.code)
        }
    }

    @Test func `many users' wrong codes make their address wait`() async throws {
        try await withPairings { fixture in
            let pairing = try await fixture.pairings.begin().pairing
            let guess = pairing.code == "222222" ? "333333" : "222222"
            for user in 1...11 {
                await #expect(throws: Self.wrong) { try await fixture.claim(guess, by: UserID(user + 100)) }
            }
            let error = await #expect(throws: RoostError.self) { try await fixture.claim(pairing.code) }
            guard case .tooMany = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            _ = try await fixture.claim(pairing.code, from: "192.168.1.10")
        }
    }

    @Test(arguments: ["", "ABC", "ABC-DE0", "ABCDEFG", String(repeating: "A", count: 100)])
    func `an invalid code is refused with a message and does not count as wrong`(text: String) async throws {
        try await withPairings { fixture in
            let refusal = RoostError.invalid(
                field: "code", why: "Enter six letters and digits, such as ABC-234.")
            for _ in 1...12 { await #expect(throws: refusal) { try await fixture.claim(text) } }
            _ = try await fixture.claim(try await fixture.pairings.begin().pairing.code)
        }
    }

    @Test(arguments: ["", "x", String(repeating: "x", count: 43), String(repeating: "x", count: 10_000)])
    func `an unknown secret fetches nothing`(secret: String) async throws {
        try await withPairings { fixture in
            let pairing = try await fixture.pairings.begin().pairing
            _ = try await fixture.claim(pairing.code)
            #expect(try await fixture.pairings.pairing(secret: secret) == nil)
            #expect(try await fixture.pairings.redeem(secret: secret) == nil)
        }
    }

    @Test func `a key whose response was lost is replaced`() async throws {
        try await withPairings { fixture in
            let (pairing, secret) = try await fixture.pairings.begin()
            _ = try await fixture.claim(pairing.code)
            let lost = try #require(try await fixture.pairings.redeem(secret: secret))
            let key = try #require(try await fixture.pairings.redeem(secret: secret))
            #expect(try await fixture.displays.display(.key(lost)) == nil)
            #expect(try await fixture.displays.display(.key(key)) != nil)
        }
    }

    @Test func `signing a display out revokes its key, its link and the secret that could fetch another key`()
        async throws
    {
        try await withPairings { fixture in
            let (pairing, secret) = try await fixture.pairings.begin()
            let id = try await fixture.claim(pairing.code)
            let key = try #require(try await fixture.pairings.redeem(secret: secret))
            let token = try #require(try await fixture.displays.token(of: id, for: fixture.owner))
            try await fixture.displays.signOut(id, of: fixture.owner)
            #expect(try await fixture.displays.display(.key(key)) == nil)
            #expect(try await fixture.displays.display(.link(token)) == nil)
            #expect(try await fixture.pairings.redeem(secret: secret) == nil)
            let new = try #require(try await fixture.displays.token(of: id, for: fixture.owner))
            #expect(try await fixture.displays.display(.link(new))?.id == id)
        }
    }

    @Test func `renewing a link keeps paired screens, and removing the display does not`() async throws {
        try await withPairings { fixture in
            let (pairing, secret) = try await fixture.pairings.begin()
            let id = try await fixture.claim(pairing.code)
            let key = try #require(try await fixture.pairings.redeem(secret: secret))
            try await fixture.displays.renewLink(id, of: fixture.owner)
            #expect(try await fixture.displays.display(.key(key))?.id == id)
            try await fixture.displays.remove(id, of: fixture.owner)
            #expect(try await fixture.displays.display(.key(key)) == nil)
            #expect(try await fixture.pairings.pairing(secret: secret) == nil)
        }
    }

    @Test
    func `of more than two hundred waiting screens the oldest are dropped, unless their code was entered`()
        async throws
    {
        try await withPairings { fixture in
            let typed = try await fixture.pairings.begin()
            _ = try await fixture.claim(typed.pairing.code)
            let oldest = try await fixture.pairings.begin()
            fixture.services.clock.advance(1)
            let second = try await fixture.pairings.begin()
            fixture.services.clock.advance(1)
            for _ in 1...199 { _ = try await fixture.pairings.begin() }
            #expect(try await fixture.pairings.pairing(secret: oldest.secret) == nil)
            #expect(try await fixture.pairings.pairing(secret: second.secret) != nil)
            #expect(try await fixture.pairings.redeem(secret: typed.secret) != nil)
        }
    }

    /// Requests a code from each address, a second apart.
    private func flood(_ fixture: Fixture, _ addresses: [String]) async throws {
        for address in addresses {
            fixture.services.clock.advance(1)
            _ = try await fixture.pairings.begin(from: address)
        }
    }

    private static let floods: [(name: String, addresses: [String])] = [
        ("one IPv4 address", Array(repeating: "192.168.1.66", count: 230)),
        ("one IPv6 address", Array(repeating: "2001:db8:1:2::66", count: 230)),
        ("one /64", (1...230).map { "2001:db8:1:2::" + String($0, radix: 16) }),
        (
            "one /64 with far apart addresses",
            (1...230).map { "2001:db8:1:2:" + String($0, radix: 16) + "::1" }
        ),
        ("a link", (1...230).map { "fe80::" + String($0, radix: 16) + "%eth0" }),
        ("all /64 of one /48", (1...230).map { "2001:db8:1:" + String($0, radix: 16) + "::1" }),
        ("all addresses of one /24", (1...230).map { "198.51.100.\($0)" }),
    ]

    @Test(arguments: floods.indices)
    func `an address that requests many codes displaces only codes of its own network`(index: Int)
        async throws
    {
        let flood = Self.floods[index]
        try await withPairings { fixture in
            var screens: [String] = []
            for address in [
                "192.168.1.20", "2001:db8:7:2::20", "203.0.113.5", "::ffff:192.168.1.21", "127.0.0.1",
            ] {
                screens.append(try await fixture.pairings.begin(from: address).secret)
            }
            let first = try await fixture.pairings.begin(from: flood.addresses[0])
            try await self.flood(fixture, flood.addresses)
            for secret in screens {
                #expect(try await fixture.pairings.pairing(secret: secret) != nil, "\(flood.name)")
            }
            #expect(try await fixture.pairings.pairing(secret: first.secret) == nil, "\(flood.name)")
            // The network's latest request still gets a valid code.
            let last = try await fixture.pairings.begin(from: flood.addresses[1])
            _ = try await fixture.claim(last.pairing.code)
        }
    }

    @Test func `within a network the address with the most codes loses its own first`() async throws {
        try await withPairings { fixture in
            let screen = try await fixture.pairings.begin(from: "2001:db8:1:2::20")
            try await flood(fixture, Array(repeating: "2001:db8:1:2::66", count: 100))
            #expect(try await fixture.pairings.pairing(secret: screen.secret) != nil)
        }
    }

    @Test func `twenty screens of one network can wait at the same time`() async throws {
        try await withPairings { fixture in
            var secrets: [String] = []
            for number in 1...20 {
                secrets.append(
                    try await fixture.pairings.begin(from: "fe80::" + String(number, radix: 16)).secret)
            }
            for secret in secrets { #expect(try await fixture.pairings.pairing(secret: secret) != nil) }
        }
    }

    @Test func `no secret and no key is stored in the files`() async throws {
        try await withPairings { fixture in
            let (pairing, secret) = try await fixture.pairings.begin()
            _ = try await fixture.claim(pairing.code)
            let key = try #require(try await fixture.pairings.redeem(secret: secret))
            for file in try FileManager.default.contentsOfDirectory(atPath: fixture.services.folder) {
                let bytes = try Data(contentsOf: URL(filePath: fixture.services.folder + "/" + file))
                for word in [secret, key] {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(file)")
                }
            }
        }
    }

    @Test func `codes and keys survive a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.services.owner().userId
            let (pairing, secret) = try await first.services.market.displayPairings.begin()
            try first.end()
            let second = try ServicesFixture(in: folder)
            _ = try await second.services.market.displayPairings.claim(
                pairing.code, for: .new(name: "Kitchen"), by: owner, from: "10.0.0.1")
            let key = try #require(try await second.services.market.displayPairings.redeem(secret: secret))
            try second.end()
            let third = try ServicesFixture(in: folder)
            #expect(try await third.services.market.displays.display(.key(key))?.name == "Kitchen")
            try third.end()
        }
    }
}
