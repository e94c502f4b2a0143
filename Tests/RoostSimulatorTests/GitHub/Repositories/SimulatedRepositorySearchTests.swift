import Foundation
import Testing

@testable import RoostSimulator

@Suite struct SimulatedRepositorySearchTests {
    private let gitHub = TestGitHub()

    /// The search's expected results, from the simulated world itself.
    private func expected(_ test: (RepositorySnapshot) -> Bool) -> Set<String> {
        Set(gitHub.allRepositories.filter { !$0.isUnavailable && !$0.isFork && test($0) }.map(\.fullName))
    }

    private func found(_ query: String) throws -> Set<String> {
        var names: Set<String> = []
        for page in 1...10 {
            let items = try gitHub.repositories(query, "&sort=stars&per_page=100&page=\(page)")
            names.formUnion(items.compactMap { $0.text("full_name") })
            if items.count < 100 { break }
        }
        return names
    }

    @Test func `words are searched for in name, description and topics`() throws {
        let tetris = try found("tetris")
        #expect(tetris.count > 50)
        for item in try gitHub.repositories("tetris") {
            let text = [item.text("name"), item.text("description")] + (item["topics"] as? [String] ?? [])
            #expect(text.compactMap { $0 }.joined(separator: " ").lowercased().contains("tetris"))
        }
        #expect(try found("tetris in:name") == expected { $0.name.lowercased().contains("tetris") })
        let described = try found("tetris in:description")
        #expect(described == expected { $0.description?.lowercased().contains("tetris") == true })
        #expect(try found("tetris NOT kit").isDisjoint(with: found("tetris kit")))
        #expect(try found("nothing-has-this-name-xyz").isEmpty)
    }

    @Test func `languages, licences, owners and states are filtered`() throws {
        #expect(try found("language:swift stars:>20") == expected { $0.language == "Swift" && $0.stars > 20 })
        #expect(
            try found("language:\"jupyter notebook\" stars:>5")
                == expected { $0.language == "Jupyter Notebook" && $0.stars > 5 })
        #expect(try found("user:alan") == ["alan/bombe", "alan/morphogenesis"])
        #expect(try found("org:lovelace-labs").count == 12)
        #expect(try found("user:grace user:alan").count == 4)
        #expect(
            try found("archived:true stars:>50") == expected { $0.isArchived && $0.stars > 50 })
        #expect(
            try found("stars:1000..2000 -language:python")
                == expected { (1_000...2_000).contains($0.stars) && $0.language != "Python" })
        #expect(
            try gitHub.repositories("license:mit").allSatisfy { $0.object("license").text("key") == "mit" })
        let topic = try gitHub.repositories("topic:tetris")
        #expect(!topic.isEmpty)
        #expect(topic.allSatisfy { ($0["topics"] as? [String])?.contains("tetris") == true })
    }

    @Test func `forks are left out unless they are requested`() throws {
        #expect(try gitHub.repositories("stars:>3").allSatisfy { $0["fork"] as? Bool == false })
        let only = try gitHub.repositories("stars:>3 fork:only")
        #expect(!only.isEmpty && only.allSatisfy { $0["fork"] as? Bool == true })
        let count = { (query: String) in
            let text = query.replacing(">", with: "%3E").replacing(" ", with: "+")
            return try gitHub.ask("/search/repositories?q=\(text)").object.number("total_count") ?? 0
        }
        #expect(try count("stars:>3 fork:true") == count("stars:>3") + count("stars:>3 fork:only"))
    }

    @Test func `recently created repositories are found at any time, most stars first`() throws {
        for _ in 0..<3 {
            let day = gitHub.day(-7)
            let items = try gitHub.repositories("created:>\(day)", "&sort=stars&order=desc&per_page=100")
            #expect(items.count > 50)
            let stars = items.compactMap { $0.number("stargazers_count") }
            #expect(stars == stars.sorted(by: >) && (stars.first ?? 0) > 10)
            #expect(items.allSatisfy { ($0.text("created_at") ?? "") > day })
            gitHub.clock.advance(seconds: 40 * 86_400)
        }
    }

    @Test func `results are sorted and paged as requested, with links to the last page of a thousand`() throws
    {
        let forks = try gitHub.repositories("stars:>1", "&sort=forks&per_page=100")
            .compactMap { $0.number("forks_count") }
        #expect(forks == forks.sorted(by: >))
        let least = try gitHub.repositories("stars:>1", "&sort=stars&order=asc&per_page=100")
            .compactMap { $0.number("stargazers_count") }
        #expect(least == least.sorted() && least.first == 2)
        let pushed = try gitHub.repositories("stars:>1 sort:updated", "&per_page=100")
            .compactMap { $0.text("pushed_at") ?? $0.text("created_at") }
        #expect(pushed == pushed.sorted(by: >))
        let answer = gitHub.ask("/search/repositories?q=stars:%3E0&per_page=100")
        #expect(try (answer.object.number("total_count") ?? 0) > 1_000)
        #expect(try answer.object["incomplete_results"] as? Bool == false)
        #expect(answer.header("Link")?.contains("page=10>; rel=\"last\"") == true)
        let beyond = gitHub.ask("/search/repositories?q=stars:%3E0&per_page=100&page=11")
        #expect(beyond.status == 422 && beyond.text.contains("first 1000"))
    }

    @Test func `nonsense is refused with 422 and GitHub's message`() {
        for (query, message) in [
            ("", "missing"), ("?q=", "missing"), ("?q=%20", "missing"),
            ("?q=\(String(repeating: "a", count: 257))", "256 characters"),
            ("?q=created:%3Eyesterday", "not a recognized date"),
            ("?q=user:nobody-at-all", "cannot be searched"),
            ("?q=repo:a/b", "cannot be searched"), ("?q=a+OR+b+OR+c+OR+d+OR+e+OR+f+OR+g", "More than five"),
        ] {
            gitHub.clock.advance(seconds: 61)
            let answer = gitHub.ask("/search/repositories\(query)")
            #expect(answer.status == 422 && answer.text.contains(message), "\(query)")
        }
    }

    @Test func `signed out there are ten a minute, and no private results`() throws {
        #expect(try gitHub.repositories("org:lovelace-labs", as: nil).count == 10)
        for _ in 0..<9 { #expect(gitHub.ask("/search/repositories?q=tetris", as: nil).status == 200) }
        let refused = gitHub.ask("/search/repositories?q=tetris", as: nil)
        #expect(refused.status == 403 && refused.header("X-RateLimit-Resource") == "search")
        #expect(refused.header("X-RateLimit-Limit") == "10")
        gitHub.clock.advance(seconds: 61)
        #expect(gitHub.ask("/search/repositories?q=tetris", as: nil).status == 200)
    }
}

extension TestGitHub {
    /// The date this many days from now, in the search's format.
    func day(_ days: Int) -> String {
        String(Timestamp.text(clock.clock.now() + days * Timestamp.day).prefix(10))
    }
}
