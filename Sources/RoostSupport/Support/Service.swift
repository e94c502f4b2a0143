/// A part of Roost with a life of its own: it reads what it needs before the first request, works in the background, says
/// what it stores of users, and drops what it holds of those who are gone. What a service does not need, it leaves out.
package protocol Service: Sendable {
    /// Reads what requests need from the first moment on. Throws what the database throws.
    func load() async throws
    /// Works in the background until cancelled.
    func run() async
    /// What the feature stores of a user: every table whose rows refer to one.
    var userData: [UserData] { get }
    /// Drops what is in memory of a user who is gone from the database.
    func forget(_ user: UserID)
    /// Told after the commit with which others see another name or picture of this user.
    func noteAppearance(of user: UserID)
}

extension Service {
    package func load() async throws {}
    package func run() async {}
    package var userData: [UserData] { [] }
    package func forget(_ user: UserID) {}
    package func noteAppearance(of user: UserID) {}
}

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
