/// What a poll's answer carries besides the names of the topics that changed.
struct PollContent: Sendable {
    /// Of the answer's field.
    let name: String
    let json: [UInt8]
}
