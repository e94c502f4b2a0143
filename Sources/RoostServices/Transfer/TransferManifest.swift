package import Accounts
package import Foundation
import Synchronization

/// The file `manifest.json` of an export of all data.
package struct TransferManifest: Codable, Equatable, Sendable {
    package enum Scope: String, Codable, Sendable {
        case user, server
    }

    package struct Person: Codable, Equatable, Sendable {
        /// Of the user's files in the zip, such as "users/1".
        package let folder: String
        package let username: String
        package let displayName: String?
        package let email: String?
        package let role: User.Role
    }

    static let fileName = "manifest.json"
    static let program = "Roost"
    static let kind = "all data"
    /// Of the format. A newer one is refused; unknown members are ignored.
    static let version = 1
    /// In bytes: thousands of users.
    static let maximumBytes = 16 << 20
    static let sharedFolder = "shared"

    package var program = Self.program
    package var kind = Self.kind
    package var version = Self.version
    package var exportedAt: Date
    package var scope: Scope
    package var users: [Person]
    /// The numbers of rows, by the file's name in the zip.
    package var counts: [String: Int] = [:]
}

/// How far an export or import is, and whether it should stop.
package final class TransferProgress: Sendable {
    private let state = Mutex((rows: 0, file: "", isCancelled: false))

    package init() {}

    package var rows: Int { state.withLock(\.rows) }
    /// The file in the zip that is being written or read.
    package var file: String { state.withLock(\.file) }

    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Throws `CancellationError`.
    func check() throws { try add(0) }

    func begin(_ file: String) throws {
        try state.withLock { state in
            state.file = file
            if state.isCancelled { throw CancellationError() }
        }
    }

    /// Throws `CancellationError`.
    func add(_ rows: Int) throws {
        try state.withLock { state in
            state.rows += rows
            if state.isCancelled { throw CancellationError() }
        }
    }
}
