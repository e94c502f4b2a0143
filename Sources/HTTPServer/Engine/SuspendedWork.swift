/// What a suspended connection waits for.
protocol SuspendedWork: AnyObject, Sendable {
    /// A long poll, which may be ended at any time, as opposed to work that should finish.
    var isDeferred: Bool { get }

    /// The client has closed its end: nobody waits for the answer.
    func clientLeft()

    /// Asks what runs to end.
    func cancel()

    /// Answers with a fault if there is no answer yet; false if there is one.
    func fail(_ fault: ServerFault) -> Bool
}
