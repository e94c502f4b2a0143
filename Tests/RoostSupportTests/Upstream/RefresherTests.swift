import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(1))) struct RefresherTests {
    private struct Failure: UpstreamFailure {
        var error = APIError.networkUnavailable
        var retryAfter: Double?
    }

    /// An upstream that records its requests and answers as set.
    private final class Source: RefreshSource {
        let asked = Mutex<[String]>([])
        let ends = Mutex<[String]>([])
        let answer: @Sendable (String) async throws -> RefreshOutcome

        init(_ answer: @escaping @Sendable (String) async throws -> RefreshOutcome = { _ in .done }) {
            self.answer = answer
        }

        var keys: [String] { asked.withLock { $0 } }
        func refresh(_ key: String) async throws -> RefreshOutcome {
            asked.withLock { $0.append(key) }
            return try await answer(key)
        }
        func ended(_ key: String, _ failure: (any UpstreamFailure)?) {
            ends.withLock { $0.append(failure == nil ? key : "\(key) failed") }
        }
    }

    private let clock = TestClock()

    private func refresher(
        capacity: Int = 10_000,
        mayStart: @escaping @Sendable (String, _ running: [String]) -> Bool = { _, _ in true }
    ) -> Refresher<String> {
        Refresher(
            clock: clock.wallClock, backoff: Backoff(initial: .seconds(10), maximum: .seconds(60)),
            capacity: capacity,
            mayStart: mayStart)
    }

    /// Runs until idle and returns the number of requests.
    private func count(_ refresher: Refresher<String>, _ source: Source) async -> Int {
        let before = source.keys.count
        await refresher.runUntilIdle(source)
        return source.keys.count - before
    }

    @Test func `a job runs once, however many callers request it`() async {
        let (refresher, source) = (refresher(), Source())
        #expect(refresher.request("a"))
        #expect(!refresher.request("a"))
        #expect(refresher.waiting == 1 && !refresher.isIdle)
        #expect(await count(refresher, source) == 1)
        #expect(refresher.isIdle && source.ends.withLock { $0 } == ["a"])
    }

    @Test func `a job starts only after the minimum interval since another one ended`() async {
        let source = Source { _ in .again(after: .seconds(0.5), unwatched: .seconds(0.5)) }
        let refresher = Refresher<String>(
            clock: clock.wallClock, backoff: Backoff(initial: .seconds(10), maximum: .seconds(60)),
            minimumInterval: .seconds(2))
        for key in ["a", "b"] { refresher.keep(key) }
        for seconds in [0.0, 1, 1, 1, 1] {
            clock.advance(seconds)
            await refresher.runUntilIdle(source)
        }
        #expect(source.keys == ["a", "b", "a"])
    }

    @Test func `an upstream's requested wait is limited to the allowed maximum`() {
        let backoff = Backoff(
            initial: .seconds(10), maximum: .seconds(60), maximumRequested: .seconds(86_400))
        let failure = Failure(
            error: .rateLimited(resetDate: clock.now + 7 * 86_400), retryAfter: 7 * 86_400)
        #expect(backoff.delay(failures: 1, failure: failure, jitter: 1, at: clock.now) == .seconds(86_400))
    }

    @Test func `a running job is not started again, and callers wait for its result`() async throws {
        let isOpen = Shared(false)
        let source = Source { _ in
            while !isOpen.value { try await Task.sleep(for: .milliseconds(1)) }
            return .done
        }
        let refresher = refresher()
        let run = Task { await refresher.run(source) }
        refresher.request("a")
        try await wait(for: "the request") { source.keys == ["a"] }
        #expect(refresher.status(of: "a").isRunning)
        #expect(!refresher.request("a"))
        let isOver = Shared(false)
        let waiting = Task {
            // On a busy machine this task may start after the job has ended.
            await refresher.perform("a", source, ifDue: true)
            isOver.set(true)
        }
        await Task.yield()
        #expect(!isOver.value)
        isOpen.set(true)
        await waiting.value
        try await wait(for: "the end of the job") { refresher.isIdle }
        #expect(source.keys == ["a"])
        run.cancel()
        await run.value
    }

    @Test func `clicks come before visible jobs, those before background jobs, and then the oldest`()
        async
    {
        let (refresher, source) = (refresher(), Source())
        refresher.request("old")
        refresher.request("new")
        refresher.request("seen", .visible)
        refresher.request("clicked", .click)
        #expect(await count(refresher, source) == 4)
        #expect(source.keys == ["clicked", "seen", "old", "new"])
    }

    @Test func `jobs that exclude each other run one after the other`() async throws {
        let isOpen = Shared(false)
        let source = Source { _ in
            while !isOpen.value { try await Task.sleep(for: .milliseconds(1)) }
            return .done
        }
        let refresher = refresher { _, running in running.count < 2 }
        let run = Task { await refresher.run(source) }
        for key in ["a", "b", "c"] { refresher.request(key) }
        try await wait(for: "two jobs") { source.keys.count == 2 }
        try await Task.sleep(for: .milliseconds(20))
        #expect(source.keys == ["a", "b"] && refresher.waiting == 1)
        isOpen.set(true)
        try await wait(for: "the third job") { source.keys.count == 3 && refresher.isIdle }
        run.cancel()
        await run.value
    }

    @Test func `a watched job is refreshed only while someone looks`() async {
        let (refresher, source) = (refresher(), Source { _ in .again(after: .seconds(30)) })
        refresher.watch("a", for: .seconds(45))
        #expect(await count(refresher, source) == 1)
        #expect(await count(refresher, source) == 0)
        #expect(refresher.status(of: "a").nextTryAt == clock.steady + .seconds(30))
        clock.advance(30)
        #expect(await count(refresher, source) == 1)
        clock.advance(30)
        #expect(!refresher.isWatched("a"))
        #expect(await count(refresher, source) == 0)
        refresher.watch("a", for: .seconds(45))
        #expect(await count(refresher, source) == 1)
    }

    @Test func `a kept job is refreshed less often while no one looks`() async {
        let (refresher, source) = (
            refresher(), Source { _ in .again(after: .seconds(60), unwatched: .seconds(600)) }
        )
        refresher.keep("a")
        #expect(await count(refresher, source) == 1)
        clock.advance(599)
        #expect(await count(refresher, source) == 0)
        refresher.watch("a", for: .seconds(10))
        #expect(await count(refresher, source) == 1)
        clock.advance(600)
        #expect(await count(refresher, source) == 1)
        refresher.forget("a")
        clock.advance(6_000)
        #expect(await count(refresher, source) == 0)
    }

    @Test func `a kept job does not start before its time`() async {
        let (refresher, source) = (
            refresher(), Source { _ in .again(after: .seconds(60), unwatched: .seconds(60)) }
        )
        refresher.keep("a", notBefore: clock.steady + .seconds(3))
        #expect(refresher.status(of: "a").nextTryAt == clock.steady + .seconds(3))
        #expect(await count(refresher, source) == 0)
        clock.advance(3)
        #expect(await count(refresher, source) == 1)
        #expect(refresher.status(of: "a").nextTryAt == clock.steady + .seconds(60))
    }

    @Test func `a postponed job runs later with the same priority and is not a failure`() async {
        let until = Shared<ContinuousClock.Instant?>(clock.steady + .seconds(20))
        let (refresher, isClicked) = (refresher(), Shared(false))
        let source = Source { [refresher] key in
            isClicked.set(refresher.status(of: key).isClicked)
            return until.value.map { .postponed(until: $0) } ?? .done
        }
        refresher.request("a", .click)
        #expect(await count(refresher, source) == 1)
        let status = refresher.status(of: "a")
        #expect(status.failures == 0 && status.failure == nil && source.ends.withLock { $0 }.isEmpty)
        #expect(
            status.nextTryAt == clock.steady + .seconds(20)
                && status.blockedUntil == clock.steady + .seconds(20))
        until.set(nil)
        refresher.request("a", .click)
        clock.advance(19)
        #expect(await count(refresher, source) == 0)
        clock.advance(1)
        #expect(await count(refresher, source) == 1)
        #expect(isClicked.value && refresher.isIdle && source.ends.withLock { $0 } == ["a"])
    }

    @Test func `repeated failures are retried less and less often, with jitter`() async {
        let (refresher, source) = (refresher(), Source { _ in throw Failure() })
        refresher.watch("a", for: .seconds(10_000))
        for wait in [10.0, 20, 40, 60, 60] {
            #expect(await count(refresher, source) == 1)
            clock.advance(wait * 0.79)
            #expect(await count(refresher, source) == 0)
            clock.advance(wait * 0.42)
        }
        #expect(refresher.status(of: "a").failures == 5)
        #expect(refresher.status(of: "a").error == .networkUnavailable)
        #expect(source.ends.withLock { $0 } == Array(repeating: "a failed", count: 5))
    }

    @Test func `a failed, unwatched job runs again only when it is requested after its back-off`() async {
        let (refresher, source) = (refresher(), Source { _ in throw Failure() })
        refresher.request("a")
        #expect(await count(refresher, source) == 1)
        #expect(!refresher.request("a") && refresher.isIdle)
        clock.advance(13)
        #expect(await count(refresher, source) == 0)
        #expect(refresher.request("a"))
        #expect(await count(refresher, source) == 1)
    }

    @Test func `a success resets the failure count`() async {
        let fails = Shared(true)
        let (refresher, source) = (
            refresher(),
            Source { _ in if fails.value { throw Failure() } else { .again(after: .seconds(60)) } }
        )
        refresher.watch("a", for: .seconds(1_000))
        #expect(await count(refresher, source) == 1)
        fails.set(false)
        clock.advance(13)
        #expect(await count(refresher, source) == 1)
        #expect(refresher.status(of: "a").failures == 0 && refresher.status(of: "a").failure == nil)
        #expect(refresher.status(of: "a").nextTryAt == clock.steady + .seconds(60))
    }

    @Test(arguments: [
        Failure(error: .serverError(statusCode: 503), retryAfter: 200),
        Failure(error: .rateLimited(resetDate: TestClock.start + 200)),
    ])
    private func `even a click respects the wait that an upstream requested`(failure: Failure) async {
        let (refresher, source) = (refresher(), Source { _ in throw failure })
        refresher.watch("a", for: .seconds(1_000))
        #expect(await count(refresher, source) == 1)
        #expect(refresher.status(of: "a").blockedUntil == clock.steady + .seconds(200))
        clock.advance(199)
        refresher.request("a", .click)
        #expect(await count(refresher, source) == 0)
        clock.advance(1)
        #expect(await count(refresher, source) == 1)
    }

    @Test func `a click ends Roost's own back-off`() async {
        let (refresher, source) = (refresher(), Source { _ in throw Failure() })
        refresher.watch("a", for: .seconds(1_000))
        #expect(await count(refresher, source) == 1)
        refresher.request("a", .click, notBefore: clock.steady + .seconds(2))
        #expect(await count(refresher, source) == 0)
        clock.advance(2)
        #expect(await count(refresher, source) == 1)
    }

    @Test func `a clock change does not alter a wait`() async {
        let limit = Failure(error: .rateLimited(resetDate: TestClock.start + 200))
        let (refresher, source) = (refresher(), Source { _ in throw limit })
        refresher.watch("a", for: .seconds(1_000))
        #expect(await count(refresher, source) == 1)
        clock.jump(86_400)
        #expect(refresher.status(of: "a").error == .rateLimited(resetDate: clock.now + 200))
        #expect(await count(refresher, source) == 0)
        clock.advance(200)
        #expect(await count(refresher, source) == 1)
    }

    @Test func `stopping cancels the running job, which is not a failure`() async throws {
        let source = Source { _ in
            try await Task.sleep(for: .seconds(100))
            return .done
        }
        let refresher = refresher()
        let run = Task { await refresher.run(source) }
        refresher.request("a")
        try await wait(for: "the request") { source.keys == ["a"] }
        run.cancel()
        await run.value
        #expect(refresher.status(of: "a").failures == 0 && refresher.waiting == 1)
        #expect(source.ends.withLock { $0 }.isEmpty)
    }

    @Test func `a result for a forgotten job changes nothing`() async throws {
        let isOpen = Shared(false)
        let source = Source { _ in
            while !isOpen.value { try await Task.sleep(for: .milliseconds(1)) }
            throw Failure()
        }
        let refresher = refresher()
        refresher.keep("a")
        let run = Task { await refresher.run(source) }
        try await wait(for: "the request") { source.keys == ["a"] }
        refresher.forget("a")
        refresher.keep("a")
        try await wait(for: "the next request") { source.keys == ["a", "a"] }
        refresher.forget("a")
        isOpen.set(true)
        try await wait(for: "the end of both jobs") { refresher.isIdle }
        #expect(source.ends.withLock { $0 }.isEmpty && refresher.status(of: "a").failure == nil)
        run.cancel()
        await run.value
    }

    @Test func `a job that has just ended is not repeated for callers who waited for it`()
        async
    {
        let source = Source { _ in .done }
        let refresher = refresher()
        refresher.request("a")
        await refresher.perform("a", source, ifDue: true)
        await refresher.perform("a", source, ifDue: true)
        #expect(source.keys == ["a"])
        await refresher.perform("a", source)
        #expect(source.keys == ["a", "a"])
    }

    @Test func `callers waiting for a forgotten job are released`() async throws {
        let (isOpen, isFirst) = (Shared(false), Shared(true))
        let source = Source { _ in
            guard isFirst.value else { return .done }
            isFirst.set(false)
            while !isOpen.value { try await Task.sleep(for: .milliseconds(1)) }
            return .done
        }
        let refresher = refresher()
        let first = Task { await refresher.perform("a", source) }
        try await wait(for: "the request") { source.keys == ["a"] }
        let second = Task { await refresher.perform("a", source) }
        refresher.request("b")
        refresher.forget { $0 == "a" }
        await second.value
        #expect(refresher.waiting == 1)
        isOpen.set(true)
        await first.value
    }

    @Test func `a job remembers a click until it ends`() async {
        let isClicked = Shared<Bool?>(nil)
        let refresher = refresher()
        let source = Source { [refresher] key in
            isClicked.set(refresher.status(of: key).isClicked)
            throw Failure()
        }
        refresher.watch("a", for: .seconds(1_000))
        #expect(await count(refresher, source) == 1)
        #expect(isClicked.value == false)
        refresher.request("a", .click)
        #expect(await count(refresher, source) == 1)
        #expect(isClicked.value == true && !refresher.status(of: "a").isClicked)
    }

    @Test func `a job can be brought forward, but not before its back-off ends`() async {
        let fails = Shared(false)
        let (refresher, source) = (
            refresher(),
            Source { _ in if fails.value { throw Failure() } else { .again(after: .seconds(60)) } }
        )
        refresher.watch("a", for: .seconds(1_000))
        #expect(await count(refresher, source) == 1)
        refresher.advance("a", to: clock.steady + .seconds(5))
        clock.advance(5)
        fails.set(true)
        #expect(await count(refresher, source) == 1)
        refresher.advance("a", to: clock.steady)
        #expect(await count(refresher, source) == 0)
    }

    @Test func `the number of jobs is limited, and jobs that no one needs are dropped first`() async {
        let (refresher, source) = (refresher(capacity: 3), Source { _ in throw Failure() })
        for key in ["a", "b", "c"] { #expect(refresher.request(key)) }
        #expect(!refresher.request("d"))
        #expect(await count(refresher, source) == 3)
        #expect(refresher.request("d"))
        #expect(!refresher.request("e", room: 1))
        #expect(refresher.waiting == 1)
    }
}
