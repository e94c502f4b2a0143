/// `/settings/security`: password, sessions, and deleting one's account.
package struct SecurityView: PageView {
    package static let template = "accounts/security"

    package let layout: LayoutView
    package let username: String
    package let isOwner: Bool
    package let sessions: OwnSessionsView
    package let passwordForm: FormState
    package let deleteForm: FormState
    package let deleteObstacle: String?
    private let tabs, passwordPart, deletePart: Part

    /// - Parameters:
    ///   - username: for password managers
    ///   - passwordForm: fields current, password
    ///   - deleteForm: field password
    ///   - deleteObstacle: why the account cannot be deleted, a sentence; nil where it can
    package init(
        layout: LayoutView, username: String, isOwner: Bool, sessions: OwnSessionsView,
        passwordForm: FormState = .empty, deleteForm: FormState = .empty, deleteObstacle: String? = nil
    ) {
        self.layout = layout
        self.username = username
        self.isOwner = isOwner
        self.sessions = sessions
        self.passwordForm = passwordForm
        self.deleteForm = deleteForm
        self.deleteObstacle = deleteObstacle
        tabs = Part(SettingsTabs(current: .security, isOwner: isOwner))
        let current = FieldView.currentPassword(passwordForm, name: "current", label: "Current password")
        let new = FieldView.newPassword(passwordForm, label: "New password")
        passwordPart = Part(FormView([current, new], passwordForm))
        let sure = FieldView.currentPassword(deleteForm, label: "Your password", form: "delete")
        deletePart = Part(FormView([sure], deleteForm))
    }

    package static let sample = SecurityView(
        layout: .settingsSample, username: "ada", isOwner: true, sessions: .sample,
        passwordForm: FormState(fieldErrors: ["current": "This is not your current password."]))

    package func field(_ name: String) -> Any? {
        switch name {
        case "tabs": tabs
        case "username": username
        case "passwordForm": passwordPart
        case "deleteForm": deletePart
        case "deleteObstacle": deleteObstacle
        case "isDeleteOpen": deleteForm != .empty
        default: sessions.field(name) ?? layout.field(name)
        }
    }
}

/// `/settings/security/sessions`: where one is signed in.
package struct OwnSessionsView: TemplateView {
    package static let template = "accounts/own-sessions"

    package let rows: [SessionRow]
    package let formToken: String?
    private let rowParts: [Part]

    /// - Parameters:
    ///   - rows: the one that asks first, then the last seen first
    ///   - formToken: as in `LayoutView`; the fragment is rendered without one around it
    package init(rows: [SessionRow], formToken: String?) {
        self.rows = rows
        self.formToken = formToken
        rowParts = rows.map(Part.init)
    }

    package static let sample = OwnSessionsView(rows: SessionRow.samples, formToken: "sample-token")

    package func field(_ name: String) -> Any? {
        switch name {
        case "sessions": rowParts
        case "hasOtherSessions": rows.contains { !$0.isThis }
        case "formToken": formToken
        default: nil
        }
    }
}
