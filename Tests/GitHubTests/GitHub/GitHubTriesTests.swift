import Foundation
import TestSupport
import Testing

@Suite struct GitHubTriesTests {
    @Test func `a user can try to connect sixty times within ten minutes`() async throws {
        try await withGitHub { github in
            github.script.set("/api/v3/user") { _ in .init(status: 401) }
            for _ in 0..<60 { _ = await refusal { try await github.connect() } }
            let requestCount = github.requests(to: "/api/v3/user").count
            guard case .tooMany = await refusal({ try await github.connect() }) else {
                return #expect(Bool(false), "it is tried")
            }
            #expect(requestCount == 60 && github.requests(to: "/api/v3/user").count == 60)
            github.clock.advance(601)
            _ = await refusal { try await github.connect() }
            #expect(github.requests(to: "/api/v3/user").count == 61)
        }
    }
}
