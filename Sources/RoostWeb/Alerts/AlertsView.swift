/// `/alerts`: all alerts, and the form that makes one.
package struct AlertsView: PageView, Sendable {
    package let layout: LayoutView
    let form: AlertFormView
    let list: AlertsListView

    init(layout: LayoutView, form: AlertFormView, list: AlertsListView) {
        self.layout = layout
        self.form = form
        self.list = list
    }

    package static let sample = AlertsView(layout: .sample, form: .sample, list: .sample)
}
