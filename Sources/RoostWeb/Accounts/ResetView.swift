/// `/reset/CODE`: a new password for somebody who has forgotten theirs.
struct ResetView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let code: String
    let username: String
    let form: FormState
    let resetForm: FormView
    let tokenChoice: TokenRevocationView?

    /// - Parameters:
    ///   - code: of the address; the form is posted back to it
    ///   - username: whose password it is, for them to see and for password managers
    ///   - form: fields password, revoke-tokens
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
