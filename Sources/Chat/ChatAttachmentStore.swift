package import GRDB
import RoostSupport

/// The files of messages, as far as a message's own transaction needs them.
package protocol ChatAttachmentStore: Sendable {
    /// Joins an unsent file of this user and conversation to the message with this seq.
    ///
    /// Throws `RoostError.invalid("fileId")` for any other file.
    func attach(
        _ fileId: String, to seq: Int64, in conversation: ConversationID, by sender: ChatSender,
        _ database: GRDB.Database
    ) throws -> MessageFile
    /// Deletes the file of a message that is being deleted.
    func remove(_ fileId: String, _ database: GRDB.Database) throws
    /// Whether an image of this conversation can be its photo.
    func isImage(_ fileId: String, in conversation: ConversationID, _ database: GRDB.Database) throws -> Bool
}
