/// What a poll's answer carries besides the names of the topics that changed.
struct PollContent: Sendable {
    /// Of the answer's field.
    let name: String
    /// Equal for two users who are told the same: it is written once for both.
    let key: String
    let json: @Sendable () -> [UInt8]
}
