import Glibc
import Synchronization
import Testing

@testable import RoostSupport

/// What has begun, in its order.
private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}

@Suite struct HeavyWorkQueueTests {
    private let queue: HeavyWorkQueue

    init() {
        var limits = HeavyWorkQueue.Limits()
        (limits.ofOneUser, limits.together) = (3, 5)
        queue = HeavyWorkQueue(limits: limits)
    }

    /// Work that holds a thread until it is opened or cancelled, and notes that it has begun.
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

    @Test func `a user has one work at a time, and others go on beside it`() async throws {
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

    @Test func `it runs on threads of its own that give way to others`() async throws {
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

    @Test func `while it is busy Swift's own threads go on`() async throws {
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

    @Test func `past a user's limit he is told so in words, and others are not`() async throws {
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

    @Test func `past the limit of all together everybody is refused`() async throws {
        let (order, isOpen) = (Names(), Shared(false))
        let tasks = [1, 1, 2, 2, 3].map { hold($0, "\($0)", order, until: isOpen) }
        try await wait(for: "five to be there") { queue.waiting + queue.running == 5 }
        await #expect(throws: RoostError.self) { try await queue.run(for: 4) { 1 } }
        isOpen.set(true)
        for task in tasks { _ = try await task.value }
    }

    @Test func `whoever is cancelled leaves the queue or ends his work, and the next has his turn`()
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
