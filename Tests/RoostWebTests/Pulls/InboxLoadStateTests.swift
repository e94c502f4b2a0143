import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct InboxLoadStateTests {
    private static func signedOut() -> InboxSource {
        var source = PullSample.source(error: .unauthorized, updated: nil)
        source.authentication = .unauthenticated
        return source
    }

    private static let new = PullSample.source(updated: nil)
    private static let broken = PullSample.source(error: .networkUnavailable, updated: nil)

    @Test func `one loaded account is enough, and no account counts as loaded`() {
        #expect(InboxLoadState([]) == .loaded)
        #expect(InboxLoadState([Self.broken, PullSample.source(error: .networkUnavailable)]) == .loaded)
    }

    @Test func `before the first answer the state is loading, failed or signed out`() {
        #expect(InboxLoadState([Self.new]) == .loading)
        #expect(InboxLoadState([Self.new, Self.broken, Self.signedOut()]) == .loading)
        #expect(InboxLoadState([Self.broken]) == .failed)
        #expect(InboxLoadState([Self.broken, Self.signedOut()]) == .failed)
        #expect(InboxLoadState([Self.signedOut()]) == .signedOut)
    }
}
