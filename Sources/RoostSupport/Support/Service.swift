/// A part of Roost with its own life cycle. Every method has a default that does nothing.
package protocol Service: Sendable {
    /// Loads data before the first request. Throws database errors.
    func load() async throws
    func run() async
    /// The user data that the feature stores: every table with rows that refer to a user.
    var userData: [UserData] { get }
    func forget(_ user: UserID)
    /// Called after a user's name or picture has changed, after the commit.
    func noteAppearance(of user: UserID)
}

extension Service {
    package func load() async throws {}
    package func run() async {}
    package var userData: [UserData] { [] }
    package func forget(_ user: UserID) {}
    package func noteAppearance(of user: UserID) {}
}

/// User data of a feature, described for the pages that delete an account.
package struct UserData: Equatable, Sendable {
    /// A phrase for a list, such as "Notes to coins, holdings and wallets"; a sentence for data that stays.
    package let text: String
    package let tables: Set<String>
    /// False for data that stays when the account is deleted.
    package let isDeleted: Bool

    /// Data that is deleted with the user's row, by foreign keys.
    package static func deleted(_ text: String, from tables: Set<String>) -> UserData {
        UserData(text: text, tables: tables, isDeleted: true)
    }

    /// Data that stays. The sentence says in which form and for how long.
    package static func retained(_ text: String, in tables: Set<String>) -> UserData {
        UserData(text: text, tables: tables, isDeleted: false)
    }
}

/// Several services that act as one.
package protocol ServiceGroup: Service {
    /// In the order of loading.
    var services: [any Service] { get }
}

extension ServiceGroup {
    package func load() async throws { for service in services { try await service.load() } }

    package func run() async {
        await withDiscardingTaskGroup { group in
            for service in services { group.addTask { await service.run() } }
        }
    }

    package var userData: [UserData] { services.flatMap(\.userData) }

    package func forget(_ user: UserID) { for service in services { service.forget(user) } }

    package func noteAppearance(of user: UserID) {
        for service in services { service.noteAppearance(of: user) }
    }
}
