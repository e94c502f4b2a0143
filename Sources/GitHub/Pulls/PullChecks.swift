import Foundation
import TextFormats

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
                case "checkSuites": try reader.nodes { try ended(&$0, at: "updatedAt", &draft) }
                case "status":
                    try reader.object { reader, name in
                        guard name == "contexts" else { return }
                        try reader.list { try ended(&$0, at: "createdAt", &draft) }
                    }
                default: break
                }
            }
        }
    }

    /// Takes the time of a suite of checks, or of a commit status, that has ended. A suite that never begins counts for
    /// nothing: GitHub makes one for every app, whether it checks anything or not.
    ///
    /// - Parameter field: the field with the time of the last change, which was the end
    private static func ended(_ reader: inout JSONReader, at field: String, _ draft: inout PullBuilder) throws
    {
        var (result, at): (String?, Date?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "conclusion", "state": result = try reader.string()
            case field: at = try GraphQLPullParser.time(&reader)
            default: break
            }
        }
        guard let result, let at, !["PENDING", "EXPECTED"].contains(result) else { return }
        draft.checksEndedAt = max(draft.checksEndedAt ?? at, at)
        guard failures.contains(result) else { return }
        draft.checksFailedAt = min(draft.checksFailedAt ?? at, at)
    }

    private static let failures: Set = [
        "FAILURE", "ERROR", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED", "STARTUP_FAILURE", "STALE",
    ]

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
        case _ where failures.contains(state): counts.failed &+= count
        default: counts.running &+= count
        }
        draft.counts = counts
    }
}
