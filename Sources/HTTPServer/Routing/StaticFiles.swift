/// A folder's files, read once, compressed once, and served under addresses that change with their content.
package struct StaticFiles: Sendable {
    /// Throws if the folder or one of its files cannot be read.
    package init(directory: String) throws {}

    /// "css/roost.css" -> "/static/<hash>/css/roost.css"; nil if there is no such file.
    package func address(of name: String) -> String? { nil }

    /// `GET /static/{hash}/{...name}`: immutable for a year; 404 for another hash or name.
    package var routes: [Route] { [] }

    /// A hash over all files: another one means that a page should load itself again.
    package var version: String { "" }
}
