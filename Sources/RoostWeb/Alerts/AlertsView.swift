/// `/alerts`: all alerts, and the form that makes one.
struct AlertsView: PageView, Sendable {
    let layout: LayoutView
    let form: AlertFormView
    let list: AlertsListView
}
