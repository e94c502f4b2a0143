import Testing

/// Browsers drop a form inside another form, and its buttons then belong to the outer one.
@Suite struct FormNestingTests {
    @Test(arguments: Samples.texts.keys.sorted())
    func `no form is inside another`(view: String) throws {
        let text = try #require(Samples.texts[view])
        #expect(Self.deepest(text) <= 1)
    }

    /// Rows have no forms of their own: their buttons belong to the form around the list.
    @Test(arguments: ["PullsView", "RepositoriesView", "BookmarksView"])
    func `each button with its own address has a form`(view: String) throws {
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

    /// Each tag without its "<", with the text up to the next tag.
    private static func tags(of text: String) -> ArraySlice<Substring> {
        text.split(separator: "<", omittingEmptySubsequences: false).dropFirst()
    }
}
