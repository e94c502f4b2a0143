package import RoostSupport

extension Preferences {
    package static func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var preferences = Self()
        try change(&preferences)
        return preferences
    }
}
