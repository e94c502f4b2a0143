import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct ChatFileTests {
    private static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: [
        (Pictures.notedPNG, "image/png", "photo.png"), (Pictures.notedJPEG, "image/jpeg", "photo.jpg"),
        (Pictures.notedGIF, "image/gif", "photo.gif"), (Pictures.movingWebP, "image/webp", "photo.webp"),
    ])
    func `an image is detected by its content, whatever its name, and loses its location data`(
        bytes: [UInt8], type: String, name: String
    ) async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(bytes, "photo")
            #expect(file.type == type && file.name == name && file.isImage)
            let content = try await chat.services.chat.files.content(of: file.id, for: chat.ada.userId)
            #expect(content.file == file && content.mediaType == type)
            #expect(content.bytes.count == file.byteCount)
            #expect(Self.contains("SECRET", in: bytes) && !Self.contains("SECRET", in: content.bytes))
        }
    }

    @Test(arguments: [
        Array(Pictures.notedPNG.prefix(30)), Array(Pictures.notedJPEG.prefix(60)),
        Array(Pictures.movingGIF.prefix(40)), Array(Pictures.plainWebP.prefix(20)),
    ])
    func `a truncated image is refused with a message, and nothing is kept`(bytes: [UInt8]) async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal { _ = try await chat.upload(bytes) }
            #expect(error?.field == "file")
            #expect(error?.message.hasPrefix("This picture is damaged") == true)
            #expect(try chat.fixture.sql(Int.self, "SELECT count(*) FROM chat_files") == [0])
        }
    }

    @Test func `a file has 1 byte to 10 MB`() async throws {
        try await withChatGroup { chat async throws in
            let most = [UInt8](repeating: 7, count: 10 << 20)
            let file = try await chat.upload(most, "most.bin")
            #expect(file.byteCount == 10 << 20)
            let tooLarge = await refusal { _ = try await chat.upload(most + [7]) }
            #expect(tooLarge == .invalid(field: "file", why: "A file can have up to 10 MB."))
            let empty = await refusal { _ = try await chat.upload([]) }
            #expect(empty == .invalid(field: "file", why: "This file is empty."))
        }
    }

    @Test(arguments: ["<!DOCTYPE html><script>alert(1)</script>", "<svg onload='alert(1)'/>", "%PDF-1.7"])
    func `a file that is not an image is kept unchanged and only for download`(text: String) async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Array(text.utf8), "page.html")
            #expect(file.type == "application/octet-stream" && !file.isImage && file.name == "page.html")
            let content = try await chat.services.chat.files.content(of: file.id, for: chat.ada.userId)
            #expect(content.bytes == Array(text.utf8) && !content.isImage)
            let thumbnail = await refusal {
                _ = try await chat.services.chat.files.thumbnail(of: file.id, for: chat.ada.userId)
            }
            #expect(thumbnail?.isNotFound == true)
        }
    }

    @Test(arguments: [
        ("report.tar.gz", "report.tar.gz"), ("../../etc/passwd", "passwd"), ("C:\\temp\\a.txt", "a.txt"),
        ("", "file"), ("...", "file"), (".bashrc", "bashrc"), ("a\u{0}b\n.txt", "ab.txt"),
        ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("a:b*c?.txt", "a_b_c_.txt"), ("CON.txt", "_CON.txt"),
        ("com1", "_com1"), ("no ending. ", "no ending"), ("/", "file"),
        (String(repeating: "é", count: 200) + ".pdf", String(repeating: "é", count: 58) + ".pdf"),
    ])
    func `a file name is made safe for any system`(name: String, safe: String) async throws {
        try await withChatGroup { chat async throws in
            #expect(try await chat.upload([1, 2, 3], name).name == safe)
        }
    }

    @Test(arguments: [
        ("photo.html", "photo_html.png"), ("photo.PNG", "photo.PNG"), ("", "image.png"),
        ("photo.jpg.exe", "photo.jpg_exe.png"),
    ])
    func `an image is saved with the extension of its own format`(name: String, safe: String) async throws {
        try await withChatGroup { chat async throws in
            #expect(try await chat.upload(Pictures.notedPNG, name).name == safe)
        }
    }

    @Test func `only the uploader can read a file until it is sent, then every member can`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            #expect(try await chat.mayRead(file, chat.ada))
            #expect(try await !chat.mayRead(file, chat.grace))
            let message = try await chat.send("", fileId: file.id)
            #expect(message.file == file)
            #expect(try await chat.mayRead(file, chat.grace))
            #expect(try await !chat.mayRead(file, chat.mallory))
        }
    }

    @Test func `a user cannot send another user's file, a file twice, or a file of another conversation`()
        async throws
    {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            let byOther = await refusal { try await chat.send("mine", by: chat.grace, fileId: file.id) }
            #expect(byOther?.field == "fileId")
            let pair = try await chat.pair(chat.ada, chat.grace)
            let elsewhere = await refusal { try await chat.send("there", to: pair, fileId: file.id) }
            #expect(elsewhere?.field == "fileId")
            try await chat.send("here", fileId: file.id)
            let twice = await refusal { try await chat.send("again", fileId: file.id) }
            #expect(twice?.field == "fileId")
        }
    }

    @Test func `a removed member can read no files, sent or not`() async throws {
        try await withChatGroup { chat async throws in
            let sent = try await chat.upload(Pictures.notedPNG)
            try await chat.send("", fileId: sent.id)
            let unsent = try await chat.upload(Pictures.notedGIF, by: chat.grace)
            try await chat.services.chat.conversations.remove(
                chat.grace.userId, from: chat.group, by: chat.ada.userId)
            #expect(try await !chat.mayRead(sent, chat.grace))
            #expect(try await !chat.mayRead(unsent, chat.grace))
            #expect(try await chat.mayRead(sent, chat.eve))
        }
    }

    @Test func `a member added without earlier messages cannot read earlier files`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            try await chat.send("", fileId: file.id)
            try await chat.services.chat.conversations.add(
                [chat.mallory.userId], to: chat.group, showingEarlier: false, by: chat.ada.userId)
            #expect(try await !chat.mayRead(file, chat.mallory))
            let later = try await chat.upload(Pictures.notedGIF)
            try await chat.send("", fileId: later.id)
            #expect(try await chat.mayRead(later, chat.mallory))
        }
    }

    @Test func `deleting a message deletes its file from the disk`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            let message = try await chat.send("look", fileId: file.id)
            try await chat.services.chat.conversations.delete(message.seq, by: chat.ada.userId)
            #expect(try await !chat.mayRead(file, chat.ada))
            #expect(try chat.fixture.sql(Int.self, "SELECT count(*) FROM chat_files") == [0])
        }
    }

    @Test func `a group's photo outlives the message that contained it`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            let message = try await chat.send("", fileId: file.id)
            try await chat.services.chat.conversations.setPhoto(
                chat.group, fileId: file.id, by: chat.ada.userId)
            try await chat.services.chat.conversations.delete(message.seq, by: chat.ada.userId)
            #expect(try await chat.mayRead(file, chat.grace))
            #expect(try await !chat.mayRead(file, chat.mallory))
        }
    }

    @Test func `files not sent within a day are deleted, but sent files and group photos stay`()
        async throws
    {
        try await withChatGroup { chat async throws in
            let sent = try await chat.upload(Pictures.notedPNG)
            try await chat.send("", fileId: sent.id)
            let photo = try await chat.upload(Pictures.plainWebP)
            try await chat.services.chat.conversations.setPhoto(
                chat.group, fileId: photo.id, by: chat.ada.userId)
            let unsent = try await chat.upload(Pictures.notedGIF)
            chat.clock.advance(86_399)
            await chat.services.chat.files.cleanUp()
            #expect(try await chat.mayRead(unsent, chat.ada))
            chat.clock.advance(2)
            await chat.services.chat.files.cleanUp()
            #expect(try await !chat.mayRead(unsent, chat.ada))
            #expect(try await chat.mayRead(sent, chat.grace))
            #expect(try await chat.mayRead(photo, chat.grace))
        }
    }

    @Test func `a thumbnail is validated too and is served in place of the image`() async throws {
        try await withChatGroup { chat async throws in
            let files = chat.services.chat.files
            let file = try await files.upload(
                Pictures.notedPNG, name: "a.png", thumbnail: Pictures.notedWebP, to: chat.group,
                by: chat.ada.userId)
            #expect(file.thumbnailURL == "/chat/files/\(file.id)/thumbnail")
            let thumbnail = try await files.thumbnail(of: file.id, for: chat.ada.userId)
            #expect(thumbnail.mediaType == "image/webp" && !Self.contains("SECRET", in: thumbnail.bytes))
            let error = await refusal {
                _ = try await files.upload(
                    Pictures.notedPNG, name: "a.png", thumbnail: Array("<svg/>".utf8), to: chat.group,
                    by: chat.ada.userId)
            }
            #expect(error?.field == "thumbnail")
        }
    }

    @Test func `an image without a thumbnail is served as its own thumbnail`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.plainWebP)
            let files = chat.services.chat.files
            #expect(file.thumbnailURL == nil)
            let thumbnail = try await files.thumbnail(of: file.id, for: chat.ada.userId)
            let content = try await files.content(of: file.id, for: chat.ada.userId)
            #expect(thumbnail == content)
        }
    }

    private static func isWebP(_ content: ChatFileService.Content) -> Bool {
        content.mediaType == "image/webp" && content.bytes.count < 60_000
    }

    @Test(arguments: [
        LargePictures.turnedJPEG, LargePictures.png, LargePictures.losslessWebP, LargePictures.gif,
    ])
    func `uploading a large image creates a thumbnail, and the original stays`(bytes: [UInt8]) async throws {
        try await withChatGroup { chat async throws in
            let files = chat.services.chat.files
            let file = try await chat.upload(bytes)
            #expect(file.hasThumbnail)
            let thumbnail = try await files.thumbnail(of: file.id, for: chat.ada.userId)
            #expect(Self.isWebP(thumbnail))
            let small = try CheckedImage(thumbnail.bytes, within: .article)
            #expect(max(small.width, small.height) == 640)
            let content = try await files.content(of: file.id, for: chat.ada.userId)
            #expect(try CheckedImage(content.bytes, within: .article).width == file.width)
        }
    }

    @Test func `an image older than thumbnails gets one when it is first viewed`() async throws {
        try await withChatGroup { chat async throws in
            let files = chat.services.chat.files
            let file = try await chat.upload(LargePictures.png)
            try chat.fixture.change("UPDATE chat_files SET thumbnail = NULL, thumbnail_type = NULL")
            let first = try await files.thumbnail(of: file.id, for: chat.ada.userId)
            #expect(Self.isWebP(first))
            #expect(
                try chat.fixture.sql(String.self, "SELECT thumbnail_type FROM chat_files") == ["image/webp"])
            let again = try await files.thumbnail(of: file.id, for: chat.ada.userId)
            #expect(again.bytes == first.bytes)
            let stranger = await refusal {
                _ = try await files.thumbnail(of: file.id, for: chat.mallory.userId)
            }
            #expect(stranger?.isNotFound == true)
        }
    }

    @Test func `an image that cannot be decoded is shown as a drawing with its name, type and size`()
        async throws
    {
        try await withChatGroup { chat async throws in
            var bytes = LargePictures.png
            let data = try #require(Data(bytes).range(of: Data("IDAT".utf8))?.upperBound)
            for index in data..<(data + 60) { bytes[index] = 0xAA }
            let file = try await chat.upload(bytes, "sea & sky")
            #expect(!file.hasThumbnail)
            for _ in 0..<2 {
                let shown = try await chat.services.chat.files.thumbnail(of: file.id, for: chat.ada.userId)
                let text = String(decoding: shown.bytes, as: UTF8.self)
                #expect(shown.mediaType == "image/svg+xml" && text.contains("PNG, 720 × 540"))
                #expect(text.contains("sea &amp; sky") && !text.contains("sea & sky"))
            }
        }
    }

    @Test func `a small animation plays, and a large one shows its first frame`() async throws {
        try await withChatGroup { chat async throws in
            let files = chat.services.chat.files
            let small = try await chat.upload(LargePictures.movingWebP)
            let moving = try await files.thumbnail(of: small.id, for: chat.ada.userId)
            #expect(try CheckedImage(moving.bytes, within: .article).frameCount == 2)
            let large = try await chat.upload(Self.manyFrames)
            let still = try await files.thumbnail(of: large.id, for: chat.ada.userId)
            #expect(Self.isWebP(still))
        }
    }

    /// The GIF's single frame, fifty times: 19 million pixels.
    private static let manyFrames: [UInt8] = {
        let gif = LargePictures.gif
        let table = gif[10] & 0x80 == 0 ? 0 : 3 << (Int(gif[10] & 7) + 1)
        let frames = gif[(13 + table)...].dropLast()
        return gif[..<(13 + table)] + (0..<50).flatMap { _ in frames } + [0x3B]
    }()

    @Test func `a repeated upload is the same file, but another user's id is refused`() async throws {
        try await withChatGroup { chat async throws in
            let files = chat.services.chat.files
            let id = "7C0B9F3E-5A41-4C7D-9B1A-0D2E4F6A8B9C"
            let first = try await files.upload(
                [1, 2], name: "a", id: id, to: chat.group, by: chat.ada.userId)
            let second = try await files.upload(
                [1, 2], name: "a", id: id.lowercased(), to: chat.group, by: chat.ada.userId)
            #expect(first == second && first.id == id.lowercased())
            let taken = await refusal {
                _ = try await files.upload([3], name: "b", id: id, to: chat.group, by: chat.grace.userId)
            }
            #expect(taken?.isConflict == true)
            let senseless = await refusal {
                _ = try await files.upload([3], name: "b", id: "7", to: chat.group, by: chat.ada.userId)
            }
            #expect(senseless?.field == "id")
        }
    }

    @Test func `strangers cannot upload, and members have a limit`() async throws {
        try await withChatGroup { chat async throws in
            let stranger = await refusal { _ = try await chat.upload([1], by: chat.mallory) }
            #expect(stranger?.isNotFound == true)
            for _ in 0..<50 { _ = try await chat.upload([1]) }
            let tooMany = await refusal { _ = try await chat.upload([1]) }
            #expect(tooMany?.field == "file")
            _ = try await chat.upload([1], by: chat.grace)
        }
    }

    @Test func `only the uploader can discard a file before it is sent`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload([1])
            let other = await refusal {
                try await chat.services.chat.files.discard(file.id, by: chat.grace.userId)
            }
            #expect(other?.isNotFound == true)
            try await chat.services.chat.files.discard(file.id, by: chat.ada.userId)
            #expect(try await !chat.mayRead(file, chat.ada))
        }
    }

    @Test func `the files of a user who left Roost stay with their messages`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG, by: chat.grace)
            try await chat.send("", by: chat.grace, fileId: file.id)
            try await chat.services.identity.accounts.leave(
                chat.grace, password: Cast.password, from: Cast.desk)
            #expect(try await chat.mayRead(file, chat.ada))
            let problems = try await chat.services.problems()
            #expect(problems.isEmpty)
        }
    }
}
