import RoostSupport
import RoostWeb

/// The free space on the data folder's disk.
struct DiskCheck: Equatable, Sendable {
    /// With less, the next backup or migration may fail.
    private static let (scarce, critical) = (512 << 20, 64 << 20)

    let folder: String
    /// In bytes; nil if unknown.
    let free, total: Int?
    /// True if nothing can be saved, for instance over a quota.
    var isFull = false
    /// The size of the database with its log. A backup and a migration need a copy of both.
    let databaseBytes: Int

    init(folder: String, free: Int?, total: Int?, isFull: Bool = false, databaseBytes: Int) {
        self.folder = folder
        self.free = free
        self.total = total
        self.isFull = isFull
        self.databaseBytes = databaseBytes
    }

    init(folder: String, isFull: Bool = false, databaseBytes: Int) {
        self.init(
            folder: folder, free: FreeSpace.bytes(in: folder), total: FreeSpace.total(in: folder),
            isFull: isFull, databaseBytes: databaseBytes)
    }

    var finding: Finding {
        let subject = "Disk"
        guard let free else {
            return .warning(
                subject, "The free space in \(folder) is unknown.",
                remedy: "Check that the folder exists and that its disk is mounted.")
        }
        let space = "\(ByteCountText.of(free))\(total.map { " of \(ByteCountText.of($0))" } ?? "")"
        if isFull {
            return .problem(
                subject, "Nothing can be saved in \(folder); \(space) are free.",
                remedy: "Free space on this disk, raise the quota, or mount the disk for writing.")
        }
        let remedy = "Free space on this disk, or move the backups to another one with --backup-folder."
        if free < Self.critical {
            return .problem(subject, "Only \(space) are free in \(folder).", remedy: remedy)
        }
        if free < max(Self.scarce, 2 * databaseBytes) {
            return .warning(subject, "Only \(space) are free in \(folder).", remedy: remedy)
        }
        return .ok(subject, "\(space) are free in \(folder).")
    }
}
