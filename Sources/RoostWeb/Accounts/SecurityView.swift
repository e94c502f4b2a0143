/// `/settings/security`: password, sessions, and deleting one's account.
package struct SecurityView: PageView, Sendable {
    package let layout: LayoutView
    package let username: String
    package let isOwner: Bool
    package let sessions: OwnSessionsView
    package let accountData: AccountDataView
    package let passwordForm: FormState
    package let deleteForm: FormState
    package let deleteObstacle: String?
    let tokenChoice: TokenRevocationView?
    let tabs: SettingsTabs
    let passwordFields: FormView
    let deleteFields: FormView

    /// - Parameters:
    ///   - username: for password managers
    ///   - accountData: what deleting the account deletes
    ///   - passwordForm: fields current, password, revoke-tokens
    ///   - deleteForm: field password
    ///   - deleteObstacle: why the account cannot be deleted, a sentence; nil where it can
    package init(
        layout: LayoutView, username: String, isOwner: Bool, sessions: OwnSessionsView,
        accountData: AccountDataView, passwordForm: FormState = .empty,
        deleteForm: FormState = .empty,
        deleteObstacle: String? = nil
    ) {
        self.layout = layout
        self.username = username
        self.isOwner = isOwner
        self.sessions = sessions
        self.accountData = accountData
        self.passwordForm = passwordForm
        self.deleteForm = deleteForm
        self.deleteObstacle = deleteObstacle
        tokenChoice = TokenRevocationView(passwordForm)
        tabs = SettingsTabs(.security, in: layout, isOwner: isOwner)
        let current = FieldView.currentPassword(passwordForm, name: "current", label: "Current password")
        let new = FieldView.newPassword(passwordForm, label: "New password")
        passwordFields = FormView([current, new], passwordForm)
        let sure = FieldView.currentPassword(deleteForm, label: "Your password", form: "delete")
        deleteFields = FormView([sure], deleteForm)
    }

    package static let sample = SecurityView(
        layout: .settingsSample, username: "ada", isOwner: true, sessions: .sample, accountData: .sample,
        passwordForm: FormState(fieldErrors: ["current": "This is not your current password."])
            .offeringRevocation(of: 2))

    var isDeleteOpen: Bool { deleteForm != .empty }
}

/// `/settings/security/sessions`: where one is signed in.
package struct OwnSessionsView: Sendable {
    package let rows: [SessionRow]

    /// - Parameter rows: the one that asks first, then the last seen first
    package init(rows: [SessionRow]) {
        self.rows = rows
    }

    package static let sample = OwnSessionsView(rows: SessionRow.samples)

    var sessions: [SessionRow] { rows }
    var hasOtherSessions: Bool { rows.contains { !$0.isThis } }
}
