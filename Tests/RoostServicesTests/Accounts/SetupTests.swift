import Foundation
import RoostServices
import Testing

@Suite struct SetupTests {
    private func setUp(
        _ bench: ServicesBench, _ name: String = "ada", code: String? = nil,
        from origin: ClientInfo = Cast.desk
    ) async throws -> User {
        let right = try #require(bench.services.invitations.setupCode)
        return try await bench.services.invitations.setUp(
            code: code ?? right.description, Profile(username: name), password: Cast.password, from: origin)
    }

    @Test func `the setup code makes the first owner, who takes over all that the stand-in has`() async throws
    {
        try await withAccounts { bench in
            let standIn = try await bench.owner(watching: "bitcoin", "solana")
            let (display, link) = try await bench.services.displays.add("Kitchen", for: standIn)
            let token = try await bench.services.token(for: "owner", scope: .write)
            let ada = try await setUp(bench)
            #expect(ada.userId == standIn && ada.role == .owner && !ada.isStandIn)
            #expect(ada.message == "Welcome to Roost, ada.")
            let coins = try await bench.services.watchlist.coinIds(of: ada.userId)
            #expect(Set(coins) == ["bitcoin", "solana"])
            #expect(bench.services.displays.display(token: link)?.id == display.id)
            #expect(bench.services.tokens.bearer(of: token)?.user == ada)
            #expect(try await bench.newest() == "setUp ada> 192.168.1.7 ")
        }
    }

    @Test func `the code is good once`() async throws {
        try await withAccounts { bench in
            let code = try #require(bench.services.invitations.setupCode).description
            _ = try await setUp(bench)
            #expect(bench.services.invitations.setupCode == nil)
            let error = await refusal {
                _ = try await bench.services.invitations.setUp(
                    code: code, Profile(username: "eve"), password: Cast.password, from: Cast.desk)
            }
            #expect(error?.isConflict == true && error?.message.hasPrefix("Roost is set up already") == true)
            let users = try await bench.services.accounts.users
            #expect(users.map(\.username) == ["ada"])
        }
    }

    @Test func `of two at once one is the owner`() async throws {
        try await withAccounts { bench in
            let code = try #require(bench.services.invitations.setupCode).description
            let errors = await withTaskGroup(of: RoostError?.self) { group in
                for name in ["ada", "eve", "bob"] {
                    group.addTask {
                        await refusal {
                            _ = try await bench.services.invitations.setUp(
                                code: code, Profile(username: name), password: Cast.password, from: Cast.here)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.filter { $0 == nil }.count == 1)
            #expect(errors.compactMap(\.self).count { $0.isConflict } == 2)
            #expect(try await bench.services.accounts.users.count == 1)
        }
    }

    @Test func `a wrong code makes nobody, and guessing is slowed down but not on this machine`() async throws
    {
        try await withAccounts { bench in
            for number in 1...6 {
                let error = await refusal { _ = try await setUp(bench, code: "0000-0000-0000-0000") }
                #expect(error?.field == "code", "try \(number)")
            }
            let error = try #require(await refusal { _ = try await setUp(bench) })
            #expect(error.wait == 1)
            #expect(bench.services.accounts.needsOwner)
            let ada = try await setUp(bench, from: Cast.here)
            #expect(ada.role == .owner)
        }
    }

    @Test func `whatever is typed for a code is refused in words`() async throws {
        try await withAccounts { bench in
            for code in ["", " ", "K7QM", String(repeating: "A", count: 10_000), "💥"] {
                let error = await refusal { _ = try await setUp(bench, code: code, from: Cast.here) }
                #expect(error?.field == "code")
            }
        }
    }

    @Test func `each start has a code of its own, and none once there is an owner`() async throws {
        try await withFolder { folder in
            var codes: [String] = []
            for _ in 0..<2 {
                let bench = try ServicesBench(in: folder) { $0.passwordCost = .cheap }
                try await bench.services.prepare()
                codes.append(try #require(bench.services.invitations.setupCode).description)
                if codes.count == 2 { try await bench.add("ada", .owner) }
                try bench.end()
            }
            #expect(Set(codes).count == 2)
            let bench = try ServicesBench(in: folder)
            try await bench.services.prepare()
            #expect(bench.services.invitations.setupCode == nil)
            try bench.end()
        }
    }

    @Test func `a refused password or name leaves the code as good as before`() async throws {
        try await withAccounts { bench in
            let code = try #require(bench.services.invitations.setupCode).description
            let error = await refusal {
                _ = try await bench.services.invitations.setUp(
                    code: code, Profile(username: "ada"), password: "ada-ada-ada", from: Cast.desk)
            }
            #expect(error?.field == "password")
            #expect(try await setUp(bench).username == "ada")
        }
    }
}
