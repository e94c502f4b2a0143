/// The lists of the inbox and what was put away. It holds no form's token and no age in seconds, so that its text
/// may be kept and shown again.
package struct PullListsView: Sendable {
    package let sections: [PullSectionView]
    package let hidden: [HiddenPullRow]
    package let authors: [String]
    package let labels: [String]

    /// - Parameters:
    ///   - authors: that the filter offers
    ///   - labels: likewise
    package init(
        sections: [PullSectionView], hidden: [HiddenPullRow], authors: [String] = [], labels: [String] = []
    ) {
        self.sections = sections
        self.hidden = hidden
        self.authors = authors
        self.labels = labels
    }

    var authorOffers: [String] { authors }
    var labelOffers: [String] { labels }
    var hasHidden: Bool { !hidden.isEmpty }
    var hiddenRows: [HiddenPullRow] { hidden }
    var hiddenCount: Int { hidden.count }
}
