import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Signing in with a code: every answer that GitHub documents, and undocumented ones.
@Suite struct GitHubDeviceFlowTests {
    private typealias Response = ScriptedUpstream.Response

    @Test func `entering the code connects the account`() async throws {
        try await DeviceScript.withFlow(DeviceScript.pending, DeviceScript.pending, DeviceScript.granted) {
            github in
            try await DeviceScript.begin(github)
            #expect(github.accounts.signIn(of: github.ada) == .none)
            let account = try #require(github.accounts.accounts(of: github.ada).first)
            #expect(account.login == "octocat")
            #expect(account.state == .authenticated)
            #expect(github.pauses.all == [5, 5, 5])
            #expect(
                try await github.fixture.newest() == "gitHubConnected ada> 192.168.1.7 octocat at github.com")
        }
    }

    @Test func `requests to GitHub have the documented form`() async throws {
        try await DeviceScript.withFlow(DeviceScript.granted) { github in
            try await DeviceScript.begin(github)
            let first = try #require(github.requests(to: DeviceScript.code).first)
            #expect(first.method == "POST")
            #expect(first.body == "client_id=Iv1.roost&scope=repo%20read%3Aorg")
            #expect(first.headers["accept"] == "application/json")
            #expect(first.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(first.headers["authorization"] == nil)
            let second = try #require(github.requests(to: DeviceScript.token).first)
            #expect(
                second.body
                    == "client_id=Iv1.roost&device_code=3584d83530557fdd1f46af8289938c8ef79f9dc5"
                    + "&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code")
        }
    }

    @Test func `the code is shown to its user only, while it is valid`() async throws {
        try await DeviceScript.withFlow(DeviceScript.pending) { github in
            github.pauses.hold()
            let version = github.version
            try github.accounts.beginDeviceFlow(for: github.ada)
            try await wait(for: "the code") { github.pauses.all == [5] }
            #expect(
                github.accounts.signIn(of: github.ada)
                    == .waiting(
                        .init(
                            userCode: "WDJB-MJHT", verificationURI: "https://github.com/login/device",
                            expiresAt: TestClock.start + 900)))
            #expect(github.accounts.signIn(of: github.ada + 1) == .none)
            #expect(github.version >= version + 2)
            github.accounts.dismissSignIn(of: github.ada)
        }
    }

    @Test func `slow_down makes polling slower permanently, by GitHub's interval or by five seconds`()
        async throws
    {
        try await DeviceScript.withFlow(
            DeviceScript.refused("slow_down", #", "interval": 12"#), DeviceScript.pending,
            DeviceScript.refused("slow_down"),
            DeviceScript.pending, DeviceScript.refused("slow_down", #", "interval": 1"#), DeviceScript.granted
        ) { github in
            try await DeviceScript.begin(github)
            #expect(github.pauses.all == [5, 12, 12, 17, 17, 17])
            #expect(github.accounts.accounts(of: github.ada).count == 1)
        }
    }

    @Test func `a code that is never entered expires by Roost's own clock`() async throws {
        try await DeviceScript.withFlow(DeviceScript.pending) { github in
            try await DeviceScript.begin(github)
            #expect(
                github.accounts.signIn(of: github.ada)
                    == .ended("The code has expired. Get a new one."))
            #expect(github.clock.now.timeIntervalSince(TestClock.start) < 906)
            #expect(github.requests(to: DeviceScript.token).count >= 179)
        }
    }

    @Test func `lost connections slow the polling down and do not end it`() async throws {
        let answers = [
            Response(hangsUp: true), Response(status: 502, body: "<html>"), Response(body: "<html>"),
            Response(status: 429, headers: ["Retry-After: 50"]), DeviceScript.pending, DeviceScript.granted,
        ]
        try await DeviceScript.withFlow { github in
            // Counted by pause, not by request: libcurl resends what a reused connection lost.
            github.script.set(DeviceScript.token) { [pauses = github.pauses] _ in
                answers[pauses.all.count - 1]
            }
            try await DeviceScript.begin(github)
            #expect(github.accounts.accounts(of: github.ada).map(\.login) == ["octocat"])
            #expect(github.pauses.all == [5, 10, 15, 25, 55, 5])
        }
    }

    @Test func `a token that was received survives a lost connection after it`() async throws {
        try await DeviceScript.withFlow(DeviceScript.granted) { github in
            github.script.set(
                "/api/v3/user",
                inTurn: [
                    Response(hangsUp: true), Response(status: 500), Response(body: #"{"login":"octocat"}"#),
                ])
            try await DeviceScript.begin(github)
            #expect(github.accounts.signIn(of: github.ada) == .none)
            #expect(github.accounts.accounts(of: github.ada).map(\.login) == ["octocat"])
            #expect(github.requests(to: DeviceScript.token).count == 1)
        }
    }

    @Test func `a user can start a limited number of sign-ins within ten minutes, without affecting others`()
        async throws
    {
        try await withGitHub { github in
            github.script.set("/login/device/code") { _ in .init(status: 500) }
            for _ in 0..<10 { try github.accounts.beginDeviceFlow(for: github.ada) }
            #expect(throws: RoostError.self) { try github.accounts.beginDeviceFlow(for: github.ada) }
            let grace = try await github.fixture.add("grace")
            try github.accounts.beginDeviceFlow(for: grace.userId)
            github.clock.advance(601)
            try github.accounts.beginDeviceFlow(for: github.ada)
        }
    }

    @Test func `a second sign-in replaces the first`() async throws {
        try await DeviceScript.withFlow(DeviceScript.pending) { github in
            github.pauses.hold()
            try github.accounts.beginDeviceFlow(for: github.ada)
            try await wait(for: "the first code") { github.pauses.all.count == 1 }
            github.script.set(DeviceScript.code) { _ in
                Response(body: DeviceScript.grant.body.replacing("WDJB-MJHT", with: "AAAA-BBBB"))
            }
            try github.accounts.beginDeviceFlow(for: github.ada)
            try await wait(for: "the second code") { github.pauses.all.count == 2 }
            guard case .waiting(let code) = github.accounts.signIn(of: github.ada) else {
                return #expect(Bool(false), "it does not wait")
            }
            #expect(code.userCode == "AAAA-BBBB")
            try await wait(for: "the end of the first") { github.pauses.left == 1 }
            #expect(github.requests(to: DeviceScript.token).isEmpty)
            github.accounts.dismissSignIn(of: github.ada)
            #expect(github.accounts.signIn(of: github.ada) == .none)
            try await wait(for: "the end of the second") { github.pauses.left == 2 }
        }
    }

    @Test func `a sign-in ends with the background work, and when its user is deleted`() async throws {
        try await DeviceScript.withFlow(DeviceScript.granted) { github in
            github.pauses.hold()
            let grace = try await github.fixture.add("grace")
            try github.accounts.beginDeviceFlow(for: github.ada)
            try github.accounts.beginDeviceFlow(for: grace.userId)
            try await wait(for: "both codes") { github.pauses.all.count == 2 }
            try await github.fixture.services.identity.accounts.remove(grace.userId, by: nil, from: Cast.desk)
            #expect(github.accounts.signIn(of: grace.userId) == .none)
            try await wait(for: "the end of her sign-in") { github.pauses.left == 1 }
            let services = github.services
            let work = Task { await services.gitHub.accounts.run() }
            work.cancel()
            await work.value
            #expect(github.pauses.left == 2)
            #expect(github.accounts.signIn(of: github.ada) == .none)
            #expect(github.requests(to: DeviceScript.token).isEmpty)
        }
    }
}
