import Foundation
import RoostServices
import Testing

@Suite struct SignInTests {
    @Test(arguments: ["Ada", "ada", " ADA ", "ada@example.org", "Ada@Example.ORG"])
    func `one signs in by user name or by e-mail address`(name: String) async throws {
        try await withAccounts { bench in
            let ada = try await bench.add("Ada", .owner, email: "ada@example.org", displayName: "Countess")
            let begun = try await bench.signIn(name)
            #expect(begun.user == ada && begun.secret.count == 43)
            let found = try #require(bench.services.sessions.find(secret: begun.secret, from: "192.168.1.7"))
            #expect(found.user == ada && found.session.device == "Firefox on Linux")
            #expect(found.session.address == "192.168.1.7" && found.session.createdAt == bench.clock.now)
        }
    }

    @Test func `the words are equal whether there is such a user or not`() async throws {
        try await withAccounts { bench in
            try await bench.add("ada", .owner, email: "ada@example.org")
            try await bench.services.accounts.add(
                Profile(username: "grace"), role: .member, password: nil)
            let names = [
                "ada", "ada@example.org", "eve", "eve@example.org", "grace", "", "Countess",
                String(repeating: "x", count: 5_000),
            ]
            var said: [RoostError?] = []
            for name in names {
                for password in ["", "wrong", Cast.otherPassword] {
                    let error = await refusal { _ = try await bench.signIn(name, password, from: Cast.here) }
                    said.append(error)
                    bench.clock.advance(10)
                }
            }
            #expect(said.count == 24 && said.allSatisfy { $0 == .unknownVisitor(SessionService.refusal) })
        }
    }

    @Test func `nobody signs in as the stand-in`() async throws {
        try await withAccounts { bench in
            for password in ["", "owner", Cast.password] {
                let error1 = await refusal { _ = try await bench.signIn("owner", password) }
                #expect(error1 != nil)
            }
            #expect(bench.services.sessions.sessions().isEmpty)
        }
    }

    @Test func `wrong tries bring a wait that grows, for names that nobody has as well`() async throws {
        try await withAccounts { bench in
            try await bench.add("ada", .owner)
            for name in ["ada", "nobody"] {
                let origin = Origin(address: name == "ada" ? "192.168.1.7" : "192.168.2.7")
                for _ in 0..<6 {
                    let error = await refusal { _ = try await bench.signIn(name, "wrong", from: origin) }
                    #expect(error == .unknownVisitor(SessionService.refusal))
                }
                var waits: [Int?] = []
                for _ in 0..<3 {
                    let error = await refusal { _ = try await bench.signIn(name, from: origin) }
                    waits.append(error?.wait)
                    bench.clock.advance(TimeInterval(error?.wait ?? 0))
                    _ = await refusal { _ = try await bench.signIn(name, "wrong", from: origin) }
                }
                #expect(waits == [1, 2, 4], "\(name)")
            }
        }
    }

    @Test func `an account is slowed down from all addresses, and an address for all accounts`() async throws
    {
        try await withAccounts { bench in
            for name in ["ada", "grace"] { try await bench.add(name, name == "ada" ? .owner : .member) }
            for number in 0..<6 {
                _ = await refusal {
                    _ = try await bench.signIn("ada", "wrong", from: Origin(address: "10.0.0.\(number)"))
                }
            }
            let error2 = await refusal { _ = try await bench.signIn("ada", from: Cast.desk) }
            #expect(error2?.wait != nil)
            #expect(try await bench.signIn("grace").user.username == "grace")
            for number in 0..<11 {
                _ = await refusal { _ = try await bench.signIn("eve \(number)", "wrong", from: Cast.phone) }
            }
            let error3 = await refusal { _ = try await bench.signIn("grace", from: Cast.phone) }
            #expect(error3?.wait != nil)
            #expect(try await bench.signIn("grace", from: Cast.desk).user.username == "grace")
        }
    }

    @Test func `on this machine an owner gets in during the wait, with the right password alone`()
        async throws
    {
        try await withAccounts { bench in
            try await bench.add("ada", .owner)
            try await bench.add("grace")
            for name in ["ada", "grace"] {
                for _ in 0..<6 {
                    _ = await refusal { _ = try await bench.signIn(name, "wrong", from: Cast.here) }
                }
                let error4 = await refusal { _ = try await bench.signIn(name, "wrong", from: Cast.here) }
                #expect(error4?.wait != nil)
            }
            #expect(try await bench.signIn("ada", from: Cast.here).user.username == "ada")
            let error5 = await refusal { _ = try await bench.signIn("grace", from: Cast.here) }
            #expect(error5?.wait != nil)
        }
    }

    @Test func `nobody far away keeps the owner out on this machine`() async throws {
        try await withAccounts { bench in
            try await bench.add("ada", .owner)
            for _ in 0..<200 {
                _ = await refusal { _ = try await bench.signIn("ada", "wrong", from: Cast.desk) }
                bench.clock.advance(1)
            }
            let error6 = await refusal { _ = try await bench.signIn("ada", from: Cast.desk) }
            #expect(error6?.wait != nil)
            #expect(try await bench.signIn("ada", from: Cast.here).user.username == "ada")
        }
    }

    @Test func `fifty tries at once have no more luck than one after the other`() async throws {
        try await withAccounts { bench in
            try await bench.add("ada", .owner)
            let errors = await withTaskGroup(of: RoostError?.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        await refusal { _ = try await bench.signIn("ada", "guess number \(number)") }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let compared = errors.count { $0 == .unknownVisitor(SessionService.refusal) }
            #expect(compared <= 6 && errors.count { $0?.wait != nil } == 50 - compared)
        }
    }

    @Test func `what was typed as a name that nobody has is nowhere on the disk`() async throws {
        try await withAccounts { bench in
            try await bench.add("ada", .owner)
            let typed = "my-own-password-by-mistake"
            for _ in 0..<8 { _ = await refusal { _ = try await bench.signIn(typed, "wrong") } }
            _ = await refusal { _ = try await bench.signIn("ada", typed, from: Cast.phone) }
            #expect(try await bench.newest() == "signInFailed >ada 192.168.1.8 Safari on iPhone")
            try await bench.whileRunning {}
            #expect(try !bench.isOnDisk(typed))
            let log = bench.log.lines.joined()
            #expect(!log.contains(typed))
            let strange = try await bench.services.audit.entries().filter { $0.address == "192.168.1.7" }
            #expect(strange.map(\.detail) == ["Firefox on Linux, 6 times"])
            #expect(strange.allSatisfy { $0.subject.isEmpty && $0.actor.isEmpty })
        }
    }
}
