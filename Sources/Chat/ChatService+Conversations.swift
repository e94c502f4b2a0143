import Foundation
package import RoostSupport

/// Conversations and their members.
extension ChatService {
    /// Begins a conversation, or returns the existing one of two users or with this id.
    ///
    /// - Parameters:
    /// - participants: with or without the user who starts it
    /// - id: the client's UUID, which makes repeating safe
    package func start(
        with participants: [UserID], groupName: String?, id: String?, by user: UserID
    ) async throws -> (conversation: ConversationSummary, isNew: Bool) {
        let name = try Self.groupName(groupName)
        let key = try id.map { try Self.uuid($0) } ?? UUID().uuidString.lowercased()
        var seen: Set<UserID> = [user]
        let members = [user] + participants.filter { seen.insert($0).inserted }
        guard members.count > 1 else {
            throw RoostError.invalid(field: "participants", why: "Choose someone to write to.")
        }
        try Self.checkCount(members.count)
        let isGroup = members.count > 2
        guard isGroup || name == nil else {
            throw RoostError.invalid(field: "groupName", why: "A group needs at least three people.")
        }
        // Prevents flooding other users' lists. A conversation of two exists only once, however often it is started.
        if isGroup { try consumeQuota(of: .user(user)) }
        let pair = isGroup ? nil : members.sorted().map { String($0) }.joined(separator: "-")
        let (found, isNew) = try await write { writes, commit in
            if let existing = try writes.storedConversation(key) {
                guard try writes.membership(of: user, in: existing) != nil else {
                    throw RoostError.conflict(field: "id", why: "This id is taken.")
                }
                return (existing, false)
            }
            if let pair, let id = try writes.conversation(ofPair: pair) { return (id, false) }
            try Self.checkExist(members, writes)
            try writes.addConversation(
                key, isGroup: isGroup, groupName: name, pair: pair, by: user, at: commit.time)
            let seq = try writes.addLogRow("conversation", in: key, at: commit.time)
            try writes.setCreatedSeq(seq, of: key)
            for member in members {
                try writes.addMember(
                    member, to: key, from: seq, isAdmin: isGroup && member == user, at: commit.time)
            }
            try writes.logConversation(key, membersChangedAt: seq, &commit)
            return (key, true)
        }
        return (try await conversation(found, for: user), isNew)
    }

    @discardableResult
    package func rename(
        _ id: ConversationID, to name: String?, by user: UserID
    ) async throws -> ConversationSummary {
        let name = try Self.groupName(name)
        return try await change(id, by: user) { writes, membership, commit in
            try writes.renameGroup(membership.conversationId, to: name)
            try writes.logConversation(membership.conversationId, &commit)
        }
    }

    /// - Parameter fileId: an image of the conversation, or nil to remove the photo
    @discardableResult
    package func setPhoto(
        _ id: ConversationID, fileId: String?, by user: UserID
    ) async throws -> ConversationSummary {
        try await change(id, by: user) { writes, membership, commit in
            let (id, image) = (membership.conversationId, fileId?.lowercased())
            if let image, try !writes.isImage(image, in: id) {
                throw RoostError.invalid(
                    field: "fileId", why: "There is no such image in this conversation.")
            }
            try writes.setGroupPhoto(image, of: id)
            try writes.logConversation(id, &commit)
        }
    }

    /// Adds users who are not members yet.
    ///
    /// - Parameter showingEarlier: whether they may read earlier messages
    @discardableResult
    package func add(
        _ users: [UserID], to id: ConversationID, showingEarlier: Bool, by user: UserID
    ) async throws -> ConversationSummary {
        try await change(id, by: user) { writes, membership, commit in
            let id = membership.conversationId
            let members = try writes.memberIds(of: id)
            var seen = Set(members)
            let new = users.filter { seen.insert($0).inserted }
            guard !new.isEmpty else { return }
            try Self.checkCount(members.count + new.count)
            try Self.checkExist(new, writes)
            let seq = try writes.addLogRow("conversation", in: id, at: commit.time)
            for user in new {
                try writes.addMember(
                    user, to: id, from: seq, visibleAfter: showingEarlier ? 0 : seq,
                    count: membership.messageCount, at: commit.time)
            }
            try writes.logConversation(id, membersChangedAt: seq, &commit)
        }
    }

    /// Removes a user from a group. Removing oneself is the same as leaving.
    package func remove(_ member: UserID, from id: ConversationID, by user: UserID) async throws {
        guard member != user else { return try await leave(id, by: user) }
        let conversation = try await change(id, by: user) { writes, membership, commit in
            try Self.end(try Self.member(member, in: membership.conversationId, writes), writes, &commit)
        }
        endTyping(of: member, in: conversation.id)
    }

    /// Leaves a group. If no admin is left, the longest member becomes one.
    package func leave(_ id: ConversationID, by user: UserID) async throws {
        let left = try await write { writes, commit in
            let membership = try writes.requiredMembership(of: user, in: id)
            try Self.checkGroup(membership)
            try Self.end(membership, writes, &commit)
            return membership.conversationId
        }
        endTyping(of: user, in: left)
    }

    private static func end(
        _ membership: ChatMembership, _ writes: Writes, _ commit: inout ChatCommit
    ) throws {
        let (id, user) = (membership.conversationId, membership.userId)
        let seq = try writes.addLogRow("conversation", in: id, at: commit.time)
        try writes.endMembership(membership, at: seq)
        try writes.ensureAdmin(of: id)
        try writes.logConversation(id, membersChangedAt: seq, &commit)
        try writes.removeOwnRows(of: user, in: id)
        try writes.logOwn(.removed, data: nil, in: id, for: user, &commit)
    }

    @discardableResult
    package func promote(
        _ member: UserID, in id: ConversationID, by user: UserID
    ) async throws -> ConversationSummary { try await setAdmin(true, member, in: id, by: user) }

    /// Throws `RoostError.conflict` for the last admin.
    @discardableResult
    package func demote(
        _ member: UserID, in id: ConversationID, by user: UserID
    ) async throws -> ConversationSummary { try await setAdmin(false, member, in: id, by: user) }

    private func setAdmin(
        _ isAdmin: Bool, _ member: UserID, in id: ConversationID, by user: UserID
    ) async throws -> ConversationSummary {
        try await change(id, by: user) { writes, membership, commit in
            let membership = try Self.member(member, in: membership.conversationId, writes)
            guard membership.isAdmin != isAdmin else { return }
            guard try isAdmin || writes.adminCount(of: membership.conversationId) > 1 else {
                throw RoostError.conflict(
                    field: "user", why: "A group needs an admin. Make someone else an admin first.")
            }
            try writes.setAdmin(isAdmin, membership)
            try writes.logConversation(membership.conversationId, &commit)
        }
    }

    package func setNotify(_ notify: ChatNotify, in id: ConversationID, for user: UserID) async throws {
        try await write { writes, commit in
            let membership = try writes.requiredMembership(of: user, in: id)
            try writes.setNotify(notify, membership)
            try writes.logOwn(
                .settings(notify), data: notify.rawValue, in: membership.conversationId, for: user, &commit)
        }
    }

    @discardableResult
    private func change(
        _ id: ConversationID, by user: UserID,
        _ work: @escaping @Sendable (Writes, ChatMembership, inout ChatCommit) throws -> Void
    ) async throws -> ConversationSummary {
        // Every change notifies all members, so it counts as a message.
        try consumeQuota(of: .user(user))
        try await write { writes, commit in
            let membership = try writes.requiredMembership(of: user, in: id)
            try Self.checkGroup(membership)
            guard membership.isAdmin else {
                throw RoostError.notAllowed("Only the group’s admins can do this.")
            }
            try work(writes, membership, &commit)
        }
        return try await conversation(id, for: user)
    }

    private static func checkGroup(_ membership: ChatMembership) throws {
        guard membership.isGroup else {
            throw RoostError.conflict(
                field: "conversation", why: "You can’t change a one-on-one conversation, but you can mute it."
            )
        }
    }

    private static func member(
        _ user: UserID, in id: ConversationID, _ reads: Reads
    ) throws -> ChatMembership {
        guard let membership = try reads.membership(of: user, in: id) else {
            throw RoostError.notFound("This person is not in the group.")
        }
        return membership
    }

    private static func checkCount(_ count: Int) throws {
        guard count <= maximumMembers else {
            throw RoostError.invalid(
                field: "participants", why: "A conversation can have up to \(maximumMembers) people.")
        }
    }

    private static func checkExist(_ users: [UserID], _ reads: Reads) throws {
        guard try reads.missingUsers(among: users).isEmpty else {
            throw RoostError.invalid(field: "participants", why: "There is no such person.")
        }
    }

    static func groupName(_ name: String?) throws -> String? {
        guard let name, !name.isBlank else { return nil }
        guard name.unicodeScalars.count <= maximumNameLength else {
            throw RoostError.invalid(
                field: "groupName", why: "A group’s name can have up to \(maximumNameLength) characters.")
        }
        return name.sanitized.trimmed
    }
}
