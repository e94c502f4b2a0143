import HTTPServer
import RoostServices

/// Where a form of the explorer comes from, and where its answer leads.
struct RepositoryReturnURL {
    private let place: String
    private var fields: [(name: String, value: String)]

    /// - Parameters:
    ///   - back: as the form carried it; nothing but a path of ours is believed
    ///   - other: where to go without one
    init(_ back: String?, other: String = "/repositories") {
        let checked = LocalPath.checked(back)
        let parts = (checked == "/" ? other : checked).splitBytes(
            at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        place = String(parts[0])
        let query = parts.count > 1 ? try? Query(parsing: parts[1]) : nil
        // What an earlier act told is told once.
        fields = (query?.pairs ?? []).filter { $0.name != FlashStore.field }
    }

    /// The list that stands on the page.
    var list: RepositoriesQuery { RepositoriesQuery(carried: query) }

    var path: String { query.isEmpty ? place : "\(place)?\(query)" }

    private var query: String {
        fields.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

    mutating func forget(_ name: String) {
        fields.removeAll { $0.name == name }
    }
}
