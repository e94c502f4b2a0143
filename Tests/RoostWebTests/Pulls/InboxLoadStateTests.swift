import Testing

@testable import GitHub
@testable import RoostWeb

@Suite struct InboxLoadStateTests {
    private static func signedOut() -> InboxSource {
        var source = PullSample.source(error: .unauthorized, updated: nil)
        source.authentication = .unauthenticated
        return source
    }

    private static let new = PullSample.source(updated: nil)
    private static let broken = PullSample.source(error: .networkUnavailable, updated: nil)

    @Test func `one account that has answered is enough, and none connected says nothing either`() {
        #expect(InboxLoadState([]) == .known)
        #expect(InboxLoadState([Self.broken, PullSample.source(error: .networkUnavailable)]) == .known)
    }

    @Test func `before the first answer it is asked, failed or signed out`() {
        #expect(InboxLoadState([Self.new]) == .asking)
        #expect(InboxLoadState([Self.new, Self.broken, Self.signedOut()]) == .asking)
        #expect(InboxLoadState([Self.broken]) == .failed)
        #expect(InboxLoadState([Self.broken, Self.signedOut()]) == .failed)
        #expect(InboxLoadState([Self.signedOut()]) == .signedOut)
    }
}
