package import GRDB
import RoostSupport

/// Opens database files as another program would.
package enum DatabaseFile {
    /// Opens the file while another program has it open, and waits while that one writes.
    package static func open(
        _ path: String, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        configuration.prepareDatabase { SearchIndexTokenizer.register($0) }
        change(&configuration)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
