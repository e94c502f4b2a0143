/// The parameters of one scrypt hash (RFC 7914, section 2). It takes `128 * blockSize * rounds` bytes of memory.
package struct PasswordCost: Equatable, Sendable {
    /// N, a power of two.
    package let rounds: Int
    /// r
    let blockSize: Int
    /// p
    let parallelism: Int

    /// 32 MB and about a tenth of a second.
    package static let standard = PasswordCost(rounds: 32_768, blockSize: 8, parallelism: 1)

    package init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// False for parameters that scrypt does not support, and for ones from a broken row that would overload this
    /// machine: more than 512 MB, or more than 64 times the standard's work.
    var isUsable: Bool {
        (2...(1 << 22)).contains(rounds) && rounds & (rounds - 1) == 0 && (1...16).contains(blockSize)
            && (1...16).contains(parallelism) && (blockSize >= 4 || rounds < 1 << (16 * blockSize))
            && rounds * blockSize <= 1 << 22 && work <= 64 * Self.standard.work
    }

    func exceeds(_ other: PasswordCost) -> Bool {
        rounds * blockSize > other.rounds * other.blockSize || parallelism > other.parallelism
    }

    private var work: Int { rounds * blockSize * parallelism }
}
