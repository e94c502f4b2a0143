import Foundation
import Testing

@testable import RoostSimulator

@Suite struct RepositoryWorldTests {
    private let gitHub = TestGitHub()

    @Test func `there are 20,000 public repositories with ascending numbers, gaps and unique names`() {
        let all = gitHub.allRepositories
        let numbers = all.map(\.number)
        #expect(all.filter { !$0.isPrivate }.count == 20_000)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect((numbers.last ?? 0) > 60_000)
        #expect(Set(all.map { $0.fullName.lowercased() }).count == all.count)
        #expect(Set(all.map(\.nodeID)).count == all.count)
    }

    @Test func `names are valid on GitHub`() {
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        for one in gitHub.allRepositories {
            let parts = one.fullName.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(letters.contains) })
        }
    }

    @Test func `the repositories of the pull requests are included, some of them private`() {
        let all = Dictionary(uniqueKeysWithValues: gitHub.allRepositories.map { ($0.fullName, $0) })
        let found = SimulatedRepository.all.compactMap { all[$0.fullName] }
        #expect(
            found.count == 40 && zip(found, SimulatedRepository.all).allSatisfy { $0.number == $1.number })
        #expect(found.filter(\.isPrivate).count == SimulatedRepository.all.filter(\.isPrivate).count)
        #expect(found.contains { $0.isPrivate } && found.contains { !$0.isPrivate })
    }

    @Test func `the showcase has many stars and topics, a complete README and an owner each`() {
        let names = gitHub.simulation.repositories.showcase(6)
        let all = Dictionary(uniqueKeysWithValues: gitHub.allRepositories.map { ($0.fullName, $0) })
        let found = names.compactMap { all[$0] }
        #expect(found.count == 6 && Set(found.map(\.owner.login)).count == 6)
        #expect(found.allSatisfy { $0.stars > 1_000 && !$0.isArchived && !$0.isFork })
        for name in names {
            let readme = gitHub.readme(name, "html", as: nil)
            #expect(readme.status == 200 && readme.text.contains("task-list-item-checkbox"), "\(name)")
        }
    }

    @Test func `only the seed and the time determine them`() {
        let facts = { (gitHub: TestGitHub) in
            gitHub.allRepositories.map {
                "\($0.number) \($0.fullName) \($0.stars) \($0.description ?? "") \($0.language ?? "")"
            }
        }
        let (one, other) = (facts(gitHub), facts(TestGitHub()))
        #expect(one == other)
        #expect(facts(TestGitHub(seed: 8)) != one)
    }

    @Test func `they have some of everything, in about GitHub's proportions`() {
        let all = gitHub.allRepositories
        let share = { (test: (RepositorySnapshot) -> Bool) in
            Double(all.filter(test).count) / Double(all.count)
        }
        #expect((0.2...0.4).contains(share { $0.owner.isOrganisation }))
        #expect((0.1...0.25).contains(share(\.isFork)))
        #expect((0.05...0.15).contains(share { $0.language == nil }))
        #expect((0.05...0.2).contains(share { $0.language == "Python" }))
        #expect((0.05...0.2).contains(share { $0.description == nil }))
        #expect((0.03...0.1).contains(share(\.isArchived)))
        #expect((0.002...0.03).contains(share(\.isEmpty)))
        #expect((0.000_5...0.01).contains(share(\.isUnavailable)))
        #expect((0.005...0.05).contains(share { $0.formerName != nil }))
        #expect(Set(all.compactMap(\.language)).count > 30)
        let descriptions = all.compactMap(\.description)
        #expect(
            descriptions.contains { $0.contains("🚀") } && descriptions.contains { $0.contains("<script>") })
        #expect(descriptions.contains { $0.contains("农历") } && descriptions.contains { $0.contains("مكتبة") })
    }

    @Test func `stars follow a power law: most have a handful, few have very many`() {
        let stars = gitHub.allRepositories.map(\.stars).sorted()
        #expect(stars.allSatisfy { $0 >= 0 })
        #expect((0...10).contains(stars[stars.count / 2]))
        #expect(stars.filter { $0 >= 1_000 }.count > 20 && (stars.last ?? 0) > 20_000)
        #expect((stars.last ?? 0) < 5_000_000)
        for band in [10, 100, 1_000, 10_000] {
            #expect(stars.filter { $0 >= band }.count > 3 * stars.filter { $0 >= band * 10 }.count, "\(band)")
        }
    }

    @Test func `stars grow daily, faster for popular repositories`() throws {
        let before = gitHub.allRepositories
        gitHub.clock.advance(seconds: 10 * 86_400)
        let after = gitHub.allRepositories
        let old = zip(before, after).filter { $0.0.number < 60_000 }
        #expect(old.allSatisfy { $0.1.stars >= $0.0.stars })
        let most = try #require(old.max { $0.0.stars < $1.0.stars })
        #expect(most.1.stars > most.0.stars + 20)
    }

    @Test func `a fork has a parent that is not a fork, with its name and language`() {
        let byName = Dictionary(uniqueKeysWithValues: gitHub.allRepositories.map { ($0.fullName, $0) })
        for fork in gitHub.allRepositories where fork.isFork {
            let parent = fork.parent.flatMap { byName[$0] }
            #expect(parent?.isFork == false && parent?.isPrivate == false, "\(fork.fullName)")
            #expect(fork.name.hasPrefix(parent?.name ?? "-"))
        }
    }
}
