import RoostServices
import Testing

@Suite(.timeLimit(.minutes(1))) struct WakeUpTests {
    /// Longer than any test may take: a wait that comes to its end has failed.
    private let forever = Duration.seconds(3_600)

    @Test func `a ring wakes the sleeper before its time`() async {
        let bell = WakeUp()
        let sleeper = Task { await bell.wait(atMost: forever) }
        await Task.yield()
        bell.ring()
        await sleeper.value
    }

    @Test func `a ring wakes a sleeper that has no time of its own`() async {
        let bell = WakeUp()
        let sleeper = Task { await bell.wait() }
        await Task.yield()
        bell.ring()
        await sleeper.value
    }

    @Test func `a ring that nobody heard wakes the next sleeper at once, and only that one`() async {
        let bell = WakeUp()
        bell.ring()
        bell.ring()
        await bell.wait(atMost: forever)
        let start = ContinuousClock.now
        await bell.wait(atMost: .milliseconds(60))
        #expect(ContinuousClock.now - start >= .milliseconds(60))
    }

    @Test func `without a ring the sleep lasts as long as asked`() async {
        let start = ContinuousClock.now
        await WakeUp().wait(atMost: .milliseconds(40))
        #expect(ContinuousClock.now - start >= .milliseconds(40))
    }

    @Test(arguments: [nil, Duration.seconds(3_600)])
    func `a cancelled task stops sleeping`(limit: Duration?) async {
        let bell = WakeUp()
        let sleeper = Task { await bell.wait(atMost: limit) }
        await Task.yield()
        sleeper.cancel()
        await sleeper.value
    }

    @Test func `no ring is lost among a thousand`() async {
        let bell = WakeUp()
        for _ in 0..<1_000 {
            let ringer = Task { bell.ring() }
            await bell.wait(atMost: forever)
            await ringer.value
        }
    }
}
