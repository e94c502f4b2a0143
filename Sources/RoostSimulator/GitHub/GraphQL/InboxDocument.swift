/// The document of the operation `Inbox`: a set of searches and the fields requested of each pull request.
struct InboxDocument {
    struct Search {
        let alias: String
        let first: Int
        let isContinued: Bool
    }

    /// The search texts are the variables `$q0`, `$q1` ..., the cursors `$a0` ...
    let searches: [Search]
    let hasMergeState: Bool

    /// Fails unless the text equals, byte for byte, the document for the searches found in it.
    init?(_ text: String) {
        let search =
            #/(\w+): search\(query: \$q\d+, type: ISSUE, first: (\d{1,3})(, after: \$a\d+)?\) \{\n.*\n.*\n.*\.\.\.Overview \} \}/#
        searches = text.matches(of: search).map { match in
            Search(alias: String(match.1), first: Int(match.2) ?? 0, isContinued: match.3 != nil)
        }
        hasMergeState = PullDocument.Options(of: text).hasMergeState
        guard searches.allSatisfy({ (1...100).contains($0.first) }), self.text == text else { return nil }
    }

    private var text: String {
        let variables = searches.enumerated().map { index, search in
            "$q\(index): String!" + (search.isContinued ? ", $a\(index): String!" : "")
        }
        let fields = searches.enumerated().map { index, search in
            """
              \(search.alias): search(query: $q\(index), type: ISSUE, first: \(search.first)\
            \(search.isContinued ? ", after: $a\(index)" : "")) {
                issueCount
                pageInfo { hasNextPage endCursor }
                nodes { __typename ... on PullRequest { ...Overview } }
              }
            """
        }
        var options = PullDocument.Options()
        options.hasMergeState = hasMergeState
        return """
            query Inbox(\(variables.joined(separator: ", "))) {
              viewer { login }
              rateLimit { cost limit remaining resetAt }
            \(fields.joined(separator: "\n"))
            }
            \(PullDocument.overview(options))
            """
    }
}
