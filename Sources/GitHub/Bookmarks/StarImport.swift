package import Foundation
package import RoostSupport

/// How the import of GitHub's stars stands.
package enum StarImport: Equatable, Sendable {
    case idle
    /// How many have been read so far.
    case running(Int)
    case done(added: Int, known: Int, at: Date)
    case failed(APIError, read: Int)
}
