/// Why Roost does not start: something about its templates, by name.
package enum TemplateError: Error, Equatable, CustomStringConvertible {
    case noFolder(String)
    case unreadable(String)
    case missing(String, wantedBy: String)
    case syntax(String, line: Int, String)
    case unused(String)

    package var description: String {
        switch self {
        case .noFolder(let path): "There are no templates in \(path)."
        case .unreadable(let name): "The template \(name) cannot be read."
        case .missing(let name, let user): "The template \(name), which \(user) uses, is missing."
        case .syntax(let name, let line, let why): "The template \(name) is broken in line \(line): \(why)."
        case .unused(let name): "The template \(name) is used by no view and no other template."
        }
    }
}
