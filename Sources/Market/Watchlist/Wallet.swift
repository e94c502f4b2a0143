package import RoostSupport

package typealias WalletID = Int64

/// An address where a user keeps a coin, for the user's information only.
package struct Wallet: Equatable, Sendable, Identifiable {
    package private(set) var id: WalletID
    package private(set) var details: NewWallet

    package var coinId: String { details.coinId }
    package var address: String { details.address }
    package var label: String { details.label }
}

extension Wallet: ColumnRecord {
    package init() { self.init(id: 0, details: NewWallet()) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try details.columns(&columns)
    }
}

package struct NewWallet: Hashable, Sendable {
    /// In code points.
    package static let (maximumAddress, maximumLabel) = (200, 64)

    package private(set) var coinId: String
    /// In one line.
    package private(set) var address: String
    /// "" for none.
    package private(set) var label: String

    /// Throws `WatchlistError.invalidCoinId`, or `RoostError.invalid` with the field.
    package init(coinId: String, address: String, label: String = "") throws {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        self.coinId = coinId
        self.address = try OwnText.line(address, field: "address", limit: Self.maximumAddress)
        self.label = try OwnText.line(label, field: "label", limit: Self.maximumLabel)
        guard !self.address.isBlank else {
            throw RoostError.invalid(field: "address", why: "Enter the wallet’s address.")
        }
    }
}

extension NewWallet: ColumnRecord {
    package init() { (coinId, address, label) = ("", "", "") }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("coin_id", &coinId)
        try columns.column("address", &address)
        try columns.column("label", &label)
    }
}
