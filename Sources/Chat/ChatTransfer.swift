import Foundation
import GRDB
import RoostSupport
import TextFormats

/// Conversations in an export of all data, in four files: conversations, messages, files, and who is a member with
/// which position.
///
/// Memberships come last, so that no one sees a conversation before its messages are there. Webhooks stay behind:
/// their addresses are secrets.
///
/// A user's own file may not put words into other people's mouths. Its conversations become groups of this user
/// alone, with everyone's messages, but only the user's own have an account; a conversation that is here already is
/// only compared.
struct ChatTransfer: Sendable {
    let chat: ChatService
    /// What a user's own file can add.
    var maximumMessages = 500_000
    var maximumConversations = 10_000

    var parts: [TransferPart] { [conversations, messages, files, members] }

    // MARK: Conversations

    private struct ConversationRow: Codable {
        struct Member: Codable {
            var user: String
            var name: String
        }

        var id: String
        var isGroup: Bool
        var name: String?
        /// The id of a file.
        var photo: String?
        var createdBy: String?
        var createdAt: Date
        var members: [Member]
    }

    private var conversations: TransferPart {
        TransferPart("conversations", isShared: true) { reads, source, key in
            let rows = try reads.conversationsToExport(of: source.user, after: key)
            let lines = rows.readable { row in
                let id = try row.text("id")
                let members = try reads.chatMembersToExport(of: id)
                return try TransferLine.json(
                    ConversationRow(
                        id: id, isGroup: try row.value("is_group"), name: try row.textIfPresent("group_name"),
                        photo: try row.textIfPresent("group_photo"),
                        createdBy: try row.textIfPresent("creator"), createdAt: try row.time("created_at"),
                        members: members.map { ConversationRow.Member(user: $0.user, name: $0.name) }))
            }
            return TransferPage(lines: lines, next: try rows.last?.id("place"))
        } merge: { [chat, maximumConversations] row in
            var draft: ConversationRow = try row.decode()
            draft.id = try ChatService.uuid(draft.id)
            draft.createdAt = row.context.time(draft.createdAt)
            draft.photo = try draft.photo.map { try ChatService.uuid($0).lowercased() }
            if draft.isGroup { draft.name = try ChatService.groupName(draft.name) }
            guard draft.members.count <= ChatService.maximumMembers else {
                throw RoostError.file(
                    "A conversation can have at most \(ChatService.maximumMembers) members.")
            }
            let (owner, context) = (row.owner, row.context)
            return { [draft] writes in
                let (id, isNew) =
                    if let owner {
                        try Self.addOwn(
                            draft, of: owner, limit: maximumConversations, context, in: writes)
                    } else {
                        try Self.addShared(draft, context, in: writes)
                    }
                context.setName(id, of: Self.key(owner, draft.id))
                if isNew { try chat.noteImport(into: id, in: writes) }
                return isNew ? .added : .unchanged
            }
        }
    }

    static func key(_ owner: UserID?, _ id: String) -> String {
        "conversation/\(owner ?? 0)/\(id.lowercased())"
    }

    private static func addShared(
        _ draft: ConversationRow, _ context: TransferContext, in writes: Writes
    ) throws -> (id: String, isNew: Bool) {
        let members = Set(draft.members.compactMap { context.person($0.user) })
        var id = draft.id
        if let stored = try writes.storedConversation(id) {
            if try members.isSuperset(of: writes.memberIds(of: stored)) { return (stored, false) }
            // It has members who do not belong to the file's conversation.
            id = copy(of: id, for: nil)
            if let stored = try writes.storedConversation(id) {
                guard try members.isSuperset(of: writes.memberIds(of: stored)) else {
                    throw RoostError.file("This conversation is here already, with other members.")
                }
                return (stored, false)
            }
        }
        var pair: String?
        if !draft.isGroup {
            // The other one's account may be gone.
            pair =
                members.count == 2
                ? members.sorted().map { "\($0)" }.joined(separator: "-") : "imported-\(id)"
            if let pair, let id = try writes.conversation(ofPair: pair) { return (id, false) }
        }
        try writes.addImportedConversation(
            id, name: draft.name, photo: draft.photo, pair: pair, by: context.person(draft.createdBy),
            createdAt: draft.createdAt, at: context.now)
        return (id, true)
    }

    private static func addOwn(
        _ draft: ConversationRow, of owner: UserID, limit: Int, _ context: TransferContext,
        in writes: Writes
    ) throws -> (id: String, isNew: Bool) {
        var id = draft.id
        if let stored = try writes.storedConversation(id) {
            if let mine = try writes.membership(of: owner, in: stored) { return (mine.conversationId, false) }
            id = copy(of: draft.id, for: owner)
            if try writes.membership(of: owner, in: id) != nil { return (id, false) }
            guard try writes.storedConversation(id) == nil else {
                throw RoostError.file("You have left this conversation, which is here already.")
            }
        }
        guard context.count(["\(owner)", "conversation"]) < limit else {
            throw RoostError.file("An import can add at most \(limit) conversations.")
        }
        let others = draft.members.filter { context.person($0.user) != owner }.map(\.name)
        let name = draft.name ?? (others.isEmpty ? nil : others.prefix(3).joined(separator: ", "))
        try writes.addImportedConversation(
            id, name: try ChatService.groupName(name.map { String($0.unicodeScalars.prefix(100)) }),
            photo: draft.photo, pair: nil, by: owner, createdAt: draft.createdAt, at: context.now)
        let seq = try writes.createdSeq(of: id)
        try writes.addMember(owner, to: id, from: seq, isAdmin: true, at: context.now)
        return (id, true)
    }

    /// The id of a user's own copy; the same for each import.
    private static func copy(of id: String, for owner: UserID?) -> String {
        NameBasedUUID.of("imported copy", "\(owner ?? 0)", id.lowercased())
    }

    // MARK: Messages

    /// Names a message, whatever its number is on this server.
    private struct MessageName: Codable {
        var id: String
        /// The user name; nil for bots and for accounts that are gone.
        var sender: String?
        /// As stored where it was written.
        var senderKey: String

        func key(_ context: TransferContext) -> String {
            context.person(sender).map { "\($0)" } ?? ChatTransfer.strangerKey
        }
    }

    /// The sender key of everyone without an account here, and in a user's own file of everyone else.
    private static let strangerKey = "imported"

    /// Follows the names of other people in a user's own file, who need not have written this.
    private static let mark = " (imported)"

    /// The account of someone in the file. A user's own file only speaks for this user.
    private static func account(
        _ username: String?, _ owner: UserID?, _ context: TransferContext
    ) -> UserID? {
        context.person(username).flatMap { owner == nil || $0 == owner ? $0 : nil }
    }

    private struct MessageRow: Codable {
        struct Reaction: Codable {
            var user: String
            var emoji: String
        }

        var id: String
        var conversation: String
        var sender: String?
        var senderKey: String
        /// The name that the sender was shown with.
        var name: String
        var text: String
        var file: MessageFile?
        var sentAt: Date
        var editedAt, deletedAt, deliveredAt, readAt: Date?
        var replyTo: MessageName?
        var mentions: [String]?
        var reactions: [Reaction]?

        var reference: MessageName { MessageName(id: id, sender: sender, senderKey: senderKey) }
    }

    private var messages: TransferPart {
        TransferPart("messages", isShared: true) { reads, source, key in
            let rows = try reads.messagesToExport(of: source.user, after: key)
            let lines = rows.readable { row in
                let quoted: MessageName? = try row.textIfPresent("quoted_id").map { id in
                    MessageName(
                        id: id, sender: try row.textIfPresent("quoted_sender"),
                        senderKey: try row.text("quoted_key"))
                }
                let (mentions, reactions): ([String]?, [MessageRow.Reaction]?) = (
                    try row.jsonIfPresent("mentioned"), try row.jsonIfPresent("reactions")
                )
                return try TransferLine.json(
                    MessageRow(
                        id: try row.text("id"), conversation: try row.text("conversation_id"),
                        sender: try row.textIfPresent("sender"), senderKey: try row.text("sender_key"),
                        name: try row.textIfPresent("name") ?? Message.formerMember,
                        text: try row.text("text", maximumBytes: Message.maximumTextBytes),
                        file: try row.jsonIfPresent("file"), sentAt: try row.time("sent_at"),
                        editedAt: try row.timeIfPresent("edited_at"),
                        deletedAt: try row.timeIfPresent("deleted_at"),
                        deliveredAt: try row.timeIfPresent("delivered_at"),
                        readAt: try row.timeIfPresent("read_at"), replyTo: quoted,
                        mentions: mentions?.isEmpty == true ? nil : mentions,
                        reactions: reactions?.isEmpty == true ? nil : reactions))
            }
            return TransferPage(lines: lines, next: try rows.last?.id("seq"))
        } merge: { [chat, maximumMessages] row in
            let (owner, context) = (row.owner, row.context)
            let draft = try Self.checked(try row.decode(), owner, context)
            return { writes in
                guard let conversation = context.name(Self.key(owner, draft.conversation)) else {
                    return .skipped("Its conversation was not imported.")
                }
                if try Self.find(draft.reference, in: conversation, owner, context, writes) != nil {
                    return .unchanged
                }
                if let owner, try writes.hasOtherMembers(conversation, than: owner) {
                    return .skipped("This conversation is here, without this message.")
                }
                if let owner {
                    guard context.count(["\(owner)", "message"]) < maximumMessages else {
                        return .skipped("An import can add at most \(maximumMessages) messages.")
                    }
                }
                try Self.add(draft, to: conversation, owner, context, in: writes)
                try chat.noteImport(into: conversation, in: writes)
                return .added
            }
        }
    }

    private static func checked(
        _ row: MessageRow, _ owner: UserID?, _ context: TransferContext
    ) throws -> MessageRow {
        var row = row
        row.id = try ChatService.uuid(row.id)
        guard row.text.utf8.count <= Message.maximumTextBytes else {
            throw RoostError.file("This message is too long.")
        }
        guard !row.text.isBlank || row.file != nil || row.deletedAt != nil else {
            throw RoostError.file("This message is empty.")
        }
        if row.deletedAt != nil { (row.text, row.file, row.mentions, row.reactions) = ("", nil, nil, nil) }
        row.file = try row.file.map(checked)
        row.name = String(row.name.sanitized.trimmed.unicodeScalars.prefix(64))
        if row.name.isEmpty { row.name = Message.formerMember }
        row.sentAt = context.time(row.sentAt)
        row.editedAt = row.editedAt.map(context.time)
        row.deletedAt = row.deletedAt.map(context.time)
        row.deliveredAt = row.deliveredAt.map(context.time)
        row.readAt = row.readAt.map(context.time)
        row.reactions = row.reactions?.filter { ChatService.isEmoji($0.emoji) }
        guard let owner else { return row }
        if context.person(row.sender) == owner {
            // Others would have received and read it.
            (row.deliveredAt, row.readAt) = (nil, nil)
        } else if !row.name.hasSuffix(mark) {
            row.name = String(row.name.unicodeScalars.prefix(64 - mark.unicodeScalars.count)) + mark
        }
        return row
    }

    /// Only values that Roost could have written itself.
    private static func checked(_ file: MessageFile) throws -> MessageFile {
        let id = try ChatService.uuid(file.id).lowercased()
        let sides = 1...CheckedImage.maximumSide
        let isImage = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(file.type)
        guard (0...ChatFileService.maximumBytes).contains(file.byteCount),
            isImage
                ? sides.contains(file.width ?? 0) && sides.contains(file.height ?? 0)
                : file.type == ChatFileService.downloadType && file.width == nil && file.height == nil
        else { throw RoostError.file("The file of this message is invalid.") }
        return MessageFile(
            id: id, name: ChatFileName.safe(file.name, type: file.type), type: file.type,
            byteCount: file.byteCount, width: file.width, height: file.height,
            hasThumbnail: file.hasThumbnail && isImage)
    }

    /// The seq and the file of a message that is in this conversation, with its own id or as a copy.
    private static func find(
        _ name: MessageName, in conversation: String, _ owner: UserID?, _ context: TransferContext,
        _ reads: Reads
    ) throws -> (seq: Int64, file: String?)? {
        for key in [name.key(context), strangerKey, name.senderKey] {
            for id in [name.id, copy(of: name.id, for: owner)] {
                if let found = try reads.importedMessage(id, of: key), found.conversation == conversation {
                    return (found.seq, found.file)
                }
            }
        }
        return nil
    }

    private static func add(
        _ draft: MessageRow, to conversation: String, _ owner: UserID?, _ context: TransferContext,
        in writes: Writes
    ) throws {
        let sender = account(draft.sender, owner, context)
        let key = sender.map { "\($0)" } ?? strangerKey
        // The id may belong to a message of another conversation.
        let isTaken = try writes.importedMessage(draft.id, of: key) != nil
        let quoted = try draft.replyTo.flatMap { try find($0, in: conversation, owner, context, writes)?.seq }
        var file = draft.file
        if let given = file, let stored = try writes.uploadedFile(given.id),
            stored.conversation != conversation
        {
            file = given.renamed(copy(of: given.id, for: owner))
        }
        let seq = try writes.addLogRow("message", in: conversation, at: context.now)
        try writes.addImportedMessage(
            seq, id: isTaken ? copy(of: draft.id, for: owner) : draft.id, to: conversation, from: sender,
            key: key, botName: sender == nil ? draft.name : nil, text: draft.text, file: file,
            replyTo: quoted, mentions: draft.mentions?.compactMap { account($0, owner, context) } ?? [],
            times: [draft.sentAt, draft.editedAt, draft.deletedAt, draft.deliveredAt, draft.readAt])
        let message = try writes.requiredMessage(seq)
        try writes.countMessage(message)
        for reaction in draft.reactions ?? [] {
            guard let user = account(reaction.user, owner, context) else { continue }
            _ = try writes.setReaction(
                EmojiForm.qualified(reaction.emoji), on: message, by: user, isOn: true)
        }
    }

    // MARK: Files

    private struct FileRow: Codable {
        var conversation: String
        /// The user name.
        var sender: String?
        /// Nil for the photo of a group.
        var message: MessageName?
        var file: MessageFile
        var createdAt: Date
        var thumbnail: Data?
        var path: String
    }

    private static let folder = "files/"

    private static func path(_ id: String, _ type: String) -> String {
        let ending = type.hasPrefix("image/") ? "." + type.dropFirst("image/".count) : ""
        return folder + id + ending
    }

    private var files: TransferPart {
        let content = TransferFiles(maximumBytes: ChatFileService.maximumBytes) { reads, source, key in
            let rows = try reads.filesToExport(
                of: source.user, after: key, limit: 1_000, withThumbnails: false)
            return (
                rows.readable { Self.path(try $0.text("id"), try $0.text("type")) },
                try rows.last?.id("place")
            )
        } content: { reads, _, path in
            let name = path.dropFirst(Self.folder.count)
            return try reads.fileBytes(String(name.prefix(36)))
        }
        return TransferPart("files", isShared: true, files: content) { reads, source, key in
            // Thumbnails are small.
            let rows = try reads.filesToExport(of: source.user, after: key, limit: 20, withThumbnails: true)
            let lines = rows.readable { row in
                let file = try ChatFileStore.file(row)
                let message: MessageName? = try row.textIfPresent("message_id").map { id in
                    MessageName(
                        id: id, sender: try row.textIfPresent("message_sender"),
                        senderKey: try row.text("message_key"))
                }
                return try TransferLine.json(
                    FileRow(
                        conversation: try row.text("conversation_id"),
                        sender: try row.textIfPresent("sender"),
                        message: message, file: file, createdAt: try row.time("created_at"),
                        thumbnail: try row.value("thumbnail"), path: Self.path(file.id, file.type)))
            }
            return TransferPage(lines: lines, next: try rows.last?.id("place"))
        } merge: { row in
            let (owner, context) = (row.owner, row.context)
            let draft: FileRow = try row.decode()
            let file = try Self.checked(draft.file)
            guard let bytes = row.content else {
                throw RoostError.file("The zip file has no “\(draft.path.prefix(100))”.")
            }
            guard bytes.count == file.byteCount else { throw RoostError.file("This file is cut off.") }
            let image = file.isImage ? try CheckedImage(bytes, within: ChatFileService.imageLimits) : nil
            if let image {
                guard image.mediaType == file.type, image.width == file.width, image.height == file.height
                else { throw RoostError.file("This picture isn’t as its row says.") }
            }
            let clean = image?.bytes ?? bytes
            // Roost makes a missing one.
            let thumbnail = draft.thumbnail.flatMap {
                try? CheckedImage([UInt8]($0), within: ChatFileService.thumbnailLimits)
            }
            return { writes in
                guard let conversation = context.name(Self.key(owner, draft.conversation)) else {
                    return .skipped("Its conversation was not imported.")
                }
                var (stored, seq): (MessageFile, Int64?) = (file, nil)
                if let name = draft.message {
                    guard let message = try Self.find(name, in: conversation, owner, context, writes),
                        let id = message.file
                    else { return .skipped("Its message was not imported.") }
                    (stored, seq) = (file.renamed(id), message.seq)
                }
                if let existing = try writes.uploadedFile(stored.id) {
                    return existing.conversation == conversation
                        ? .unchanged : .skipped("Another conversation has this file.")
                }
                if draft.message == nil, let owner, try writes.hasOtherMembers(conversation, than: owner) {
                    return .skipped("This conversation is here, without this file.")
                }
                try writes.addImportedFile(
                    stored, clean, thumbnail: thumbnail, of: seq, to: conversation,
                    by: Self.account(draft.sender, owner, context), at: context.time(draft.createdAt))
                return .added
            }
        }
    }

    // MARK: Members

    private struct MemberRow: Codable {
        var conversation: String
        var user: String
        var isAdmin: Bool
        var joinedAt: Date
        var notify: ChatNotify
        /// Numbers of messages: the last one before joining, the last one that is hidden from the user, and the last
        /// ones delivered and read.
        var joinedAfter, visibleAfter, delivered, read: Int
        var draft: String?
    }

    private var members: TransferPart {
        TransferPart("members", isShared: true) { reads, source, key in
            let rows = try reads.membersToExport(of: source.user, after: key)
            let lines = rows.readable { row in
                try TransferLine.json(
                    MemberRow(
                        conversation: try row.text("conversation_id"), user: try row.text("username"),
                        isAdmin: try row.value("is_admin"), joinedAt: try row.time("joined_at"),
                        notify: try row.choice("notify"), joinedAfter: try row.value("joined"),
                        visibleAfter: try row.value("visible"), delivered: try row.value("delivered"),
                        read: try row.value("read"),
                        draft: try row.textIfPresent("draft", maximumBytes: Message.maximumTextBytes)))
            }
            return TransferPage(lines: lines, next: try rows.last?.id("id"))
        } merge: { [chat] row in
            let (owner, context) = (row.owner, row.context)
            let draft: MemberRow = try row.decode()
            if let text = draft.draft, text.utf8.count > Message.maximumTextBytes {
                throw RoostError.file("The draft is too long.")
            }
            return { writes in
                guard let conversation = context.name(Self.key(owner, draft.conversation)) else {
                    return .skipped("Its conversation was not imported.")
                }
                guard let user = context.person(draft.user) else {
                    return .skipped("“\(draft.user.prefix(64))” has no account here.")
                }
                if let owner {
                    guard user == owner else { return .skipped("This isn’t your membership.") }
                    return try Self.finishOwn(draft, of: owner, in: conversation, context, writes)
                }
                if try writes.membership(of: user, in: conversation) != nil { return .unchanged }
                try Self.add(draft, user, to: conversation, context, in: writes)
                try chat.noteImport(into: conversation, in: writes)
                return .added
            }
        }
    }

    private static func add(
        _ draft: MemberRow, _ user: UserID, to conversation: String, _ context: TransferContext,
        in writes: Writes
    ) throws {
        let created = try writes.createdSeq(of: conversation)
        func position(_ number: Int) throws -> Int64 {
            guard number > 0 else { return created }
            return try writes.messageSeq(upTo: number, in: conversation) ?? created
        }
        try writes.addMember(
            user, to: conversation, from: try position(draft.joinedAfter), isAdmin: draft.isAdmin,
            visibleAfter: draft.visibleAfter > 0 ? try position(draft.visibleAfter) : 0,
            at: context.time(draft.joinedAt))
        let membership = try writes.requiredMembership(of: user, in: conversation)
        try writes.setNotify(draft.notify, membership)
        let (read, delivered) = (try position(draft.read), try position(draft.delivered))
        _ = try writes.setRead(membership, to: read)
        try writes.raiseDelivered(membership, to: delivered)
        if let text = draft.draft, !text.isBlank {
            try writes.setChatDraft(text, of: user, in: conversation, at: context.now)
        }
        try writes.setLastLogRow(
            try writes.addLogRow("conversation", in: conversation, at: context.now), of: conversation)
    }

    /// All of a user's own copy is read.
    private static func finishOwn(
        _ draft: MemberRow, of owner: UserID, in conversation: String, _ context: TransferContext,
        _ writes: Writes
    ) throws -> TransferResult {
        let membership = try writes.requiredMembership(of: owner, in: conversation)
        guard try !writes.hasOtherMembers(conversation, than: owner),
            membership.readSeq < membership.lastMessageSeq
        else { return .unchanged }
        _ = try writes.setRead(membership, to: membership.lastMessageSeq)
        try writes.setNotify(draft.notify, membership)
        if let text = draft.draft, !text.isBlank,
            try writes.chatDraft(of: owner, in: conversation) == nil
        {
            try writes.setChatDraft(text, of: owner, in: conversation, at: context.now)
        }
        return .added
    }
}
