import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct RecordedRepositoryTests {
    private static let folder = RecordedFiles.folder.appending(path: "../github/hub4j")

    private static func read(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }

    @Test(.recordings) func `the recorded pages of all repositories are read completely`() throws {
        for page in ["2", "3"] {
            let body = try Self.read("repositories_list/__files/\(page)-repositories.json")
            let list = try RESTRepositoryParser.list(body, now: TestClock.start)
            #expect(list.found.count == 100 && list.refused == 0)
            #expect(list.found.allSatisfy { !$0.repository.isPrivate && $0.detail == nil })
        }
    }

    @Test(.recordings) func `a recorded page is grouped by owner and by fork`() throws {
        let body = try Self.read("repositories_list/__files/2-repositories.json")
        let items = try RESTRepositoryParser.list(body, now: TestClock.start).found.map {
            RepositoryItem(repository: $0.repository)
        }
        #expect(items.first?.fullName == "mojombo/grit")
        let owners = try RepositoryArrangement(grouping: .ownerType).groups(of: items)
        #expect(owners.map(\.id) == ["owner-user", "owner-organization"])
        #expect(owners.reduce(0) { $0 + $1.items.count } == 100)
        let languages = try RepositoryArrangement(grouping: .language).groups(of: items)
        #expect(languages.map(\.id) == ["unknown-language"])
    }

    @Test(.recordings) func `recorded details are read`() throws {
        let files = ["2-r_h_ghcontentintegrationtest", "3-repositories_40763577", "4-repositories_40763577"]
        for file in files {
            let body = try Self.read("repo_detail_by_id/__files/\(file).json")
            let found = try RESTRepositoryParser.detail(body, now: TestClock.start)
            #expect(found.repository.fullName == "hub4j-test-org/GHContentIntegrationTest")
            #expect(found.detail?.defaultBranch == "main")
        }
    }

    @Test(.recordings) func `a recorded search is read with all figures`() throws {
        let body = try Self.read("search_repositories_tetris/__files/2-search_repositories.json")
        let list = try RESTRepositoryParser.search(body, now: TestClock.start)
        #expect(list.found.count == 30 && list.refused == 0)
        #expect(list.found.allSatisfy { $0.detail != nil })
        #expect(list.found.first?.detail?.language == "Assembly")
        #expect((list.total ?? 0) >= 30)
    }
}
