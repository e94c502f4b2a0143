/// Something that a feature stores of a user, in the words of the pages that delete an account.
package struct UserData: Equatable, Sendable {
    /// A phrase for a list, such as "Notes to coins, holdings and wallets"; a sentence for what stays.
    package let words: String
    /// Where it is stored.
    package let tables: Set<String>
    /// False for what stays when the account is deleted.
    package let isDeleted: Bool

    /// What goes with the user's row, by foreign keys.
    package static func deleted(_ words: String, from tables: Set<String>) -> UserData {
        UserData(words: words, tables: tables, isDeleted: true)
    }

    /// What stays: the sentence says as what, and for how long.
    package static func staying(_ words: String, in tables: Set<String>) -> UserData {
        UserData(words: words, tables: tables, isDeleted: false)
    }
}
