import RoostWeb

struct ResetView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let code: String
    let username: String
    let form: FormState
    let resetForm: FormView
    let tokenChoice: TokenRevocationView?

    /// - Parameter form: fields password, revoke-tokens
    init(layout: GuestLayoutView, code: String, username: String, form: FormState = .empty) {
        self.layout = layout
        self.code = code
        self.username = username
        self.form = form
        tokenChoice = TokenRevocationView(form)
        resetForm = FormView([.newPassword(form, label: "New password")], form, isMain: true)
    }

    var resetCode: String { PathSegment(code).description }
}
