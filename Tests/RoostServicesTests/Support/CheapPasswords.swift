@testable import Accounts

extension PasswordCost {
    /// For tests whose matter is not the cost: a thousandth of it.
    static let cheap = PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
}
