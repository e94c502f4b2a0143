struct GitHubCommand: Decodable {
    struct Target: Decodable {
        let pull: String
        let author: String?
        let text: String?
        let state: String?
    }

    struct Push: Decodable {
        let pull: String
        let files: Int?
        let largeLines: Int?
    }

    struct ReviewRequest: Decodable {
        let login: String?
        let team: String?
        let pull: String?
        let repository: String?
        let title: String?
        let body: String?
        let author: String?
        let draft: Bool?
        let labels: [String]?
    }

    struct Token: Decodable {
        let value: String
        let login: String
        let scopes: [String]?
    }

    struct Revocation: Decodable {
        let login: String?
        let token: String?
    }

    struct Limit: Decodable {
        let login: String?
        let resource: String
        let remaining: Int?
        let limit: Int?
    }

    struct Device: Decodable {
        let decision: String
        let code: String?
        let login: String?
    }

    struct App: Decodable {
        let clientID: String?
        let clientSecret: String?
        let interval: Int?
        let deviceFlowDisabled: Bool?
    }

    let request: ReviewRequest?
    let open: GitHubSimulation.Opening?
    let comment: Target?
    let thread: Target?
    let review: Target?
    let approve: Target?
    let push: Push?
    let merge: Target?
    let close: Target?
    let fail: Target?
    let pass: Target?
    let ready: Target?
    let assign: Target?
    let dismiss: Target?
    let queue: Target?
    let autoMerge: Target?
    let conflict: Target?
    let resolve: Target?
    let token: Token?
    let revoke: Revocation?
    let limit: Limit?
    let repository: RepositoryCommand?
    let device: Device?
    let app: App?
}

extension GitHubCommand {
    /// - Returns: the pull request that changed last
    /// - Throws: `UnknownName`
    func run(on gitHub: GitHubSimulation) throws -> SimulatedPull? {
        configure(gitHub)
        try repository?.run(on: gitHub)
        var pull: SimulatedPull?
        if let open { pull = try gitHub.open(open) }
        if let request {
            let opening = GitHubSimulation.Opening(
                repository: request.repository, title: request.title, body: request.body,
                author: request.author, draft: request.draft, labels: request.labels)
            pull = try gitHub.requestReview(
                of: request.team ?? request.login ?? "ada", on: request.pull, opening)
        }
        if let comment {
            pull = try gitHub.comment(on: comment.pull, by: comment.author ?? "grace", comment.text ?? "Why?")
        }
        if let thread {
            pull = try gitHub.thread(on: thread.pull, by: thread.author ?? "grace", thread.text ?? "Why?")
        }
        for (review, standard) in [(review, "COMMENTED"), (approve, "APPROVED")] {
            guard let review else { continue }
            let state = review.state ?? standard
            guard let verdict = SimulatedReview.State(rawValue: state), verdict != .dismissed else {
                throw GitHubSimulation.UnknownName(description: "there is no review that is \(state)")
            }
            pull = try gitHub.review(review.pull, by: review.author ?? "grace", verdict)
        }
        return try runSimple(on: gitHub) ?? pull
    }

    private func runSimple(on gitHub: GitHubSimulation) throws -> SimulatedPull? {
        var pull: SimulatedPull?
        if let push {
            pull = try gitHub.push(
                to: push.pull, files: min(max(push.files ?? 1, 0), 900),
                largeLines: min(max(push.largeLines ?? 0, 0), 10_000))
        }
        if let fail { pull = try gitHub.failChecks(of: fail.pull) }
        if let pass { pull = try gitHub.passChecks(of: pass.pull) }
        if let ready { pull = try gitHub.makeReady(ready.pull) }
        if let assign { pull = try gitHub.assign(assign.author ?? "ada", to: assign.pull) }
        if let dismiss { pull = try gitHub.dismissApproval(of: dismiss.author ?? "ada", on: dismiss.pull) }
        if let queue { pull = try gitHub.queue(queue.pull) }
        if let autoMerge { pull = try gitHub.enableAutoMerge(of: autoMerge.pull) }
        if let conflict { pull = try gitHub.setConflict(of: conflict.pull) }
        if let resolve { pull = try gitHub.resolve(on: resolve.pull) }
        if let merge { pull = try gitHub.merge(merge.pull, by: merge.author ?? "grace") }
        if let close { pull = try gitHub.close(close.pull) }
        return pull
    }

    private func set(_ limit: Limit, on gitHub: GitHubSimulation) {
        let login = limit.login.map { $0.isEmpty ? nil : $0 } ?? "ada"
        if let count = limit.limit { gitHub.setLimit(count, of: limit.resource, to: login) }
        if let remaining = limit.remaining { gitHub.setRemaining(remaining, of: limit.resource, to: login) }
    }

    private func configure(_ gitHub: GitHubSimulation) {
        if let token { gitHub.add(token: token.value, login: token.login, scopes: token.scopes) }
        if let token = revoke?.token { gitHub.tokens.revoke(token: token) }
        if let login = revoke?.login { gitHub.tokens.revoke(login: login) }
        if let limit { set(limit, on: gitHub) }
        switch device?.decision {
        case "approve": gitHub.approveDevice(code: device?.code, login: device?.login)
        case "deny": gitHub.denyDevice(code: device?.code)
        case "expire": gitHub.expireDevice(code: device?.code)
        default: break
        }
        guard let app else { return }
        if app.clientID != nil || app.clientSecret != nil {
            gitHub.setApp(clientID: app.clientID, clientSecret: app.clientSecret)
        }
        if let interval = app.interval { gitHub.setDeviceInterval(interval) }
        if let isDisabled = app.deviceFlowDisabled { gitHub.setDeviceFlow(isDisabled: isDisabled) }
    }
}
