import RoostWeb

struct JoinView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let code: String
    let inviter: String?
    let form: FormState
    let joinForm: FormView

    /// - Parameter form: fields username, displayName, email, password
    init(layout: GuestLayoutView, code: String, inviter: String?, form: FormState = .empty) {
        self.layout = layout
        self.code = code
        self.inviter = inviter
        self.form = form
        joinForm = FormView(
            [.newUsername(form), .displayName(form), .email(form), .newPassword(form)], form, isMain: true
        )
    }

    var joinCode: String { PathSegment(code).description }
}

/// `/join`: a form for a code from paper or a phone call.
struct JoinCodeView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let form: FormState
    let codeForm: FormView

    init(layout: GuestLayoutView, form: FormState = .empty) {
        self.layout = layout
        self.form = form
        var code = FieldView.code(form)
        code.hint = "Ask an owner for one. Case and hyphens don’t matter."
        codeForm = FormView([code], form, isMain: true)
    }
}
