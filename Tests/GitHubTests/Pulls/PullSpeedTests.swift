import Foundation
import Glibc
import Testing

@testable import GitHub

/// The cost of one refresh of 200 pull requests: under 50 ms of CPU in a release build.
@Suite(.serialized) struct PullSpeedTests {
    /// A node with as much content as a busy pull request.
    private static func busy(_ number: Int) -> String {
        let comments = (0..<10).map {
            PullFixture.comment($0 % 2 == 0 ? "ada" : "grace", "2026-11-0\($0 % 9 + 1)T10:00:00Z")
        }
        let reviews = (0..<8).map {
            #"{"state":"COMMENTED","submittedAt":"2026-11-05T10:00:0\#($0)Z","author":{"__typename":"User","login":"r\#($0)"}}"#
        }
        let threads = (0..<12).map { #"{"isResolved":\#($0 % 3 == 0)}"# }
        let threadNodes = (0..<6).map { _ in
            #"{"isResolved":false,"comments":{"nodes":[\#(comments.prefix(4).joined(separator: ","))]}}"#
        }
        return PullFixture.node(
            number, title: "Tidy the perch \\u00e9 and \\\"more\\\"", PullFixture.asks("ada"),
            #""headRefOid":"0123456789012345678901234567890123456789","mergeable":"MERGEABLE""#,
            #""statusCheckRollup":{"state":"SUCCESS"},"reviewDecision":"REVIEW_REQUIRED""#,
            #""additions":12,"deletions":3,"changedFiles":2,"totalCommentsCount":22"#,
            #""labels":{"nodes":[{"name":"bug","color":"d73a4a"},{"name":"help wanted","color":"008672"}]}"#,
            #""comments":{"nodes":[\#(comments.joined(separator: ","))]}"#,
            #""reviews":{"nodes":[\#(reviews.joined(separator: ","))]}"#,
            #""reviewThreads":{"totalCount":12,"nodes":[\#(threads.joined(separator: ","))]}"#,
            #""threads":{"nodes":[\#(threadNodes.joined(separator: ","))]}"#,
            #""commits":{"nodes":[{"commit":{"committedDate":"2026-11-05T10:00:00Z","statusCheckRollup":{"contexts":{"checkRunCountsByState":[{"state":"SUCCESS","count":9}]}}}}]}"#
        )
    }

    private static func cpu() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    @Test func `one refresh of 200 pull requests takes little CPU time`() async throws {
        let nodes = (1...200).map(Self.busy)
        let finding: [PullSearch] = [.reviewRequested, .reviewed, .commented, .yours]
        let body = PullScript.answer(
            PullSearch.standard.map { search in
                let index = finding.firstIndex(of: search)
                let part = index.map { nodes[($0 * 50)..<($0 * 50 + 50)] } ?? []
                return #""\#(search.alias)":\#(PullScript.page(Array(part)))"#
            })
        try await withPulls { fixture in
            fixture.gitHub.turn(graphQL: { _, _ in body })
            await fixture.refresh()
            #expect(try await Set(fixture.inbox.sections.flatMap(\.items).map(\.key)).count == 200)
            var best = Double.infinity
            for _ in 0..<5 {
                fixture.clock.advance(60)
                let start = Self.cpu()
                await fixture.refresh()
                _ = try await fixture.inbox
                best = min(best, Self.cpu() - start)
            }
            print("A refresh of 200 pull requests, \(body.utf8.count) bytes: \(Int(best * 1_000)) ms of CPU")
            #if DEBUG
                #expect(best < 2)
            #else
                #expect(best < 0.05)
            #endif
        }
    }
}
