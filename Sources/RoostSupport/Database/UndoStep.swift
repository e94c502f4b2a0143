/// Identifies a change that can be undone. Never reused.
package typealias UndoID = Int64

/// A part of a change that can be undone. Each feature has one type of steps, and reverts them itself, without
/// overwriting what was changed again since.
package protocol UndoStep: Codable, Sendable {
    /// The feature's name in the database.
    static var feature: String { get }
    /// The limits of a user's changes and of all their steps. The oldest changes are dropped first; the latest is kept
    /// whatever its size.
    static var maximumChanges: Int { get }
    static var maximumSteps: Int { get }
}

/// A change that can still be undone.
package struct Undo: Sendable {
    package let id: UndoID
    /// The number of steps.
    package let size: Int
}
