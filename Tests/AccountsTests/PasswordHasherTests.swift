import Glibc
import TestSupport
import Testing

@testable import Accounts
@testable import RoostSupport

@Suite struct PasswordHasherTests {
    private static let cheap = PasswordCost(rounds: 16, blockSize: 8, parallelism: 1)
    private let hasher = PasswordHasher(cost: cheap)

    @Test(arguments: [nil, "", "plain", "scrypt$16$8$1$AAAA$AAAA$nfkc"])
    func `without a hash no password matches`(stored: String?) async throws {
        for password in ["", "correct horse battery"] {
            let check = try await hasher.check(password, against: stored)
            #expect(check == PasswordCheck(isCorrect: false, newHash: nil))
        }
    }

    @Test func `a correct password returns a new hash when the cost has risen`() async throws {
        let old = try await hasher.hash("correct horse battery")
        let dearer = PasswordHasher(cost: PasswordCost(rounds: 32, blockSize: 8, parallelism: 1))
        let check = try await dearer.check("correct horse battery", against: old)
        let new = try #require(check.newHash)
        #expect(check.isCorrect && new.hasPrefix("scrypt$32$8$1$"))
        let again = try await dearer.check("correct horse battery", against: new)
        #expect(again == PasswordCheck(isCorrect: true, newHash: nil))
        let wrong = try await dearer.check("correct horse batterY", against: old)
        #expect(wrong == PasswordCheck(isCorrect: false, newHash: nil))
        let checkAtLowerCost = try await hasher.check("correct horse battery", against: new)
        #expect(checkAtLowerCost == PasswordCheck(isCorrect: true, newHash: nil))
    }

    @Test func `an impossible password is rejected without hashing`() async throws {
        let long = String(repeating: "x", count: 4_097)
        let hash = try Password.hash(long, cost: Self.cheap)
        let check = try await hasher.check(long, against: hash)
        #expect(!check.isCorrect)
    }

    /// Timing reveals nothing. The test compares processor time, which other programs do not lengthen.
    @Test func `checking an unknown name takes as long as a wrong password`() async throws {
        let hasher = PasswordHasher(cost: PasswordCost(rounds: 2_048, blockSize: 8, parallelism: 1))
        let hash = try await hasher.hash("correct horse battery")
        let wrong = try await minimumTime { _ = try await hasher.check("something else", against: hash) }
        for unknown in [nil, "no hash"] {
            let unknownUser = try await minimumTime {
                _ = try await hasher.check("something else", against: unknown)
            }
            #expect(unknownUser > wrong / 2 && unknownUser < wrong * 2)
        }
    }

    private func minimumTime(_ body: () async throws -> Void) async throws -> clock_t {
        var times: [clock_t] = []
        for _ in 0..<5 {
            let start = clock()
            try await body()
            times.append(clock() - start)
        }
        return times.min() ?? 0
    }

    @Test func `a full hasher says when to try again`() async throws {
        let hasher = PasswordHasher(cost: Self.cheap, waiting: 0)
        let error = await #expect(throws: RoostError.self) { try await hasher.hash("correct horse battery") }
        #expect(
            error == .unavailable("Too many people are signing in. Try again in a moment.", retryAfter: 1))
    }

    @Test func `a stopped hasher hashes nothing`() async throws {
        hasher.stop()
        await #expect(throws: RoostError.self) { try await hasher.hash("correct horse battery") }
        await #expect(throws: RoostError.self) { try await hasher.check("x", against: nil) }
    }
}
