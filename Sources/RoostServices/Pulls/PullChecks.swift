import Foundation

/// Reads checks, and the commit that they ran on.
enum PullChecks {
    /// The sum of all checks. The counts are asked for at the commit: `contexts` beside `state` changes `state`.
    static func rollup(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            switch name {
            case "state": draft.checksState = try reader.string() ?? draft.checksState
            case "contexts": try contexts(&reader, &draft)
            default: break
            }
        }
    }

    static func commit(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            guard name == "commit" else { return }
            try reader.object { reader, name in
                switch name {
                case "oid": draft.head = try draft.head ?? reader.string()
                case "committedDate": draft.committedAt = try GraphQLPullParser.time(&reader)
                case "statusCheckRollup": try rollup(&reader, &draft)
                default: break
                }
            }
        }
    }

    private static func contexts(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            guard name == "checkRunCountsByState" || name == "statusContextCountsByState" else { return }
            try reader.list { item in
                var (state, count): (String?, Int?) = (nil, nil)
                try item.object { reader, name in
                    switch name {
                    case "state": state = try reader.string()
                    case "count": count = try reader.count()
                    default: break
                    }
                }
                if let state, let count { add(count, state, to: &draft) }
            }
        }
    }

    /// What was left out on purpose, neutral or skipped, has passed as far as merging goes.
    private static func add(_ count: Int, _ state: String, to draft: inout PullBuilder) {
        var counts = draft.counts ?? (0, 0, 0)
        switch state {
        case "SUCCESS", "NEUTRAL", "SKIPPED", "COMPLETED": counts.passed &+= count
        case "FAILURE", "ERROR", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED", "STARTUP_FAILURE", "STALE":
            counts.failed &+= count
        default: counts.running &+= count
        }
        draft.counts = counts
    }
}
