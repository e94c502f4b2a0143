import Glibc

/// A file as it was when it was opened, so that its move or removal is noticed.
///
/// A program can still read and write an open file after its folder was moved or deleted; what it writes then is in
/// another place or lost.
struct OpenedFile: Sendable {
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    private let path: String
    private let identity: Identity?

    init(path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    /// False if its path has no file any more, or another one.
    var isInPlace: Bool { identity != nil && Self.identity(of: path) == identity }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }
}
