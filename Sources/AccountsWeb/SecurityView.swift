import RoostWeb

struct SecurityView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let username: String
    let isOwner: Bool
    let sessions: OwnSessionsView
    let accountData: AccountDataView
    let passwordForm: FormState
    let deleteForm: FormState
    let deleteObstacle: String?
    let tokenChoice: TokenRevocationView?
    let tabs: SettingsTabs
    let passwordFields: FormView
    let deleteFields: FormView

    /// - Parameters:
    ///   - passwordForm: fields current, password, revoke-tokens
    ///   - deleteForm: field password
    ///   - deleteObstacle: why the account cannot be deleted, a sentence, or nil
    init(
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
        let confirmation = FieldView.currentPassword(deleteForm, label: "Your password", form: "delete")
        deleteFields = FormView([confirmation], deleteForm)
    }

    var isDeleteOpen: Bool { deleteForm != .empty }
}

/// `/settings/security/sessions`: the user's sessions.
struct OwnSessionsView: Sendable {
    /// The current session first, then the last seen first.
    let rows: [SessionRow]

    var hasOtherSessions: Bool { rows.contains { !$0.isThis } }
}
