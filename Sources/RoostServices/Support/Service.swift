/// A part of Roost with a life of its own: it reads what it needs before the first request, works in the background, and
/// drops what it holds of users who are gone. What a service does not need, it leaves out.
package protocol Service: Sendable {
    /// Reads what requests need from the first moment on. Throws what the database throws.
    func load() async throws
    /// Works in the background until cancelled.
    func run() async
    /// Drops what is in memory of a user who is gone from the database.
    func forget(_ user: UserID)
}

extension Service {
    package func load() async throws {}
    package func run() async {}
    package func forget(_ user: UserID) {}
}
