import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RoostSupport

/// Holds the thread until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() { semaphore.wait() }

    func open() { semaphore.signal() }
}

@Suite struct SerialThreadTests {
    private static let full = RoostError.unavailable("Full.", retryAfter: 1)
    private let thread: SerialThread
    private let gate = Gate()
    private let time = Shared(ContinuousClock.now)

    init() {
        thread = SerialThread(waiting: 3, timeout: .seconds(15), full: Self.full) { [time] in time.value }
    }

    /// Holds the thread while this many others wait.
    private func fill(_ count: Int, _ seen: Shared<[Int]> = Shared([])) async throws -> [Task<Int, any Error>]
    {
        let (thread, gate) = (thread, gate)
        let isHeld = Shared(false)
        var tasks = [
            Task {
                try await thread.run {
                    isHeld.set(true)
                    gate.pass()
                    return 0
                }
            }
        ]
        try await wait(for: "the thread to be held") { isHeld.value }
        for number in 1...max(1, count) where count > 0 {
            tasks.append(
                Task {
                    try await thread.run {
                        seen.set(seen.value + [number])
                        return number
                    }
                })
            try await wait(for: "\(number) to wait") { thread.waiting == number }
        }
        return tasks
    }

    @Test func `work returns its result or its error`() async throws {
        let sum = try await thread.run { 1 + 1 }
        #expect(sum == 2)
        await #expect(throws: RoostError.notFound("x")) {
            try await thread.run { throw RoostError.notFound("x") }
        }
        thread.stop()
    }

    @Test func `work runs one at a time in the order of submission`() async throws {
        let seen = Shared<[Int]>([])
        let tasks = try await fill(3, seen)
        #expect(seen.value.isEmpty)
        gate.open()
        for (number, task) in tasks.enumerated() { #expect(try await task.value == number) }
        #expect(seen.value == [1, 2, 3])
        thread.stop()
    }

    @Test func `a full queue refuses work at once`() async throws {
        let tasks = try await fill(3)
        await #expect(throws: Self.full) { try await thread.run { 4 } }
        gate.open()
        for task in tasks { _ = try await task.value }
        let later = try await thread.run { 5 }
        #expect(later == 5)
        thread.stop()
    }

    @Test func `work that has waited too long fails without running`() async throws {
        let seen = Shared<[Int]>([])
        let tasks = try await fill(2, seen)
        time.set(time.value + .seconds(10))
        let (thread, time) = (thread, time)
        let late = Task { try await thread.run { 3 } }
        try await wait(for: "the third to wait") { thread.waiting == 3 }
        time.set(time.value + .seconds(6))
        gate.open()
        for task in tasks.dropFirst() { await #expect(throws: Self.full) { try await task.value } }
        #expect(try await late.value == 3)
        #expect(seen.value.isEmpty)
        #expect(try await thread.run { 4 } == 4)
        thread.stop()
    }

    @Test func `work cancelled while waiting leaves the queue and never runs`()
        async throws
    {
        let seen = Shared<[Int]>([])
        let tasks = try await fill(3, seen)
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        #expect(thread.waiting == 2)
        gate.open()
        _ = try await (tasks[1].value, tasks[3].value)
        #expect(seen.value == [1, 3])
        thread.stop()
    }

    @Test func `work cancelled before it is submitted never waits`() async throws {
        let tasks = try await fill(0)
        let (thread, isCancelled) = (thread, Shared(false))
        let late = Task {
            while !isCancelled.value { await Task.yield() }
            return try await thread.run { 1 }
        }
        late.cancel()
        isCancelled.set(true)
        await #expect(throws: CancellationError.self) { try await late.value }
        gate.open()
        _ = try await tasks[0].value
        thread.stop()
    }

    @Test func `stopping refuses waiting and later work`() async throws {
        let tasks = try await fill(2)
        thread.stop()
        for task in tasks.dropFirst() { await #expect(throws: RoostError.self) { try await task.value } }
        await #expect(throws: RoostError.self) { try await thread.run { 1 } }
        gate.open()
        #expect(try await tasks[0].value == 0)
        thread.stop()
    }

    @Test func `Swift's own threads continue while this thread is busy, and it has a lower priority`()
        async throws
    {
        let tasks = try await fill(1)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...200 {
                group.addTask {
                    await Task.yield()
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 20_100 && thread.waiting == 1)
        gate.open()
        _ = try await tasks[1].value
        let nice = try await thread.run { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
        #expect(nice >= 10)
        #expect(getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid())) < nice)
        thread.stop()
    }
}
