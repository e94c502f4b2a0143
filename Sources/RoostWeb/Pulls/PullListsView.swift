/// The lists of the inbox and what was put away. It holds no form's token and no age in seconds, so that its text
/// may be kept and shown again.
struct PullListsView: Sendable {
    let sections: [PullSectionView]
    let hidden: [HiddenPullRow]
    let authors: [String]
    let labels: [String]

    /// - Parameters:
    ///   - authors: that the filter offers
    ///   - labels: likewise
    init(
        sections: [PullSectionView], hidden: [HiddenPullRow], authors: [String] = [], labels: [String] = []
    ) {
        self.sections = sections
        self.hidden = hidden
        self.authors = authors
        self.labels = labels
    }
    var hasHidden: Bool { !hidden.isEmpty }
}
