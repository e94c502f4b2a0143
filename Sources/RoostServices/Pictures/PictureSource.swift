/// An upstream that names pictures, and where it keeps its own.
package protocol PictureSource: Sendable {
    /// Where its pages are, without a slash at the end.
    var webURL: String { get }
    /// Where it serves its own pictures, at the size that is asked for.
    var pictureURL: String { get }
    /// Set by the operator: its own pictures may be in the LAN.
    var isTrusted: Bool { get }
}
