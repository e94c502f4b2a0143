/// The document of the operation `Inbox`: several searches, and what is asked of each pull request that they find.
struct InboxDocument {
    struct Search {
        /// Its name in the answer.
        let alias: String
        /// How many a page holds.
        let first: Int
        /// Whether it goes on after a cursor.
        let isContinued: Bool
    }

    /// The words of each are the variable `$q0`, `$q1` ..., the cursors `$a0` ...
    let searches: [Search]
    let hasMergeState: Bool

    /// Nil unless it is, byte by byte, the document of the searches that are found in it.
    init?(_ text: String) {
        let search =
            #/(\w+): search\(query: \$q\d+, type: ISSUE, first: (\d{1,3})(, after: \$a\d+)?\) \{\n.*\n.*\n.*\.\.\.Overview \} \}/#
        searches = text.matches(of: search).map { match in
            Search(alias: String(match.1), first: Int(match.2) ?? 0, isContinued: match.3 != nil)
        }
        hasMergeState = PullDocument.Extent(of: text).hasMergeState
        guard searches.allSatisfy({ (1...100).contains($0.first) }), self.text == text else { return nil }
    }

    private var text: String {
        let variables = searches.enumerated().map { place, search in
            "$q\(place): String!" + (search.isContinued ? ", $a\(place): String!" : "")
        }
        let fields = searches.enumerated().map { place, search in
            """
              \(search.alias): search(query: $q\(place), type: ISSUE, first: \(search.first)\
            \(search.isContinued ? ", after: $a\(place)" : "")) {
                issueCount
                pageInfo { hasNextPage endCursor }
                nodes { __typename ... on PullRequest { ...Overview } }
              }
            """
        }
        var extent = PullDocument.Extent()
        extent.hasMergeState = hasMergeState
        return """
            query Inbox(\(variables.joined(separator: ", "))) {
              viewer { login }
              rateLimit { cost limit remaining resetAt }
            \(fields.joined(separator: "\n"))
            }
            \(PullDocument.overview(extent))
            """
    }
}
