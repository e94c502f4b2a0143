import Dispatch
import Foundation
import Glibc

/// The picture files `DATA/pictures/NAME`, readable only by Roost's own user.
///
/// A file's modification time is when it was fetched; its access time is when it was last served. File access runs on a
/// separate thread, one file at a time, because the disk may be slow.
struct PictureFolder: Sendable {
    struct File: Sendable, Equatable {
        let name: String
        let size: Int
        let fetchedAt: Date
        let usedAt: Date
    }

    let path: String
    private let queue = DispatchQueue(label: "roost.pictures", qos: .utility)

    /// Returns all pictures, and removes other files, such as half-written ones.
    func files() async -> [File] {
        await run {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
            return names.compactMap { name in
                var status = stat()
                guard PictureAddress.isName(name), lstat(path + "/" + name, &status) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else {
                    unlink(path + "/" + name)
                    return nil
                }
                return File(
                    name: name, size: Int(status.st_size), fetchedAt: Self.date(status.st_mtim),
                    usedAt: Self.date(status.st_atim))
            }
        }
    }

    func read(_ name: String) async -> [UInt8]? {
        await run {
            (try? Data(contentsOf: URL(filePath: path + "/" + name))).map(Array.init)
        }
    }

    /// Replaces the file atomically. Returns false if the disk refuses it.
    func write(_ bytes: [UInt8], as name: String, at time: Date) async -> Bool {
        await run {
            let (draft, file) = (path + "/draft-" + name, path + "/" + name)
            guard makeFolder(), Self.write(bytes, to: draft), Self.stamp(draft, fetched: time, used: time),
                rename(draft, file) == 0
            else {
                unlink(draft)
                return false
            }
            return true
        }
    }

    func remove(_ names: [String]) async {
        await run { for name in names { unlink(path + "/" + name) } }
    }

    func stamp(_ name: String, fetched: Date, used: Date) async {
        await run { _ = Self.stamp(path + "/" + name, fetched: fetched, used: used) }
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    private func makeFolder() -> Bool {
        if mkdir(path, 0o700) == 0 {
            FolderOwner.give(path)
            return true
        }
        return errno == EEXIST
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        unlink(path)
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        FolderOwner.give(file, in: (path as NSString).deletingLastPathComponent)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        return Glibc.close(file) == 0 && rest.isEmpty
    }

    private static func stamp(_ path: String, fetched: Date, used: Date) -> Bool {
        utimensat(AT_FDCWD, path, [time(used), time(fetched)], 0) == 0
    }

    private static func time(_ date: Date) -> timespec {
        timespec(tv_sec: Int(date.timeIntervalSince1970.rounded(.down)), tv_nsec: 0)
    }

    private static func date(_ time: timespec) -> Date {
        Date(timeIntervalSince1970: Double(time.tv_sec))
    }
}
