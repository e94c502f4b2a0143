import Foundation
package import Logging
package import RoostSupport

/// Images and other files of conversations: checked and cleaned when they come, told to members alone.
package final class ChatFileService: Service {
    /// A file with bytes to answer: its own, or its thumbnail's.
    package struct Content: Equatable, Sendable {
        package let file: MessageFile
        /// Of the bytes; a thumbnail may be of another type than its image.
        package let mediaType: String
        package let bytes: [UInt8]

        package init(file: MessageFile, mediaType: String, bytes: [UInt8]) {
            self.file = file
            self.mediaType = mediaType
            self.bytes = bytes
        }

        /// Whether a browser may show it in a page; anything else is for saving only.
        package var isImage: Bool { mediaType.hasPrefix("image/") }

        /// "data:image/png;base64,...", for a page that stands alone.
        package var dataURL: String { "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())" }
    }

    /// Of a file, in bytes.
    package static let maximumBytes = 10 << 20
    /// What is no picture is never shown, only saved: a page among them would run under Roost's own address.
    static let downloadType = "application/octet-stream"
    /// What was not sent for this long is deleted, in seconds.
    static let unsentLifetime: TimeInterval = 86_400

    private static let imageLimits = CheckedImage.Limits(
        field: "file", maximumBytes: maximumBytes, sides: 1...CheckedImage.maximumSide)
    private static let thumbnailLimits = CheckedImage.Limits(
        field: "thumbnail", maximumBytes: CheckedImage.maximumBytes, sides: 1...2_048)
    private static let tidyInterval = Duration.seconds(1_800)
    private static let bytesPerRow = 1_024

    private let store: ChatFileStore
    private let heavyWork: HeavyWorkQueue
    private let thumbnails: ThumbnailMaker
    private let clock: WallClock
    private let log: Logger

    package init(
        store: ChatFileStore, heavyWork: HeavyWorkQueue, thumbnails: ThumbnailMaker, clock: WallClock,
        log: Logger
    ) {
        self.store = store
        self.heavyWork = heavyWork
        self.thumbnails = thumbnails
        self.clock = clock
        self.log = log
    }

    /// Keeps a file until it is sent with a message (`NewMessage.fileId`), for a day at most.
    ///
    /// PNG, JPEG, WebP and GIF are known by their content and put together again, without place, camera and comments; a
    /// photograph is still turned as it was. Anything else is kept as it is, for saving. At most 10 MB.
    ///
    /// - Parameters:
    ///   - name: the sender's name of it, of which a safe one is made
    ///   - thumbnail: a small picture of it that the browser has made, checked like an image; nil: one is made here
    ///   - id: a UUID of the client's, so that the same upload may be repeated; nil: a new one
    /// - Throws: `RoostError.notFound` for those who are no members; `.invalid` ("file", "thumbnail", "id") and
    ///   `.conflict` ("id") in words
    package func upload(
        _ bytes: [UInt8], name: String, thumbnail: [UInt8]? = nil, id: String? = nil,
        to conversation: ConversationID, by user: UserID
    ) async throws -> MessageFile {
        guard bytes.count <= Self.maximumBytes else {
            throw RoostError.invalid(field: "file", why: "A file has at most 10 MB.")
        }
        guard !bytes.isEmpty else { throw RoostError.invalid(field: "file", why: "This file is empty.") }
        let id = try Self.checked(id)
        // Before any work is done for a stranger.
        guard try await store.isMember(user, of: conversation) else {
            throw RoostError.notFound("There is no such conversation.")
        }
        guard CheckedImage.isPicture(bytes) else {
            let file = MessageFile(
                id: id, name: ChatFileName.safe(name, type: Self.downloadType), type: Self.downloadType,
                byteCount: bytes.count)
            return try await store.add(
                file, bytes, thumbnail: nil, to: conversation, by: user, at: clock.now())
        }
        let (image, sent) = try await heavyWork.run(for: user, rows: bytes.count / Self.bytesPerRow) {
            (
                try CheckedImage(bytes, within: Self.imageLimits),
                try thumbnail.map { try CheckedImage($0, within: Self.thumbnailLimits) }
            )
        }
        let small: CheckedImage? = if let sent { sent } else { try await made(image, id: id) }
        let file = MessageFile(
            id: id, name: ChatFileName.safe(name, type: image.mediaType), type: image.mediaType,
            byteCount: image.bytes.count, width: image.width, height: image.height,
            hasThumbnail: small != nil)
        return try await store.add(
            file, image.bytes, thumbnail: small, to: conversation, by: user, at: clock.now())
    }

    private static func checked(_ id: String?) throws -> String {
        guard let id else { return UUID().uuidString.lowercased() }
        guard let uuid = UUID(uuidString: id) else {
            throw RoostError.invalid(field: "id", why: "A file’s id is a UUID.")
        }
        return uuid.uuidString.lowercased()
    }

    /// What is known of a file. Throws `RoostError.notFound`, also for those who may not have it.
    package func file(_ id: String, for user: UserID) async throws -> MessageFile {
        guard let file = try await store.file(id, for: user) else { throw Self.notFound }
        return file
    }

    /// A file's bytes, which never change. Throws `RoostError.notFound` likewise: for strangers, for those who were
    /// removed, and for the files of deleted messages.
    package func content(of id: String, for user: UserID) async throws -> Content {
        guard let content = try await store.content(of: id, for: user) else { throw Self.notFound }
        return content
    }

    /// A picture that a page shows for an image: its thumbnail; a small image itself; or a drawing with its name and size if
    /// there can be no thumbnail. An image from before there were thumbnails gets its own now.
    ///
    /// Also throws `RoostError.notFound` for a file that isn't an image.
    package func thumbnail(of id: String, for user: UserID) async throws -> Content {
        if let thumbnail = try await store.thumbnail(of: id, for: user) { return thumbnail }
        let content = try await content(of: id, for: user)
        guard content.isImage else { throw Self.notFound }
        if let image = try? CheckedImage(content.bytes, within: Self.imageLimits) {
            if ThumbnailMaker.isSmall(image, for: .message) { return content }
            if let small = try await made(image, id: id) {
                try await store.keepThumbnail(small, of: id)
                return Content(file: content.file, mediaType: small.mediaType, bytes: small.bytes)
            }
        }
        return Self.placeholder(for: content.file)
    }

    /// Nil for an image that is small itself, or that cannot be decoded.
    private func made(_ image: CheckedImage, id: String) async throws -> CheckedImage? {
        guard !ThumbnailMaker.isSmall(image, for: .message) else { return nil }
        return try await thumbnails.thumbnail(of: image, .message, key: id)
    }

    private static func placeholder(for file: MessageFile) -> Content {
        let type = file.type.dropFirst("image/".count).uppercased()
        let size = "\(type), \(file.width ?? 0) × \(file.height ?? 0), \(file.byteCount / 1_024) KB"
        let (mediaType, bytes) = ThumbnailMaker.placeholder(
            width: file.width ?? 0, height: file.height ?? 0, lines: [file.name, size])
        return Content(file: file, mediaType: mediaType, bytes: bytes)
    }

    /// Deletes a file that the user has uploaded and not sent. Throws `RoostError.notFound`.
    package func discard(_ id: String, by user: UserID) async throws {
        guard try await store.removeUnsent(id, of: user) else { throw Self.notFound }
    }

    /// Deletes now and then what was not sent within a day, until cancelled.
    package func run() async {
        while !Task.isCancelled {
            await tidy()
            try? await Task.sleep(for: Self.tidyInterval)
        }
    }

    /// Deletes what was not sent within a day.
    package func tidy() async {
        do {
            _ = try await store.removeUnsent(before: clock.now() - Self.unsentLifetime)
        } catch is CancellationError {
        } catch {
            log.error("Files that were never sent could not be deleted", metadata: ["error": "\(error)"])
        }
    }

    package var userData: [UserData] {
        [.staying("Files sent in a chat stay there, with the messages.", in: ["chat_files"])]
    }

    private static let notFound = RoostError.notFound("There is no such file.")
}
