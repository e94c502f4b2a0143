import RoostSupport

/// The key for stored secrets. Only its file is shown, never the key.
struct KeyCheck: Equatable, Sendable {
    let report: DatabaseKey.Report
    let dataFolder: String

    var finding: Finding {
        let subject = "Secret key"
        let lost = "If it is lost, roost key forget lets the next start use another one."
        let last = report.lastPath.map { " It was last read from \($0)." } ?? ""
        if let failure = report.failure {
            return .problem(
                subject, failure, remedy: "Correct that file, or name the right one with --key-file.")
        }
        guard let path = report.path else {
            guard report.isRight == false else {
                return .ok(subject, "There is no key yet; the first start creates one in \(dataFolder).")
            }
            return .problem(
                subject, "The key that the database was sealed with is missing.\(last)",
                remedy: "Put it back, or name it with --key-file. \(lost)")
        }
        guard report.isRight != false else {
            return .problem(
                subject, "\(path) is not the key that the database was sealed with.\(last)",
                remedy: "Put the right key there, or name it with --key-file. \(lost)")
        }
        let what = report.isRight == true ? "is the key of this database" : "is used"
        return .ok(subject, "\(path) \(what).")
    }
}
