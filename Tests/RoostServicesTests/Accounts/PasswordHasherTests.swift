import Glibc
import Testing

@testable import Accounts
@testable import RoostSupport

@Suite struct PasswordHasherTests {
    private static let cheap = PasswordCost(rounds: 16, blockSize: 8, parallelism: 1)
    private let hasher = PasswordHasher(cost: cheap)

    @Test func `a password is right against its hash, and wrong against every other`() async throws {
        let hash = try await hasher.hash("correct horse battery")
        #expect(hash.hasPrefix("scrypt$16$8$1$"))
        let right = try await hasher.check("correct horse battery", against: hash)
        #expect(right == PasswordCheck(isRight: true, newHash: nil))
        let wrong = try await hasher.check("correct horse batterY", against: hash)
        #expect(wrong == PasswordCheck(isRight: false, newHash: nil))
    }

    @Test(arguments: [nil, "", "plain", "scrypt$16$8$1$AAAA$AAAA$nfkc"])
    func `without a hash nothing is right`(stored: String?) async throws {
        for password in ["", "correct horse battery"] {
            let check = try await hasher.check(password, against: stored)
            #expect(check == PasswordCheck(isRight: false, newHash: nil))
        }
    }

    @Test func `a right password brings a new hash when the cost has risen`() async throws {
        let old = try await hasher.hash("correct horse battery")
        let dearer = PasswordHasher(cost: PasswordCost(rounds: 32, blockSize: 8, parallelism: 1))
        let check = try await dearer.check("correct horse battery", against: old)
        let new = try #require(check.newHash)
        #expect(check.isRight && new.hasPrefix("scrypt$32$8$1$"))
        let again = try await dearer.check("correct horse battery", against: new)
        #expect(again == PasswordCheck(isRight: true, newHash: nil))
        let wrong = try await dearer.check("correct horse batterY", against: old)
        #expect(wrong == PasswordCheck(isRight: false, newHash: nil))
        let back = try await hasher.check("correct horse battery", against: new)
        #expect(back == PasswordCheck(isRight: true, newHash: nil))
    }

    @Test func `what nobody can have as a password is wrong without being looked at`() async throws {
        let long = String(repeating: "x", count: 4_097)
        let hash = try Password.hash(long, cost: Self.cheap)
        let check = try await hasher.check(long, against: hash)
        #expect(!check.isRight)
    }

    /// Whoever measures learns nothing. Compared is the processor's time, which other programs do not
    /// lengthen.
    @Test func `a name that nobody has takes as long as a wrong password`() async throws {
        let hasher = PasswordHasher(cost: PasswordCost(rounds: 2_048, blockSize: 8, parallelism: 1))
        let hash = try await hasher.hash("correct horse battery")
        let wrong = try await minimumLength { _ = try await hasher.check("something else", against: hash) }
        for unknown in [nil, "no hash"] {
            let nobody = try await minimumLength {
                _ = try await hasher.check("something else", against: unknown)
            }
            #expect(nobody > wrong / 2 && nobody < wrong * 2)
        }
    }

    private func minimumLength(_ body: () async throws -> Void) async throws -> clock_t {
        var times: [clock_t] = []
        for _ in 0..<5 {
            let start = clock()
            try await body()
            times.append(clock() - start)
        }
        return times.min() ?? 0
    }

    @Test func `a hasher without room for anybody says when to come back`() async throws {
        let hasher = PasswordHasher(cost: Self.cheap, waiting: 0)
        let error = await #expect(throws: RoostError.self) { try await hasher.hash("correct horse battery") }
        #expect(
            error == .unavailable("Too many people are signing in. Try again in a moment.", retryAfter: 1))
    }

    @Test func `after the end nothing is hashed`() async throws {
        hasher.stop()
        await #expect(throws: RoostError.self) { try await hasher.hash("correct horse battery") }
        await #expect(throws: RoostError.self) { try await hasher.check("x", against: nil) }
    }
}
