import Accounts
import Chat
import Foundation
import HTTPClient
import Logging
import RoostServices
import RoostSupport

/// The demo's people and conversations: history written before the start, then live messages.
struct DemoTeam: Sendable {
    let services: Services
    let log: Logger
    /// By user name.
    let users: [String: UserID]
    /// By the demo's own id.
    let conversations: [String: ConversationID]

    private static let people = [DemoPerson.visitor] + DemoPerson.colleagues

    // MARK: History

    /// Writes people and history into the data folder before Roost starts on it, because only these services
    /// use a clock in the past.
    static func write(
        _ configuration: Services.Configuration, log: Logger, now: Date = Date()
    ) async throws -> Members {
        let clock = DemoClock(now - Double(oldestMinutes + 60) * 60)
        let client = HTTPClient(userAgent: "Roost/\(Roost.version)")
        defer { client.shutdown() }
        let services = try Services(configuration, client: client, clock: clock.wall, log: log)
        try await services.load()
        let team = DemoTeam(
            services: services, log: log, users: try await addPeople(services), conversations: [:])
        let members = try await team.writeHistory(clock, now: now)
        try services.close()
        return members
    }

    /// User and conversation ids by their names in the demo.
    struct Members: Sendable {
        let users: [String: UserID]
        let conversations: [String: ConversationID]
    }

    private static var oldestMinutes: Int {
        max(DemoHistory.messages.first?.minutesAgo ?? 0, DemoLibrary.articles.first?.minutesAgo ?? 0)
    }

    private static func addPeople(_ services: Services) async throws -> [String: UserID] {
        var users: [String: UserID] = [:]
        for person in people {
            let isVisitor = person.username == DemoPerson.visitor.username
            let profile = try Profile(
                username: person.username, email: isVisitor ? "ada@example.org" : nil,
                displayName: person.name)
            let added = try await services.identity.accounts.add(
                profile, role: isVisitor ? .owner : .member, password: nil)
            users[person.username] = added.userId
        }
        return users
    }

    private init(
        services: Services, log: Logger, users: [String: UserID], conversations: [String: ConversationID]
    ) {
        self.services = services
        self.log = log
        self.users = users
        self.conversations = conversations
    }

    /// A team for running services with the written history.
    init(_ members: Members, services: Services, log: Logger) {
        self.init(
            services: services, log: log, users: members.users, conversations: members.conversations)
    }

    var chat: ChatService { services.chat.conversations }

    func user(_ name: String) throws -> UserID {
        guard let user = users[name] else { throw RoostError.notFound("The demo has no \(name).") }
        return user
    }

    func conversation(_ name: String) throws -> ConversationID {
        guard let id = conversations[name] else {
            throw RoostError.notFound("The demo has no conversation \(name).")
        }
        return id
    }

    private func writeHistory(_ clock: DemoClock, now: Date) async throws -> Members {
        var conversations: [String: ConversationID] = [:]
        for each in DemoConversation.all {
            let starter = try user(each.members[0])
            let started = try await chat.start(
                with: each.members.map(user), groupName: each.name, id: nil, by: starter)
            conversations[each.id] = started.conversation.id
        }
        let team = DemoTeam(services: services, log: log, users: users, conversations: conversations)
        for each in DemoConversation.all { try await team.configure(each) }
        try await team.writeMessages(clock, now: now)
        try await team.saveArticles(clock, now: now)
        clock.set(now)
        for each in DemoConversation.all { try await team.read(each) }
        await chat.flush()
        return Members(users: users, conversations: conversations)
    }

    private func configure(_ each: DemoConversation) async throws {
        let id = try conversation(each.id), starter = try user(each.members[0])
        for admin in each.admins { try await chat.promote(user(admin), in: id, by: starter) }
        if each.hasPhoto {
            let photo = try await services.chat.files.upload(
                DemoPicture.cogwheel(), name: "photo.png", to: id, by: starter)
            try await chat.setPhoto(id, fileId: photo.id, by: starter)
        }
        let visitor = try user(DemoPerson.visitor.username)
        if each.notify != .all { try await chat.setNotify(each.notify, in: id, for: visitor) }
        if !each.draft.isEmpty { try await chat.saveDraft(each.draft, in: id, by: visitor) }
    }

    private func writeMessages(_ clock: DemoClock, now: Date) async throws {
        var labels: [String: Int] = [:]
        var newest: [String: Int] = [:]
        for message in DemoHistory.messages {
            clock.set(now - Double(message.minutesAgo) * 60)
            let id = try conversation(message.conversation)
            let sent: Message
            if let sender = users[message.sender] {
                // Sending implies that the sender has read everything before.
                if let newest = newest[message.conversation] {
                    try await chat.markRead(id, upTo: newest, by: sender)
                }
                sent = try await send(
                    message.originalText ?? message.text, carrying: message.attachment,
                    replyTo: message.replyTo.flatMap { labels[$0] }, to: id, by: sender)
                clock.set(now - Double(message.minutesAgo) * 60 + 40)
                if message.originalText != nil {
                    _ = try await chat.edit(sent.seq, text: message.text, by: sender)
                }
                if message.isDeleted { try await chat.delete(sent.seq, by: sender) }
            } else {
                sent = try await post(message, to: id)
            }
            for (emoji, names) in message.reactions {
                for name in names { try await chat.react(emoji, on: sent.seq, by: user(name), isOn: true) }
            }
            if let label = message.label { labels[label] = sent.number }
            newest[message.conversation] = sent.number
        }
    }

    private func send(
        _ text: String, carrying attachment: DemoMessage.Attachment? = nil, replyTo: Int? = nil,
        to id: ConversationID, by sender: UserID
    ) async throws -> Message {
        var message = NewMessage(id: UUID().uuidString.lowercased(), text: text, replyTo: replyTo)
        switch attachment {
        case .picture(let name):
            message.fileId = try await services.chat.files.upload(
                DemoPicture.chart(), name: name, to: id, by: sender
            ).id
        case .text(let name, let content):
            message.fileId = try await services.chat.files.upload(
                Array(content.utf8), name: name, to: id, by: sender
            ).id
        case nil: break
        }
        return try await chat.send(message, to: id, by: .user(sender)).message
    }

    /// Posts through a new webhook of the visitor.
    private func post(_ message: DemoMessage, to id: ConversationID) async throws -> Message {
        let webhook = try await services.chat.webhooks.add(
            message.sender, to: id, by: user(DemoPerson.visitor.username))
        return try await services.chat.webhooks.post(message.text, secret: webhook.secret).message
    }

    /// Sets each person's read position for the start of the demo.
    private func read(_ each: DemoConversation) async throws {
        let id = try conversation(each.id), visitor = try user(DemoPerson.visitor.username)
        let messages = try await chat.page(of: id, for: visitor).messages
        guard let newest = messages.last else { return }
        for person in DemoPerson.colleagues where each.members.contains(person.username) {
            switch person.attention {
            case .reads: try await chat.markRead(id, upTo: newest.number, by: user(person.username))
            case .readsLate: chat.acknowledge(newest.seq, by: try user(person.username))
            case .offline: break
            }
        }
        let received = messages.filter { $0.senderUserId != visitor }
        let firstUnread = each.unread > 0 ? received.suffix(each.unread).first : nil
        let lastRead = firstUnread.flatMap { unread in messages.last { $0.seq < unread.seq } }
        if let number = firstUnread == nil ? newest.number : lastRead?.number {
            try await chat.markRead(id, upTo: number, by: visitor)
        }
    }

    /// Sends messages with links to pull requests, coins and articles, which show as cards.
    func writeLinks() async {
        do {
            let visitor = try user(DemoPerson.visitor.username)
            await services.gitHub.pulls.refresh(visitor)
            let pull = try await services.gitHub.pulls.inbox(of: visitor).sections.flatMap(\.items).first
            if let address = pull?.pull.htmlURL {
                try await send("Can you look at this before I merge it? \(address)", to: "alan", by: "alan")
            }
            let repository = try await services.gitHub.repositories.page(since: 0, for: visitor).items.first
            if let name = repository?.fullName {
                try await send("Do we know this one? /repositories/\(name)", to: "team", by: "barbara")
            }
            try await send("/price bitcoin", to: "lunch", by: "grace")
            try await send("Ten minutes well spent: \(DemoLibrary.linked)", to: "team", by: "grace")
        } catch {
            log.error("The demo continues without links", metadata: ["error": "\(error)"])
        }
    }

    /// Sends text, which may be a command; an invalid command is sent as text.
    func send(_ typed: String, to conversation: String, by person: String) async throws {
        let (id, sender) = (try self.conversation(conversation), try user(person))
        let text: String
        do {
            text = try await services.chatLinks.commands.text(for: typed, by: sender)
        } catch RoostError.invalid {
            text = typed
        }
        _ = try await send(text, to: id, by: sender)
    }
}
