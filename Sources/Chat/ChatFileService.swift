import Foundation
import Logging
package import RoostSupport

/// Stores images and other files of conversations: checks and cleans uploads, and serves members only.
package final class ChatFileService: Service {
    package struct Content: Equatable, Sendable {
        package let file: MessageFile
        /// The type of the bytes. A thumbnail may have another type than its image.
        package let mediaType: String
        package let bytes: [UInt8]

        package init(file: MessageFile, mediaType: String, bytes: [UInt8]) {
            self.file = file
            self.mediaType = mediaType
            self.bytes = bytes
        }

        package var isImage: Bool { mediaType.hasPrefix("image/") }

        package var dataURL: String { "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())" }
    }

    /// Per file.
    package static let maximumBytes = 10 << 20
    /// Files other than images are only downloaded: an HTML page would run with Roost's origin.
    static let downloadType = "application/octet-stream"
    /// Unsent files are deleted after this many seconds.
    static let unsentLifetime: TimeInterval = 86_400
    /// Unsent files per user.
    private static let maximumUnsent = 50

    static let imageLimits = CheckedImage.Limits(
        field: "file", maximumBytes: maximumBytes, sides: 1...CheckedImage.maximumSide)
    static let thumbnailLimits = CheckedImage.Limits(
        field: "thumbnail", maximumBytes: CheckedImage.maximumBytes, sides: 1...2_048)
    private static let cleanUpInterval = Duration.seconds(1_800)
    private static let bytesPerRow = 1_024

    private let database: Database
    private let heavyWork: HeavyWorkQueue
    private let thumbnails: ThumbnailMaker
    private let clock: WallClock
    private let log: Logger

    init(
        database: Database, heavyWork: HeavyWorkQueue, thumbnails: ThumbnailMaker, clock: WallClock,
        log: Logger
    ) {
        self.database = database
        self.heavyWork = heavyWork
        self.thumbnails = thumbnails
        self.clock = clock
        self.log = log
    }

    /// Stores a file until it is sent with a message (`NewMessage.fileId`), at most for a day.
    ///
    /// PNG, JPEG, WebP and GIF are recognized by content and rebuilt without location, camera data and comments,
    /// keeping the orientation. Other files are stored unchanged. At most 10 MB.
    ///
    /// - Parameters:
    /// - name: the sender's file name, which is made safe
    /// - thumbnail: a small version made by the browser, checked like an image; if nil, one is made here
    /// - id: the client's UUID, which makes repeating an upload safe; if nil, a new one is made
    /// - Throws: `RoostError.notFound` if the user isn't a member; `.invalid` ("file", "thumbnail", "id") and
    ///   `.conflict` ("id")
    package func upload(
        _ bytes: [UInt8], name: String, thumbnail: [UInt8]? = nil, id: String? = nil,
        to conversation: ConversationID, by user: UserID
    ) async throws -> MessageFile {
        guard bytes.count <= Self.maximumBytes else {
            throw RoostError.invalid(field: "file", why: "A file can have up to 10 MB.")
        }
        guard !bytes.isEmpty else { throw RoostError.invalid(field: "file", why: "This file is empty.") }
        let id = try Self.checked(id)
        // Checked before the expensive work.
        _ = try await database.read { try $0.requiredMembership(of: user, in: conversation) }
        guard CheckedImage.mediaType(of: bytes) != nil else {
            let file = MessageFile(
                id: id, name: ChatFileName.safe(name, type: Self.downloadType), type: Self.downloadType,
                byteCount: bytes.count)
            return try await add(file, bytes, thumbnail: nil, to: conversation, by: user)
        }
        let (image, provided) = try await heavyWork.run(for: user, rows: bytes.count / Self.bytesPerRow) {
            (
                try CheckedImage(bytes, within: Self.imageLimits),
                try thumbnail.map { try CheckedImage($0, within: Self.thumbnailLimits) }
            )
        }
        let small: CheckedImage? =
            if let provided { provided } else { try await makeThumbnail(of: image, id: id) }
        let file = MessageFile(
            id: id, name: ChatFileName.safe(name, type: image.mediaType), type: image.mediaType,
            byteCount: image.bytes.count, width: image.width, height: image.height,
            hasThumbnail: small != nil)
        return try await add(file, image.bytes, thumbnail: small, to: conversation, by: user)
    }

    private func add(
        _ file: MessageFile, _ bytes: [UInt8], thumbnail: CheckedImage?, to conversation: ConversationID,
        by user: UserID
    ) async throws -> MessageFile {
        try await database.write { [now = clock.now()] writes in
            let conversation = try writes.requiredMembership(of: user, in: conversation).conversationId
            if let existing = try writes.uploadedFile(file.id) {
                guard existing.user == user, existing.conversation == conversation else {
                    throw RoostError.conflict(field: "id", why: "Another file has this id.")
                }
                return existing.file
            }
            guard try writes.unsentFileCount(of: user) < Self.maximumUnsent else {
                throw RoostError.invalid(
                    field: "file",
                    why: "\(Self.maximumUnsent) files are waiting to be sent. Send some first.")
            }
            try writes.addFile(file, bytes, thumbnail: thumbnail, to: conversation, by: user, at: now)
            return file
        }
    }

    private static func checked(_ id: String?) throws -> String {
        guard let id else { return UUID().uuidString.lowercased() }
        guard let uuid = UUID(uuidString: id) else {
            throw RoostError.invalid(field: "id", why: "A file’s id must be a UUID.")
        }
        return uuid.uuidString.lowercased()
    }

    /// Throws `RoostError.notFound`, also if the user may not read the file.
    package func file(_ reads: Reads, _ id: String, for user: UserID) throws -> MessageFile {
        guard let file = try reads.file(id, for: user) else { throw Self.notFound }
        return file
    }

    /// Returns a file's bytes, which never change. Throws `RoostError.notFound`, also if the user isn't or is no longer
    /// a member, or if the message was deleted.
    package func content(of id: String, for user: UserID) async throws -> Content {
        guard let content = try await database.read({ try $0.fileContent(id, for: user) }) else {
            throw Self.notFound
        }
        return content
    }

    /// Returns a HEIC or AVIF picture with the type of its content, for browsers that can show it.
    ///
    /// Throws `RoostError.notFound`, also for other files.
    package func preview(of id: String, for user: UserID) async throws -> Content {
        let content = try await content(of: id, for: user)
        guard content.file.previewType != nil, let type = HEIFFormat.mediaType(of: content.bytes) else {
            throw Self.notFound
        }
        return Content(file: content.file, mediaType: type, bytes: content.bytes)
    }

    /// Returns an image's thumbnail, the image itself if it is small, or a placeholder with its name and size if no
    /// thumbnail can be made. Makes a missing thumbnail of an older image. A HEIC or AVIF picture has a sentence for
    /// browsers that cannot show it.
    ///
    /// Throws `RoostError.notFound`, also for a file that isn't an image.
    package func thumbnail(of id: String, for user: UserID) async throws -> Content {
        if let thumbnail = try await database.read({ try $0.fileThumbnail(id, for: user) }) {
            return thumbnail
        }
        let content = try await content(of: id, for: user)
        if let type = content.file.previewType { return try Self.sentence(for: content.file, type) }
        guard content.isImage else { throw Self.notFound }
        if let image = try? CheckedImage(content.bytes, within: Self.imageLimits) {
            if ThumbnailMaker.isSmall(image, for: .message) { return content }
            if let small = try await makeThumbnail(of: image, id: id) {
                try await database.write { try $0.setThumbnail(small, of: id) }
                return Content(file: content.file, mediaType: small.mediaType, bytes: small.bytes)
            }
        }
        return try Self.placeholder(for: content.file)
    }

    /// Returns nil if the image is small or cannot be decoded.
    private func makeThumbnail(of image: CheckedImage, id: String) async throws -> CheckedImage? {
        guard !ThumbnailMaker.isSmall(image, for: .message) else { return nil }
        return try await thumbnails.thumbnail(of: image, .message, key: id)
    }

    private static func placeholder(for file: MessageFile) throws -> Content {
        let type = file.type.dropFirst("image/".count).uppercased()
        let size = "\(type), \(file.width ?? 0) × \(file.height ?? 0), \(file.byteCount / 1_024) KB"
        let (mediaType, bytes) = try ThumbnailMaker.placeholder(
            width: file.width ?? 0, height: file.height ?? 0, lines: [file.name, size])
        return Content(file: file, mediaType: mediaType, bytes: bytes)
    }

    private static func sentence(for file: MessageFile, _ type: String) throws -> Content {
        let kind = type.dropFirst("image/".count).uppercased()
        let (mediaType, bytes) = try ThumbnailMaker.placeholder(
            width: 640, height: 360,
            lines: ["This browser can’t show \(kind) pictures.", "Download the file to see it."])
        return Content(file: file, mediaType: mediaType, bytes: bytes)
    }

    /// Deletes an unsent file of the user. Throws `RoostError.notFound`.
    package func discard(_ id: String, by user: UserID) async throws {
        guard try await database.write({ try $0.removeUnsentFile(id, of: user) }) else { throw Self.notFound }
    }

    package func run() async {
        while !Task.isCancelled {
            await cleanUp()
            try? await Task.sleep(for: Self.cleanUpInterval)
        }
    }

    /// Deletes files that were not sent within a day.
    package func cleanUp() async {
        do {
            try await database.write { [now = clock.now()] writes in
                try writes.removeUnsentFiles(before: now - Self.unsentLifetime)
            }
        } catch is CancellationError {
        } catch {
            log.databaseFailure("Files that were never sent could not be deleted", error)
        }
    }

    package var userData: [UserData] {
        [.retained("Files sent in a chat stay there, with the messages.", in: ["chat_files"])]
    }

    private static let notFound = RoostError.notFound("There is no such file.")
}
