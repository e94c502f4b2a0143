/// What a page is for, as the rules judge it: that decides what of it is worth reading.
package enum PageKind: String, Sendable, CaseIterable, Codable {
    /// News, a post, an essay.
    case article
    case documentation
    /// What somebody offers: a company, a school, an office.
    case service
    /// A question with answers, a thread with posts.
    case forum
    /// One thing for sale.
    case product
    /// Many things of one kind, each with a link: articles, films, places.
    case listing
    /// Many things for sale.
    case collection
}
