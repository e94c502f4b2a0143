package import RoostSupport

/// What deleting an account deletes, and what stays.
package struct AccountDataView: Sendable {
    /// Phrases, such as "Notes to coins, holdings and wallets".
    let deleted: [String]
    /// Sentences.
    let staying: [String]

    /// - Parameter data: of every feature, as `Services.userData` has it
    package init(_ data: [UserData]) {
        deleted = data.filter(\.isDeleted).map(\.words)
        staying = data.filter { !$0.isDeleted }.map(\.words)
    }

    package static let sample = AccountDataView([
        .deleted("Name and picture", from: []), .deleted("Watchlist", from: []),
        .staying("The owners’ log keeps the name for 90 days.", in: []),
    ])
}
