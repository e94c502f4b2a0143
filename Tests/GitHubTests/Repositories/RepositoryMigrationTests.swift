import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices

@Suite struct RepositoryMigrationTests {
    @Test func `repositories of the previous version keep their node ids, and others may have none`()
        async throws
    {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let old = try DatabaseQueue(path: folder + "/roost.sqlite")
            try Migrations.migrator.migrate(old, upTo: "bookmarks: due times by user")
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO users (id, username, name_key, role, created_at)
                        VALUES (1, 'ada', 'ada', 'member', 0);
                        INSERT INTO repositories (id, status, node_id, full_name, owner, owner_type, is_fork,
                            html_url, is_private, search_text, used_at)
                        VALUES (5, 'current', 'R_5', 'a/b', 'a', 'User', 0, 'https://github.com/a/b', 0, 'a/b', 0);
                        INSERT INTO bookmarks (user_id, repository_id, repository, full_name, state, seen_name,
                            seen_state, search_text, added_at, due_at)
                        SELECT 1, id, place, full_name, 'present', full_name, 'present', search_text, 0, 9e9
                        FROM repositories;
                        """)
            }
            try old.close()
            let fixture = try await BookmarkServiceFixture(in: folder, limit: 10)
            #expect(try await fixture.find("a/b")?.item?.repository.nodeId == "R_5")
            // The table's triggers exist: a new answer from GitHub is compared with what the user last saw.
            try await fixture.tell(
                try BookmarkFixture.item(5, "a/b", stars: 1, fetchedAt: fixture.clock.now, nodeId: nil))
            try await fixture.tell(
                try BookmarkFixture.item(5, "a/b", stars: 3, fetchedAt: fixture.clock.now + 60, nodeId: nil))
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.changes == [.stars(2)])
            #expect(bookmark?.item?.repository.nodeId == nil)
            try fixture.database.close()
            let problems = try await Services.problems(in: folder)
            #expect(problems.isEmpty)
        }
    }
}
