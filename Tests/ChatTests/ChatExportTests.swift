import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import RoostSupport
@testable import TextFormats

@Suite(.timeLimit(.minutes(2))) struct ChatExportTests {
    private struct Export: Decodable {
        let program, kind: String
        let version: Int
        let conversation: Conversation
        let messages: [Message]
    }

    private static func bytes(_ export: ChatExport) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in export.json { bytes += chunk }
        return bytes
    }

    @Test func `the export has all messages, oldest first, page by page`() async throws {
        try await withChatGroup { chat async throws in
            var texts: [String] = []
            for number in 0..<250 {
                texts.append("message \(number) </script> \"quoted\" \u{2028}")
                try await chat.send(texts[number])
                if number == 100 { chat.clock.advance(60) }
            }
            let export = try await chat.services.chat.exports.export(chat.group, for: chat.grace.userId)
            var sizes: [Int] = []
            for try await page in export.pages { sizes.append(page.count) }
            #expect(sizes == [200, 50])
            let read = try JSONDecoder().decode(Export.self, from: Data(try await Self.bytes(export)))
            #expect(read.program == "Roost" && read.kind == "conversation" && read.version == 1)
            #expect(read.conversation.id == chat.group && read.conversation.groupName == "Birds")
            #expect(read.messages.map(\.text) == texts)
            let page = try await chat.services.chat.conversations.page(
                of: chat.group, for: chat.grace.userId, limit: 1)
            #expect(read.messages.last?.id == page.messages.last?.id)
            #expect(read.messages.map(\.number) == Array(1...250))
        }
    }

    @Test func `a conversation without messages is exported too`() async throws {
        try await withChatGroup { chat async throws in
            let export = try await chat.services.chat.exports.export(chat.group, for: chat.ada.userId)
            let read = try JSONDecoder().decode(Export.self, from: Data(try await Self.bytes(export)))
            #expect(read.messages.isEmpty)
        }
    }

    @Test func `the export includes images, but no other files and no deleted ones`() async throws {
        try await withChatGroup { chat async throws in
            let image = try await chat.upload(Pictures.plainWebP, "a.webp")
            let message = try await chat.send("", fileId: image.id)
            let note = try await chat.upload(Array("<script>".utf8), "a.html")
            try await chat.send("", fileId: note.id)
            let export = try await chat.services.chat.exports.export(chat.group, for: chat.grace.userId)
            let url = try #require(try await export.dataURL(of: image))
            let base64 = Data(Pictures.plainWebP).base64EncodedString()
            #expect(url == "data:image/webp;base64," + base64)
            #expect(try await export.dataURL(of: note) == nil)
            try await chat.services.chat.conversations.delete(message.seq, by: chat.ada.userId)
            #expect(try await export.dataURL(of: image) == nil)
        }
    }

    @Test func `strangers cannot export, and a removed member gets no further page`() async throws {
        try await withChatGroup { chat async throws in
            let stranger = await refusal {
                _ = try await chat.services.chat.exports.export(chat.group, for: chat.mallory.userId)
            }
            #expect(stranger?.isNotFound == true)
            for number in 0..<201 { try await chat.send("\(number)") }
            let export = try await chat.services.chat.exports.export(chat.group, for: chat.grace.userId)
            var pages = export.pages.makeAsyncIterator()
            let first = try await pages.next()
            #expect(first?.count == 200)
            try await chat.services.chat.conversations.remove(
                chat.grace.userId, from: chat.group, by: chat.ada.userId)
            await #expect(throws: RoostError.self) { _ = try await pages.next() }
        }
    }

    @Test func `the file name contains the conversation and the day`() async throws {
        try await withChatGroup { chat async throws in
            let day = ISO8601.seconds(chat.clock.now).prefix(10)
            let group = try await chat.services.chat.exports.export(chat.group, for: chat.ada.userId)
            #expect(group.fileName == "Birds \(day)")
            let pair = try await chat.pair(chat.ada, chat.grace)
            let other = try await chat.services.chat.exports.export(pair, for: chat.ada.userId)
            #expect(other.fileName == "Chat with Grace Hopper \(day)")
        }
    }
}
