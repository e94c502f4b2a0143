import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct SetupTests {
    private func setUp(
        _ fixture: ServicesFixture, _ name: String = "ada", code: String? = nil,
        from origin: ClientInfo = Cast.desk
    ) async throws -> User {
        let right = try #require(fixture.services.identity.invitations.setupCode)
        return try await fixture.services.identity.invitations.setUp(
            code: code ?? right.description, Profile(username: name), password: Cast.password, from: origin)
    }

    @Test func `the setup code creates the first owner, who inherits the placeholder's data`() async throws {
        try await withAccounts { fixture in
            let placeholder = try await fixture.owner(watching: "bitcoin", "solana")
            let (display, link) = try await fixture.services.market.displays.add("Kitchen", for: placeholder)
            let token = try await fixture.services.token(for: "owner", scope: .write)
            let ada = try await setUp(fixture)
            #expect(ada.userId == placeholder && ada.role == .owner && !ada.isPlaceholder)
            #expect(ada.message == "Welcome to Roost, ada.")
            let coins = try await fixture.services.market.watchlist.coinIds(of: ada.userId)
            #expect(Set(coins) == ["bitcoin", "solana"])
            #expect(try await fixture.services.market.displays.display(.link(link))?.id == display.id)
            #expect(fixture.services.identity.tokens.bearer(of: token)?.user == ada)
            #expect(try await fixture.newest() == "setUp ada> 192.168.1.7 ")
        }
    }

    @Test func `the setup code works once`() async throws {
        try await withAccounts { fixture in
            let code = try #require(fixture.services.identity.invitations.setupCode).description
            _ = try await setUp(fixture)
            #expect(fixture.services.identity.invitations.setupCode == nil)
            let error = await refusal {
                _ = try await fixture.services.identity.invitations.setUp(
                    code: code, Profile(username: "eve"), password: Cast.password, from: Cast.desk)
            }
            #expect(error?.isConflict == true && error?.message.hasPrefix("Roost is already set up") == true)
            let users = try await fixture.services.identity.accounts.users
            #expect(users.map(\.username) == ["ada"])
        }
    }

    @Test func `when two people set up at once, one becomes the owner`() async throws {
        try await withAccounts { fixture in
            let code = try #require(fixture.services.identity.invitations.setupCode).description
            let errors = await withTaskGroup(of: RoostError?.self) { group in
                for name in ["ada", "eve", "bob"] {
                    group.addTask {
                        await refusal {
                            _ = try await fixture.services.identity.invitations.setUp(
                                code: code, Profile(username: name), password: Cast.password, from: Cast.here)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.filter { $0 == nil }.count == 1)
            #expect(errors.compactMap(\.self).count { $0.isConflict } == 2)
            #expect(try await fixture.services.identity.accounts.users.count == 1)
        }
    }

    @Test func `a wrong code creates no user, and guessing is slowed down except on this machine`()
        async throws
    {
        try await withAccounts { fixture in
            for number in 1...6 {
                let error = await refusal { _ = try await setUp(fixture, code: "0000-0000-0000-0000") }
                #expect(error?.field == "code", "try \(number)")
            }
            let error = try #require(await refusal { _ = try await setUp(fixture) })
            #expect(error.wait == 1)
            #expect(fixture.services.identity.accounts.needsOwner)
            let ada = try await setUp(fixture, from: Cast.here)
            #expect(ada.role == .owner)
        }
    }

    @Test func `any invalid setup code is refused with a message`() async throws {
        try await withAccounts { fixture in
            for code in ["", " ", "K7QM", String(repeating: "A", count: 10_000), "💥"] {
                let error = await refusal { _ = try await setUp(fixture, code: code, from: Cast.here) }
                #expect(error?.field == "code")
            }
        }
    }

    @Test func `each start has its own setup code, and none once there is an owner`() async throws {
        try await withFolder { folder in
            var codes: [String] = []
            for _ in 0..<2 {
                let fixture = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
                try await fixture.services.load()
                codes.append(try #require(fixture.services.identity.invitations.setupCode).description)
                if codes.count == 2 { try await fixture.add("ada", .owner) }
                try fixture.end()
            }
            #expect(Set(codes).count == 2)
            let fixture = try ServicesFixture(in: folder)
            try await fixture.services.load()
            #expect(fixture.services.identity.invitations.setupCode == nil)
            try fixture.end()
        }
    }

    @Test func `a refused password or name does not use the code up`() async throws {
        try await withAccounts { fixture in
            let code = try #require(fixture.services.identity.invitations.setupCode).description
            let error = await refusal {
                _ = try await fixture.services.identity.invitations.setUp(
                    code: code, Profile(username: "ada"), password: "ada-ada-ada", from: Cast.desk)
            }
            #expect(error?.field == "password")
            #expect(try await setUp(fixture).username == "ada")
        }
    }
}
