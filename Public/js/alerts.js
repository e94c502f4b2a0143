import { shownUntil } from "./alert-notifications.js";
import { clock } from "./clock.js";

/** The button that has this browser show what fires. */
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

    /** The browser is asked first. What fired before is not shown. */
    #toggle = async () => {
        if (shownUntil()) delete localStorage.alertsShownUntil;
        else if (this.#mayNotify && (await Notification.requestPermission()) === "granted") {
            localStorage.alertsShownUntil = new Date(clock.now()).toISOString();
        }
        this.#explain();
    };

    #explain() {
        this.#button.ariaPressed = String(!!shownUntil());
        let why = "";
        if (!this.#mayNotify) why = "Browsers show notifications of https addresses and of this machine only.";
        else if (Notification.permission === "denied") why = "This browser forbids it: allow notifications in its settings.";
        this.#button.hidden = !!why;
        this.#box.querySelector("[role=status]").textContent = why;
    }
}

new AlertNotificationsButton().start();
