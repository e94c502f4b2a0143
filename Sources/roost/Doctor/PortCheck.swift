/// The address that Roost listens on.
struct PortCheck: Equatable, Sendable {
    enum Occupant: Equatable, Sendable {
        /// The server of this data folder.
        case thisRoost(process: Int)
        /// A Roost, perhaps that of another data folder.
        case roost
        /// Something speaks TLS; its certificate is for other names than the address.
        case encrypted
        case other
        case nothing
    }

    enum Binding: Equatable, Sendable {
        case possible
        /// A sentence that says why not.
        case refused(String)
    }

    let address: String
    let dataFolder: String
    /// Whether a server holds the lock on the data folder.
    let isServerRunning: Bool
    /// Whether the doctor could find out if this is the server of the data folder.
    var isVerifiable = true
    let answer: Occupant
    /// Nil if something answers.
    let binding: Binding?

    var finding: Finding {
        let subject = "Address"
        switch answer {
        case .thisRoost(let process):
            return .ok(subject, "Roost (process \(process)) answers at \(address).")
        case .roost where isServerRunning && !isVerifiable, .encrypted where isServerRunning:
            return .ok(subject, "Roost answers at \(address).")
        case .roost:
            return .problem(
                subject, "A Roost answers at \(address), but not the one of \(dataFolder).",
                remedy: "Name its folder with --data, or choose another address with --listen.")
        case .encrypted, .other:
            return .problem(
                subject, "Another program answers at \(address).",
                remedy: "Stop it, or choose another address with --listen.")
        case .nothing: break
        }
        if isServerRunning {
            return .problem(
                subject, "Roost runs on \(dataFolder), but nothing answers at \(address).",
                remedy: "Run roost doctor with the settings of the server, or restart the server.")
        }
        if case .refused(let why) = binding {
            return .problem(subject, why, remedy: "Choose another address with --listen.")
        }
        return .ok(subject, "\(address) is free; Roost is not running.")
    }
}
