import Foundation
import Synchronization
import TestSupport

@testable import GitHub
@testable import HTTPClient
@testable import RoostSupport

/// A picture cache with a scripted upstream, a folder and a clock.
final class PictureFixture: Sendable {
    let upstream: ScriptedUpstream
    let clock = TestClock()
    let feed = ChangeFeed()
    let folder: String
    private let maximumBytes: Int
    private let client = HTTPClient(userAgent: "Roost/test")
    private let state: Mutex<(cache: PictureCache, work: Task<Void, Never>?)>

    /// Runs the test with a cache that works or only records requests.
    static func with(
        maximumBytes: Int = 64 << 20, isRunning: Bool = true, _ body: (PictureFixture) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let fixture = try PictureFixture(in: folder + "/pictures", maximumBytes, isRunning)
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
            await fixture.end()
            try result.get()
        }
    }

    private init(in folder: String, _ maximumBytes: Int, _ isRunning: Bool) throws {
        self.folder = folder
        self.maximumBytes = maximumBytes
        try FileManager.default.createDirectory(
            atPath: URL(filePath: folder).deletingLastPathComponent().path, withIntermediateDirectories: true)
        upstream = try ScriptedUpstream { _ in .init(status: 404) }
        let cache = Self.cache(folder, maximumBytes, client, feed, clock)
        state = Mutex((cache, isRunning ? Task { await cache.run() } : nil))
    }

    private static func cache(
        _ folder: String, _ maximumBytes: Int, _ client: HTTPClient, _ feed: ChangeFeed, _ clock: TestClock
    ) -> PictureCache {
        PictureCache(
            folder: folder, maximumBytes: maximumBytes, api: PictureAPI(client: client), feed: feed,
            clock: clock.wallClock, log: LogCapture().logger)
    }

    var cache: PictureCache { state.withLock { $0.cache } }

    /// The upstream, as set by the operator.
    var host: GitHubHost { host(isTrusted: true) }
    /// The upstream, as named by a user.
    var stranger: GitHubHost { host(isTrusted: false) }

    private func host(isTrusted: Bool) -> GitHubHost {
        let web = "http://127.0.0.1:\(upstream.port)"
        return GitHubHost(
            name: "github.com", apiURL: upstream.url, graphQLURL: upstream.url, webURL: web,
            isTrusted: isTrusted)
    }

    func serve(_ bytes: [UInt8]) { upstream.turn { _ in .init(bytes: bytes) } }

    func address(_ path: String) -> String? { cache.address(of: upstream.url + path, from: host) }

    func picture(at address: String) async -> PictureCache.Picture? {
        await cache.picture(named: String(address.dropFirst("/pictures/".count)))
    }

    /// Waits for a picture and returns its address.
    func fetched(_ path: String) async throws -> String {
        try await wait(for: "the picture \(path)") { address(path) != nil }
        return address(path) ?? ""
    }

    /// Waits until the upstream has had this many requests and the cache is idle.
    func settled(after count: Int) async throws {
        try await wait(for: "\(count) requests") { upstream.requests.count >= count && cache.isIdle }
    }

    /// Another run over the same folder.
    func restart() async throws {
        await stop()
        let cache = Self.cache(folder, maximumBytes, client, feed, clock)
        await cache.load()
        let work = Task { await cache.run() }
        state.withLock { $0 = (cache, work) }
    }

    private func stop() async {
        let work = state.withLock { $0.work }
        work?.cancel()
        await work?.value
    }

    private func end() async {
        await stop()
        upstream.stop()
        client.shutdown()
    }
}
