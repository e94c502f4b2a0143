/// An upstream that names pictures, and where it keeps its own.
package protocol PictureSource: Sendable {
    /// Where its pages are, without a slash at the end.
    var webURL: String { get }
    /// Where it serves its own pictures, at the size that is asked for.
    var pictureURL: String { get }
    /// Set by the operator: its own pictures may be in the LAN.
    var isTrusted: Bool { get }
    /// Whether its pictures are large, and may come over plain connections: those in articles.
    var isArticle: Bool { get }
    /// The hosts beside its own that its pictures may lie on, without being sent on elsewhere; nil: any.
    var strangerHosts: Set<String>? { get }
}

extension PictureSource {
    package var isArticle: Bool { false }
    package var strangerHosts: Set<String>? { nil }
}
