/// The lists of the inbox and what was put away. It holds no form's token and no age in seconds, so that its text
/// may be kept and shown again.
package struct PullListsView: TemplateView {
    package static let template = "pulls/lists"

    package let sections: [PullSectionView]
    package let hidden: [HiddenPullRow]
    package let authors: [String]
    package let labels: [String]
    private let sectionParts, hiddenParts: [Part]

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
        sectionParts = sections.map(Part.init)
        hiddenParts = hidden.map(Part.init)
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "sections": sectionParts
        case "authorOffers": authors
        case "labelOffers": labels
        case "hasHidden": !hidden.isEmpty
        case "hiddenRows": hiddenParts
        case "hiddenCount": hidden.count
        default: nil
        }
    }
}
