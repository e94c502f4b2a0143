import RoostWeb

struct LoginView: GuestPageView, Sendable {
    /// Why the page is shown.
    enum Reason: String, Sendable, CaseIterable {
        case none
        /// The visitor opened a page for members.
        case needed
        case signedOut
        /// The user chose a new password with a reset link.
        case passwordChanged
        case deleted
    }

    let layout: GuestLayoutView
    let next: String?
    let reason: Reason
    let form: FormState
    let loginForm: FormView

    /// - Parameters:
    ///   - next: the path to continue to, or nil for the home page
    ///   - form: fields username, password; its `error` says "Wrong user name or password." or how long to wait
    init(
        layout: GuestLayoutView, next: String? = nil, reason: Reason = .none, form: FormState = .empty
    ) {
        self.layout = layout
        self.next = next
        self.reason = reason
        self.form = form
        var name = FieldView("username", "User name or e-mail", in: form)
        name.autocomplete = "username"
        loginForm = FormView([name, .currentPassword(form)], form, isMain: true)
    }

    var reasonText: String? { form == .empty ? sentence : nil }

    private var sentence: String? {
        switch reason {
        case .none: nil
        case .needed: "Sign in to see that page."
        case .signedOut: "You are signed out."
        case .passwordChanged: "Your password was changed. Sign in with the new one."
        case .deleted: "Your account and everything in it was deleted."
        }
    }
}
