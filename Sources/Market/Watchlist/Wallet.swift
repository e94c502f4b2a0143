import RoostSupport

package typealias WalletID = Int64

/// An address at which a user keeps a coin: a note that Roost does nothing with.
package struct Wallet: Equatable, Sendable, Identifiable {
    package let id: WalletID
    package let details: NewWallet

    package init(id: WalletID, details: NewWallet) {
        self.id = id
        self.details = details
    }

    package var coinId: String { details.coinId }
    package var address: String { details.address }
    package var label: String { details.label }
}

/// What is to be noted as a wallet.
package struct NewWallet: Hashable, Sendable {
    package let coinId: String
    /// 1 to 200 characters in one line.
    package let address: String
    /// At most 64 characters, "" for none.
    package let label: String

    /// Throws `WatchlistError.invalidCoinId`, or `RoostError.invalid` for the field that is wrong.
    package init(coinId: String, address: String, label: String = "") throws {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        self.coinId = coinId
        self.address = try OwnText.line(address, field: "address", limit: 200)
        self.label = try OwnText.line(label, field: "label", limit: 64)
        guard !self.address.isBlank else {
            throw RoostError.invalid(field: "address", why: "The wallet’s address is missing.")
        }
    }
}
