/// `/reset/CODE`: a new password for somebody who has forgotten theirs.
package struct ResetView: GuestPageView, Sendable {
    package let layout: GuestLayoutView
    package let code: String
    package let username: String
    package let form: FormState
    let resetForm: FormView
    let tokenChoice: TokenRevocationView?

    /// - Parameters:
    ///   - code: of the address; the form is posted back to it
    ///   - username: whose password it is, for them to see and for password managers
    ///   - form: fields password, revoke-tokens
    package init(layout: GuestLayoutView, code: String, username: String, form: FormState = .empty) {
        self.layout = layout
        self.code = code
        self.username = username
        self.form = form
        tokenChoice = TokenRevocationView(form)
        resetForm = FormView([.newPassword(form, label: "New password")], form, isMain: true)
    }

    package static let sample = ResetView(
        layout: .sample, code: "7K3M-9QXA-PB2T-4WZH", username: "grace",
        form: FormState.empty.offeringRevocation(of: 3))

    var resetCode: String { PathSegment(code).description }
}
