package import GRDB

/// A database file as another program sees it.
package enum DatabaseFile {
    /// Opens the file beside the program that has it open, and waits while that one writes.
    package static func open(
        _ path: String, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        change(&configuration)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
