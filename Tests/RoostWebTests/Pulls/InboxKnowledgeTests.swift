import RoostServices
import RoostWeb
import Testing

@Suite struct InboxKnowledgeTests {
    private static func signedOut() -> InboxSource {
        var source = PullSample.source(error: .unauthorized, updated: nil)
        source.authentication = .unauthenticated
        return source
    }

    private static let new = PullSample.source(updated: nil)
    private static let broken = PullSample.source(error: .networkUnavailable, updated: nil)

    @Test func `one account that has answered is enough, and none connected says nothing either`() {
        #expect(InboxKnowledge([]) == .known)
        #expect(InboxKnowledge([Self.broken, PullSample.source(error: .networkUnavailable)]) == .known)
    }

    @Test func `before the first answer it is asked, failed or signed out`() {
        #expect(InboxKnowledge([Self.new]) == .asking)
        #expect(InboxKnowledge([Self.new, Self.broken, Self.signedOut()]) == .asking)
        #expect(InboxKnowledge([Self.broken]) == .failed)
        #expect(InboxKnowledge([Self.broken, Self.signedOut()]) == .failed)
        #expect(InboxKnowledge([Self.signedOut()]) == .signedOut)
    }
}
