/// What is known of GitHub's repositories, and how users look at them.
enum RepositoryMigration {
    static let sql = ""
}
