import { make } from "./element.js";

/** Draws what is on its way among the messages of the open conversation, and what can be done about it. */
export class OutgoingMessages {
    #messages;
    #me;

    constructor(messages, me) {
        this.#messages = messages;
        this.#me = me;
    }

    /** An item of the outbox as it is now; `message` is what it has become. */
    show(item, message) {
        const shown = this.#messages.find(item.id);
        if (shown?.dataset.seq) return;
        if (message && shown) this.#sent(shown, message);
        else if (!message) this.#say(shown ?? this.#make(item), item);
        this.#messages.settle();
    }

    hide(id) {
        this.#messages.find(id)?.remove();
    }

    #make({ id, at, text, picture, fileName }) {
        const message = document.getElementById("outgoing").content.firstElementChild.cloneNode(true);
        const body = message.querySelector(".text");
        Object.assign(message.dataset, { id, sender: this.#me, time: new Date(at).toISOString() });
        body.textContent = text;
        if (fileName) body.after(picture ? this.#picture(picture, fileName) : this.#file(fileName));
        if (!text) body.remove();
        this.#messages.list.append(message);
        this.#messages.mark(null);
        this.#messages.arrange(message);
        this.#messages.toLatest();
        return message;
    }

    /** `picture` is a "data:" address that this browser has drawn. */
    #picture(picture, name) {
        return make("a", { className: "picture" }, make("img", { src: picture, alt: name }));
    }

    #file(name) {
        return make("p", { className: "file", textContent: name });
    }

    #say(message, { state, isUnanswered, words }) {
        const isUnknown = state !== "failed" && (isUnanswered || state === "unconfirmed");
        this.#messages.say(message, state === "failed" ? "failed" : "sending", isUnknown ? "Not confirmed" : undefined);
        const foot = message.querySelector(".foot");
        foot.replaceChildren(foot.querySelector(".status"));
        if (words) foot.append(make("span", { className: "why" }, words));
        if (state === "waiting") return;
        for (const act of ["Retry", ...(state === "failed" ? ["Edit"] : []), "Discard"]) {
            const button = make("button", { type: "button", className: "subtle" }, act);
            button.dataset.outbox = act;
            foot.append(button);
        }
    }

    /** How it looks comes with the log. */
    #sent(shown, { seq, sentAt }) {
        shown.id = `m-${seq}`;
        Object.assign(shown.dataset, { seq, time: sentAt });
        shown.querySelector(".foot").replaceChildren(shown.querySelector(".status"));
        this.#messages.say(shown, "sent");
        this.#messages.place(shown);
    }
}
