package import Accounts

extension PasswordCost {
    /// A thousandth of the usual cost, for tests that do not depend on it.
    package static let cheap = PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
}
