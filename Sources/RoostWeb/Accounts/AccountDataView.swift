import RoostSupport

/// What deleting an account deletes, and what stays.
struct AccountDataView: Sendable {
    /// Phrases, such as "Notes to coins, holdings and wallets".
    let deleted: [String]
    /// Sentences.
    let staying: [String]

    /// - Parameter data: of every feature, as `Services.userData` has it
    init(_ data: [UserData]) {
        deleted = data.filter(\.isDeleted).map(\.words)
        staying = data.filter { !$0.isDeleted }.map(\.words)
    }
}
