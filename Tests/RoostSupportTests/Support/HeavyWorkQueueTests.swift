import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RoostSupport

/// The names of started jobs, in order.
private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}

@Suite struct HeavyWorkQueueTests {
    private let queue: HeavyWorkQueue

    init() {
        var limits = HeavyWorkQueue.Limits()
        (limits.perUser, limits.total) = (3, 5)
        queue = HeavyWorkQueue(limits: limits)
    }

    /// A job that holds a thread until it is opened or cancelled, and records its start.
    private func hold(_ user: UserID, _ name: String, _ order: Names, until isOpen: Shared<Bool>)
        -> Task<String, any Error>
    {
        let queue = queue
        return Task {
            try await queue.run(for: user) {
                order.add(name)
                while !isOpen.value {
                    try Task.checkCancellation()
                    usleep(1_000)
                }
                return name
            }
        }
    }

    @Test func `a user has one job at a time, and others run next to it`() async throws {
        let (order, isOpen) = (Names(), Shared(false))
        let first = hold(1, "first", order, until: isOpen)
        try await wait(for: "the first to begin") { queue.running == 1 }
        let second = hold(1, "second", order, until: isOpen)
        try await wait(for: "the second to wait") { queue.waiting == 1 }
        let other = try await queue.run(for: 2) { "other" }
        #expect(other == "other" && queue.waiting == 1)
        #expect(order.all == ["first"])
        isOpen.set(true)
        _ = try await (first.value, second.value)
        #expect(order.all == ["first", "second"])
        #expect(queue.running == 0 && queue.waiting == 0)
    }

    @Test func `jobs run on their own threads with a lower priority`() async throws {
        let own = try await queue.run(for: 1) { await Self.niceness() }
        #expect(own >= 5)
        let after = await Self.niceness()
        #expect(after < own)
        let few = try await queue.run(for: 1, rows: HeavyWorkQueue.fewRows) { await Self.niceness() }
        #expect(few < own)
    }

    private static func niceness() async -> Int {
        await Task.yield()
        return Int(getpriority(Int32(PRIO_PROCESS.rawValue), 0))
    }

    @Test func `Swift's own threads continue while the queue is busy`() async throws {
        let (order, isOpen) = (Names(), Shared(false))
        let busy = [hold(1, "one", order, until: isOpen), hold(2, "two", order, until: isOpen)]
        try await wait(for: "both threads to be busy") { order.all.count == 2 }
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...200 {
                group.addTask {
                    await Task.yield()
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 20_100 && queue.running == 2)
        isOpen.set(true)
        for task in busy { _ = try await task.value }
    }

    @Test func `a user beyond their limit gets an error, and others do not`() async throws {
        let (order, isOpen) = (Names(), Shared(false))
        let tasks = (1...3).map { hold(1, "\($0)", order, until: isOpen) }
        try await wait(for: "two to wait") { queue.waiting == 2 }
        let refusal = await #expect(throws: RoostError.self) { try await queue.run(for: 1) { 1 } }
        guard case .unavailable(let why, .some) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(why.contains("try again"))
        let few = try await queue.run(for: 1, rows: 10) { 1 }
        let other = try await queue.run(for: 2) { 2 }
        #expect((few, other) == (1, 2))
        isOpen.set(true)
        for task in tasks { _ = try await task.value }
    }

    @Test func `beyond the total limit everyone is refused`() async throws {
        let (order, isOpen) = (Names(), Shared(false))
        let tasks = [1, 1, 2, 2, 3].map { hold($0, "\($0)", order, until: isOpen) }
        try await wait(for: "five jobs") { queue.waiting + queue.running == 5 }
        await #expect(throws: RoostError.self) { try await queue.run(for: 4) { 1 } }
        isOpen.set(true)
        for task in tasks { _ = try await task.value }
    }

    @Test func `cancelling removes a waiting job or ends a running one, and the next starts`()
        async throws
    {
        let (order, isOpen) = (Names(), Shared(false))
        let first = hold(1, "first", order, until: isOpen)
        try await wait(for: "the first to begin") { order.all == ["first"] }
        let second = hold(1, "second", order, until: isOpen)
        try await wait(for: "the second to wait") { queue.waiting == 1 }
        let third = hold(1, "third", order, until: isOpen)
        try await wait(for: "the third to wait") { queue.waiting == 2 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(queue.waiting == 1 && queue.running == 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await wait(for: "the third to begin") { order.all == ["first", "third"] }
        isOpen.set(true)
        #expect(try await third.value == "third")
    }
}
