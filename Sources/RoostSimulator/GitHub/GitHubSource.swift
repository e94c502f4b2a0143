/// Something that answers as GitHub: the simulation, or a folder of recordings.
protocol GitHubSource: Sendable {
    /// The truth, before any fault; `place` is where GitHub is reached.
    func answer(_ request: GitHubRequest, at place: GitHubBaseURL) -> SimulatedResponse

    /// Who asks, for the log; nil: signed out.
    func login(of request: GitHubRequest) -> String?
}
