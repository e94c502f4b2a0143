import Foundation

@testable import Accounts
@testable import AccountsWeb
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

extension AccountDataView {
    static let sample = AccountDataView([
        .deleted("Name and picture", from: []), .deleted("Watchlist", from: []),
        .retained("The owners’ log keeps the name for 90 days.", in: []),
    ])
}

extension AllSessionsView {
    static let sample = AllSessionsView(
        layout: .settingsSample,
        rows: zip(
            [0, 1, 0, 2], [.sample, PersonView(name: "Grace Hopper"), .sample, PersonView(name: "李 小龙")]
        )
        .enumerated().map { index, pair in
            let row = SessionRow.samples[pair.0]
            return SessionRow(
                id: "\(index)", person: pair.1, device: row.device, address: row.address,
                startedAt: row.startedAt, lastSeenAt: row.lastSeenAt, isThis: index == 0, now: row.now)
        })
}

extension ClosedLinkView {
    static let sample = ClosedLinkView(
        layout: .sample, kind: .join,
        reason: "This join link is no longer valid. Ask the person who sent it for a new one.")
}

extension FormatsView {
    static let sample = FormatsView(
        layout: .settingsSample, FormatsForm(FormatPreferences()),
        refused: FormState(fieldErrors: ["timeZone": "There is no such time zone."]), isOwner: true)
}

extension InvitationRow {
    static let samples = [
        InvitationRow(
            id: "1", note: "The new neighbours", creator: "Ada Lovelace", createdAt: .sample - 3_600,
            expiresAt: .sample + 86_400 * 7, uses: 3, joined: ["Grace Hopper"], now: .sample),
        InvitationRow(
            id: "2", note: "", creator: nil, createdAt: .sample - 86_400 * 2,
            expiresAt: .sample + 3_600 * 5, uses: 1, joined: [], isCodeUnreadable: true, now: .sample),
        InvitationRow(
            id: "3", note: "Office, third floor", creator: "Ada Lovelace", createdAt: .sample - 86_400 * 40,
            expiresAt: .sample - 86_400 * 10, uses: 20, joined: ["李 小龙", "former member"], now: .sample),
    ]
}

extension InvitationView {
    static let sample = InvitationView(
        layout: .settingsSample, link: .invitationSample, invitation: InvitationRow.samples[0])
}

extension InvitationsView {
    static let sample = InvitationsView(
        layout: .settingsSample, list: .sample, newLink: .invitationSample)
}

extension InvitationsListView {
    static let sample = InvitationsListView(rows: InvitationRow.samples)
}

extension JoinView {
    static let sample = JoinView(
        layout: .sample, code: "7K3M-9QXA-PB2T-4WZH", inviter: "Ada Lovelace",
        form: FormState(
            typed: ["username": "grace", "displayName": "Grace Hopper"],
            fieldErrors: [
                "username": "Somebody here has this name already.",
                "password": "This password is one of the commonest: it would be guessed first.",
            ]))
}

extension JoinCodeView {
    static let sample = JoinCodeView(layout: .sample)
}

extension LogRow {
    static let samples = [
        LogRow(
            id: "21", sentence: "Grace Hopper signed in.", at: .sample - 200, address: "192.168.1.31",
            device: "Safari on iPhone"),
        LogRow(
            id: "20", sentence: "Someone tried to sign in as Grace Hopper with a wrong password.",
            isFailure: true, at: .sample - 230, address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            device: "Safari on iPhone"),
        LogRow(
            id: "19", sentence: "Ada Lovelace created the token “Backup script” to read.",
            at: .sample - 5_000, address: "192.168.1.7", device: "Firefox on Linux"),
        LogRow(
            id: "18", sentence: "Ada Lovelace was made an owner from the command line.",
            at: .sample - 86_400),
        LogRow(
            id: "17", sentence: "Grace Hopper joined with the link “The new neighbours”.",
            at: .sample - 86_400 - 60, address: "192.168.1.31", device: "Unknown device"),
    ]
}

extension LogView {
    static let sample = LogView(layout: .settingsSample, rows: LogRow.samples, older: "17")
}

extension LoginView {
    static let sample = LoginView(layout: .sample, next: "/watchlist")
}

extension MemberRow {
    static let samples = [
        MemberRow(
            id: "1", person: .sample, username: "ada", email: "ada@example.org", isOwner: true, isYou: true,
            joinedAt: .sample - 86_400 * 90, lastSeenAt: .sample - 4, accountData: .sample,
            obstacle: "Roost needs an owner: make somebody else one first.", now: .sample),
        MemberRow(
            id: "2", person: PersonView(name: "Grace Hopper"), username: "grace", isOwner: false,
            isYou: false, joinedAt: .sample - 86_400 * 30, lastSeenAt: .sample - 7_300,
            accountData: .sample, now: .sample),
        MemberRow(
            id: "3", person: PersonView(name: "The very long name of somebody who could not decide"),
            username: "the-very-long-name-of-somebody-who-could-not-decide",
            email: "a.rather.long.address@mail.department.university.example", isOwner: false, isYou: false,
            joinedAt: .sample - 86_400 * 2, lastSeenAt: nil, accountData: .sample, now: .sample),
    ]
}

extension MembersView {
    static let sample = MembersView(layout: .settingsSample, list: .sample, resetLink: .resetSample)
}

extension MembersListView {
    static let sample = MembersListView(rows: MemberRow.samples)
}

extension ProfileView {
    static let sample = ProfileView(
        layout: .settingsSample, person: .sample, username: "ada", isOwner: true,
        joinedAt: .sample - 86_400 * 90,
        form: FormState(
            typed: ["displayName": "Ada Lovelace", "email": "ada@example"],
            fieldErrors: ["email": "Enter an e-mail address such as ada@example.org."]))
}

extension ResetView {
    static let sample = ResetView(
        layout: .sample, code: "7K3M-9QXA-PB2T-4WZH", username: "grace",
        form: FormState.empty.offeringRevocation(of: 3))
}

extension SecretLinkView {
    static let resetSample = SecretLinkView.reset(
        name: "Grace Hopper",
        link: SharedLink(address: "http://192.168.1.20:8080/reset/7K3M-9QXA-PB2T-4WZH"),
        expiresAt: .sample + 86_400, now: .sample)

    static let invitationSample = SecretLinkView.invitation(
        note: "The new neighbours",
        link: SharedLink(
            address: "http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH",
            alternatives: ["http://nas.local:8080/join/7K3M-9QXA-PB2T-4WZH"]),
        expiresAt: .sample + 86_400 * 7, now: .sample)
}

extension SecurityView {
    static let sample = SecurityView(
        layout: .settingsSample, username: "ada", isOwner: true, sessions: .sample, accountData: .sample,
        passwordForm: FormState(fieldErrors: ["current": "This is not your current password."])
            .offeringRevocation(of: 2))
}

extension OwnSessionsView {
    static let sample = OwnSessionsView(rows: SessionRow.samples)
}

extension SessionRow {
    static let samples = [
        SessionRow(
            id: "1", device: "Firefox on Linux", address: "192.168.1.7", startedAt: .sample - 86_400 * 12,
            lastSeenAt: .sample - 4, isThis: true, now: .sample),
        SessionRow(
            id: "2", device: "Safari on iPhone", address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            startedAt: .sample - 86_400 * 3, lastSeenAt: .sample - 7_300, now: .sample),
        SessionRow(
            id: "3", device: "Unknown device", address: "192.168.1.31", startedAt: .sample - 86_400 * 28,
            lastSeenAt: .sample - 86_400 * 9, now: .sample),
    ]
}

extension SetupView {
    static let sample = SetupView(
        layout: .sample, form: FormState(typed: ["code": "7K3M-9QXA-PB2T-4WZH", "username": "ada"]))
}

extension NewTokenView {
    static let sample = NewTokenView(
        name: "Backup script", secret: "roost_q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k")
}

extension TokenRow {
    static let samples = [
        TokenRow(
            id: "1", name: "Backup script", scope: .read, createdAt: .sample,
            expiresAt: .sample + 86_400 * 90, lastUsedAt: nil, now: .sample),
        TokenRow(
            id: "4", name: "Chat bot", scope: .write, areas: "reading:read chat:write", createdAt: .sample,
            expiresAt: nil, lastUsedAt: .sample - 3_600, now: .sample),
        TokenRow(
            id: "2", name: "Home automation", scope: .write, createdAt: .sample - 86_400 * 40,
            expiresAt: nil, lastUsedAt: .sample - 43, now: .sample),
        TokenRow(
            id: "3", name: "Something with a long name that I made when I tried the interface",
            scope: .metrics, createdAt: .sample - 86_400 * 100, expiresAt: .sample - 86_400 * 10,
            lastUsedAt: .sample - 86_400 * 30, now: .sample),
    ]
}

extension TokensView {
    static let sample = TokensView(
        layout: .settingsSample, isOwner: true, list: .sample, newToken: .sample,
        areas: [TokenArea("reading", name: "Reading"), TokenArea("chat", name: "Chat")])
}

extension TokensListView {
    static let sample = TokensListView(rows: TokenRow.samples)
}
