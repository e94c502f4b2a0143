import { shownUntil } from "./alert-notifications.js";
import { clock } from "./clock.js";

/** The button that turns notifications on or off in this browser. */
class AlertNotificationsButton {
    #box = document.querySelector("[data-alert-notify]");
    #button = this.#box.querySelector("button");

    start() {
        this.#button.addEventListener("click", this.#toggle);
        this.#explain();
    }

    stop() {
        this.#button.removeEventListener("click", this.#toggle);
    }

    get #mayNotify() {
        return isSecureContext && "Notification" in window;
    }

    /** Asks for the browser's permission first. Earlier alerts are not shown. */
    #toggle = async () => {
        if (shownUntil()) delete localStorage.alertsShownUntil;
        else if (this.#mayNotify && (await Notification.requestPermission()) === "granted") {
            localStorage.alertsShownUntil = new Date(clock.now()).toISOString();
        }
        this.#explain();
    };

    #explain() {
        this.#button.ariaPressed = String(!!shownUntil());
        let reason = "";
        if (!this.#mayNotify) reason = "Browsers allow notifications only over HTTPS or on localhost.";
        else if (Notification.permission === "denied") reason = "Notifications are blocked. Allow them in your browser’s settings.";
        this.#button.hidden = !!reason;
        this.#box.querySelector("[role=status]").textContent = reason;
    }
}

new AlertNotificationsButton().start();
