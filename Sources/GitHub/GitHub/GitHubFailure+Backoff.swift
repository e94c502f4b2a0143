package import RoostSupport

extension GitHubFailure: UpstreamFailure {}

extension Backoff {
    /// After failures of GitHub's.
    package static let gitHub = Backoff(initial: 15, maximum: 600)
}
