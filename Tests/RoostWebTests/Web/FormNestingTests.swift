import Testing

/// Browsers leave out a form that stands in another one, and its buttons then belong to the outer one.
@Suite struct FormNestingTests {
    @Test(arguments: Samples.texts.keys.sorted())
    func `no form stands in another`(view: String) throws {
        let text = try #require(Samples.texts[view])
        #expect(Self.deepest(text) <= 1)
    }

    /// Rows have none of their own: the form around their list is theirs.
    @Test(arguments: ["PullsView", "RepositoriesView", "BookmarksView"])
    func `each button that names an address of its own has a form`(view: String) throws {
        let text = try #require(Samples.texts[view])
        var depth = 0
        var count = 0
        for tag in Self.tags(of: text) {
            depth += Self.step(tag)
            guard tag.hasPrefix("button "), tag.contains(" formaction=") else { continue }
            count += 1
            #expect(depth == 1 || tag.contains(" form="), "\(tag)")
        }
        #expect(count > 0)
    }

    private static func deepest(_ text: String) -> Int {
        var (depth, deepest) = (0, 0)
        for tag in tags(of: text) {
            depth += step(tag)
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private static func step(_ tag: Substring) -> Int {
        if tag.hasPrefix("form ") || tag.hasPrefix("form>") { return 1 }
        return tag.hasPrefix("/form>") ? -1 : 0
    }

    /// Each tag without its "<", with what follows up to the next one.
    private static func tags(of text: String) -> ArraySlice<Substring> {
        text.split(separator: "<", omittingEmptySubsequences: false).dropFirst()
    }
}
