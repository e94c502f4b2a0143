import Foundation
import TestSupport
import Testing

@testable import GitHub

/// Hostile answers: figures that overflow, texts of megabytes, lists of thousands of tiny items.
@Suite struct HostilePullTests {
    private static let maximum = "9223372036854775807"

    private func page(_ nodes: [String], total: Int? = nil) throws -> PullPage {
        let body = PullScript.answer([#""asked":\#(PullScript.page(nodes, total: total))"#])
        return try #require(try GraphQLPullResponse(Data(body.utf8), now: TestClock.start).pages["asked"])
    }

    private func pull(_ more: String) throws -> FetchedPull {
        try #require(try page([PullFixture.node(7).dropLast(1) + "," + more + "}"]).facts.first)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1"])
    func `invalid figures are dropped and not computed with`(figure: String) throws {
        let pull = try pull(
            #""additions":\#(figure),"deletions":1,"changedFiles":\#(figure),"totalCommentsCount":\#(figure)"#
        ).pull
        #expect(pull.additions == nil && pull.deletions == 1 && pull.size == nil)
        #expect(pull.changedFiles == nil && pull.comments == nil)
    }

    @Test func `totals over accounts and costs over pages do not overflow`()
        async throws
    {
        try await withPulls { fixture async throws in
            let second = PullScript()
            fixture.accounts.connect(2, to: second, for: fixture.user, host: "git.example.org")
            for script in [fixture.gitHub, second] {
                script.turn(graphQL: { query, variables in
                    let number = variables["a0"] == nil ? 1 : 2
                    let page = PullScript.page([PullFixture.node(number)], next: number == 1 ? "x" : nil)
                        .replacing(#""issueCount":1"#, with: #""issueCount":\#(Self.maximum)"#)
                    let fields = PullScript.aliases(query).map { #""\#($0.alias)":\#(page)"# }
                    return PullScript.answer(fields).replacing(
                        #""cost":24"#, with: #""cost":\#(Self.maximum)"#)
                })
            }
            await fixture.refresh()
            #expect(try await fixture.inbox.sources.allSatisfy { $0.error == nil && $0.updatedAt != nil })
            #expect(try await fixture.numbers("mentions").sorted() == [1, 1, 2, 2])
        }
    }

    @Test func `REST's total and comment counts do not overflow`() throws {
        let item = PullFixture.item(9).replacing(#""comments":2"#, with: #""comments":\#(Self.maximum)"#)
        let body = String(decoding: PullFixture.search([item]), as: UTF8.self)
            .replacing(#""total_count":1"#, with: #""total_count":\#(Self.maximum)"#)
        let page = try PullPage(rest: Data(body.utf8), now: TestClock.start)
        #expect(page.total == 0 && page.facts.first?.pull.comments == nil)
    }

    @Test func `a title of one endless character is cut, and read quickly`() async throws {
        let accents = "a" + String(repeating: "\u{316}\u{301}", count: 15_000)
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, title: accents, PullFixture.asks("ada")))
            await fixture.refresh()
            let title = try #require(try await fixture.item(1)?.pull.title)
            #expect(title.unicodeScalars.count == 1_024)
            var filter = InboxFilter()
            filter.text = "nest"
            let begin = ContinuousClock.now
            #expect(try await filter.applied(to: fixture.inbox).sections.first?.items.count == 1)
            #expect(ContinuousClock.now - begin < .seconds(1))
        }
    }

    @Test func `every list is capped at what GitHub returns at once`() throws {
        let labels = (0..<3_000).map { #"{"name":"l\#($0)"}"# }.joined(separator: ",")
        let comments = (0..<3_000).map { _ in PullFixture.comment("x", "2026-11-05T10:00:00Z") }
            .joined(separator: ",")
        let facts = try pull(#""labels":{"nodes":[\#(labels)]},"comments":{"nodes":[\#(comments)]}"#)
        #expect(facts.pull.labels.count == 100 && facts.comments.count == 100)
        #expect(try page((1...1_500).map { PullFixture.node($0) }).facts.count == 1_000)
        #expect(try page((1...5_000).map { "\($0)" }).refusals.count == 1_000)
        let item = PullFixture.item(9).replacing(#""labels":[]"#, with: #""labels":[\#(labels)]"#)
        let rest = try PullPage(rest: PullFixture.search([item]), now: TestClock.start)
        #expect(rest.facts.first?.pull.labels.count == 100)
    }

    @Test func `overlong avatar addresses and author names are dropped`() throws {
        let long = String(repeating: "a", count: 3_000)
        let facts = try pull(
            #""author":{"login":"bob","avatarUrl":"https://x.example/\#(long)"},"#
                + #""comments":{"nodes":[\#(PullFixture.comment(long, "2026-11-05T10:00:00Z"))]}"#)
        #expect(facts.pull.authorAvatarURL == nil && facts.comments.map(\.login) == ["ghost"])
    }

    @Test(arguments: ["..", "."])
    func `a name that a browser would resolve as a parent path is not a repository`(dots: String)
        throws
    {
        for name in ["\(dots)/x", "x/\(dots)"] {
            let page = try page([
                PullFixture.node(1).dropLast(1) + #","repository":{"nameWithOwner":"\#(name)"}}"#
            ])
            #expect(page.facts.isEmpty && page.refusals.count == 1)
        }
    }

    @Test func `errors beyond what GitHub reports are dropped`() throws {
        let errors = Array(repeating: "{}", count: 20_000).joined(separator: ",")
        let envelope = try GraphQLEnvelope(Data(#"{"errors":[\#(errors)]}"#.utf8), now: TestClock.start)
        #expect(envelope.problems.count == 5_000)
        #expect(envelope.isGraphQL)
    }
}
