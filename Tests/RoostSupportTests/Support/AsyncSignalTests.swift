import Synchronization
import TestSupport
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(1))) struct AsyncSignalTests {
    /// Longer than any test may take: a wait that reaches its end has failed.
    private let forever = Duration.seconds(3_600)

    @Test func `firing wakes the sleeper early`() async {
        let signal = AsyncSignal()
        let sleeper = Task { await signal.wait(atMost: forever) }
        await Task.yield()
        signal.fire()
        await sleeper.value
    }

    @Test func `firing wakes a sleeper without a time limit`() async {
        let signal = AsyncSignal()
        let sleeper = Task { await signal.wait() }
        await Task.yield()
        signal.fire()
        await sleeper.value
    }

    @Test func `firing without a sleeper wakes the next one at once, and only that one`() async {
        let signal = AsyncSignal()
        signal.fire()
        signal.fire()
        await signal.wait(atMost: forever)
        let start = ContinuousClock.now
        await signal.wait(atMost: .milliseconds(60))
        #expect(ContinuousClock.now - start >= .milliseconds(60))
    }

    @Test func `without firing the sleep lasts its full time`() async {
        let start = ContinuousClock.now
        await AsyncSignal().wait(atMost: .milliseconds(40))
        #expect(ContinuousClock.now - start >= .milliseconds(40))
    }

    @Test(arguments: [nil, Duration.seconds(3_600)])
    func `a cancelled task stops sleeping`(limit: Duration?) async {
        let signal = AsyncSignal()
        let sleeper = Task { await signal.wait(atMost: limit) }
        await Task.yield()
        sleeper.cancel()
        await sleeper.value
    }

    @Test func `none of a thousand firings is lost`() async {
        let signal = AsyncSignal()
        for _ in 0..<1_000 {
            let ringer = Task { signal.fire() }
            await signal.wait(atMost: forever)
            await ringer.value
        }
    }

    @Test func `no sleeper is lost when another one starts`() async {
        let signal = AsyncSignal()
        let sleepers = (0..<3).map { _ in Task { await signal.wait() } }
        for _ in 0..<100 { await Task.yield() }
        for sleeper in sleepers {
            // A sleeper that starts after a firing is woken by the next one.
            let ringer = Task {
                while !Task.isCancelled {
                    signal.fire()
                    await Task.yield()
                }
            }
            await sleeper.value
            ringer.cancel()
            await ringer.value
        }
    }

    @Test func `cancelling one sleeper leaves the other asleep until it is woken`() async {
        let signal = AsyncSignal()
        let woken = Mutex(false)
        let sleeper = Task {
            await signal.wait()
            woken.withLock { $0 = true }
        }
        let other = Task { await signal.wait() }
        for _ in 0..<100 { await Task.yield() }
        other.cancel()
        await other.value
        #expect(!woken.withLock { $0 })
        signal.fire()
        await sleeper.value
    }
}
