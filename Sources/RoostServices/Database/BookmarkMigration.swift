/// Users' bookmarked repositories.
enum BookmarkMigration {
    static let sql = ""
}
