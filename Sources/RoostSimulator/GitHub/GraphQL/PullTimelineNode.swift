/// A pull request's event as requested by the operation `Details`. Each kind has its own members.
enum PullTimelineNode: Encodable {
    case requested(at: String, SimulatedPullNode.ReviewRequest)
    case assigned(at: String, SimulatedPerson)
    case ready(at: String)
    case dismissed(at: String, SimulatedPerson, SimulatedReview.State, push: String)

    private enum CodingKeys: CodingKey {
        case __typename, createdAt, requestedReviewer, assignee, previousReviewState, pullRequestCommit
        case review
    }

    private struct Review: Encodable { let author: ActorNode }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .requested(let at, let request):
            try members.encode("ReviewRequestedEvent", forKey: .__typename)
            try members.encode(at, forKey: .createdAt)
            try members.encode(request.requestedReviewer, forKey: .requestedReviewer)
        case .assigned(let at, let person):
            try members.encode("AssignedEvent", forKey: .__typename)
            try members.encode(at, forKey: .createdAt)
            try members.encode(ActorNode(person), forKey: .assignee)
        case .ready(let at):
            try members.encode("ReadyForReviewEvent", forKey: .__typename)
            try members.encode(at, forKey: .createdAt)
        case .dismissed(let at, let author, let state, let push):
            try members.encode("ReviewDismissedEvent", forKey: .__typename)
            try members.encode(at, forKey: .createdAt)
            try members.encode(state.rawValue, forKey: .previousReviewState)
            try members.encode(SimulatedPullNode.Node(id: push), forKey: .pullRequestCommit)
            try members.encode(Review(author: ActorNode(author)), forKey: .review)
        }
    }
}
