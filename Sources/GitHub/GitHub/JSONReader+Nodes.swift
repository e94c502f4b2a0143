import TextFormats

extension JSONReader {
    /// GitHub's GraphQL returns at most this many nodes of a connection at once.
    static let maximumNodes = 100

    /// Calls `item` for each of a GraphQL connection's `nodes`, or of its `edges`. Returns `totalCount`, else how many
    /// there are; nil for null.
    @discardableResult
    mutating func nodes(_ item: (inout JSONReader) throws -> Void) throws -> Int? {
        var total: Int?
        var count = 0
        let isThere = try object { reader, name in
            switch name {
            case "totalCount": total = try reader.count()
            case "nodes":
                try reader.list {
                    count += 1
                    if count <= Self.maximumNodes { try item(&$0) }
                }
            case "edges":
                try reader.list { edge in
                    count += 1
                    guard count <= Self.maximumNodes else { return }
                    try edge.object { if $1 == "node" { try item(&$0) } }
                }
            default: break
            }
        }
        return isThere ? total ?? count : nil
    }
}
