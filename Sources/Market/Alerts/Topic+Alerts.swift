package import RoostSupport

extension Topic {
    package static func alerts(_ user: UserID) -> String { "alerts/\(user)" }
}
