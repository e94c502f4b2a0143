package import RoostSupport

extension Topic {
    package static func displays(_ user: UserID) -> String { "displays/\(user)" }
    package static func display(_ id: DisplayID) -> String { "display/\(id)" }
    static func displayPairing(_ name: String) -> String { "display-pairing/\(name)" }
}
