/// What a screen is told to do, once.
package struct DisplayCommand: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// Shows the display's name, large, for ten seconds.
        case identify
        /// Reloads the page.
        case reload
    }

    /// By which the screen says that it has done it; another one for each command, after a restart too.
    package let number: Int
    package let kind: Kind
    /// The display's name.
    package let name: String

    package init(number: Int, kind: Kind, name: String) {
        self.number = number
        self.kind = kind
        self.name = name
    }
}
