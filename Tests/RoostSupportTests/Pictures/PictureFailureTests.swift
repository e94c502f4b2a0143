import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostSupport

/// A failed picture's reason, in the messages that all upstreams share.
@Suite struct PictureFailureTests {
    private func failure(_ answer: ScriptedUpstream.Response, closed: Bool = false) async throws
        -> PictureAPI.Failure?
    {
        let upstream = try ScriptedUpstream { _ in answer }
        let client = HTTPClient(userAgent: "Roost/test")
        defer {
            client.shutdown()
            if !closed { upstream.stop() }
        }
        let web = "http://127.0.0.1:\(upstream.port)"
        let host = GitHubHost(
            name: "github.com", apiURL: web, graphQLURL: web, webURL: web, isTrusted: true)
        let address = try #require(PictureAddress(web + "/u/1", from: host))
        if closed { upstream.stop() }
        do {
            _ = try await PictureAPI(client: client).picture(at: address)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a truncated answer, an outage and a missing network have their own messages`() async throws {
        #expect(try await failure(.init(hangsUp: true)) == .noAnswer(.interrupted))
        let outage = try await failure(.init(status: 503))
        #expect(outage?.error == .serverError(statusCode: 503) && outage?.retryAfter == 300)
        #expect(try await failure(.init(), closed: true)?.error == .networkUnavailable)
    }

    @Test(arguments: [APIError.timedOut, .interrupted, .untrusted, .networkUnavailable])
    func `each failure keeps its kind`(error: APIError) {
        #expect(PictureAPI.Failure.noAnswer(error).error == error)
    }

    @Test
    func `a file that is not a picture has a longer wait, and Roost's shutdown is not a network failure`() {
        #expect(PictureAPI.Failure.refused("status 404").retryAfter == 3_600)
        #expect(PictureAPI.Failure.cancelled.error == .interrupted)
    }
}
