import { make } from "./element.js";

/** Draws outgoing messages in the open conversation, and their actions. */
export class OutgoingMessages {
    #messages;
    #me;

    constructor(messages, me) {
        this.#messages = messages;
        this.#me = me;
    }

    /** Takes an item of the outbox. `message` is set once it has been sent. */
    show(item, message) {
        const element = this.#messages.find(item.id);
        if (element?.dataset.seq) return;
        if (message && element) this.#sent(element, message);
        else if (!message) this.#setState(element ?? this.#make(item), item);
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

    /** `picture` is a "data:" URL drawn by this browser. */
    #picture(picture, name) {
        return make("a", { className: "picture" }, make("img", { src: picture, alt: name }));
    }

    #file(name) {
        return make("p", { className: "file", textContent: name });
    }

    #setState(message, { state, isUnanswered, words }) {
        const isUnknown = state !== "failed" && (isUnanswered || state === "unconfirmed");
        this.#messages.setStatus(message, state === "failed" ? "failed" : "sending", isUnknown ? "Not confirmed" : undefined);
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

    /** The final rendering arrives with the log. */
    #sent(element, { seq, sentAt }) {
        element.id = `m-${seq}`;
        Object.assign(element.dataset, { seq, time: sentAt });
        element.querySelector(".foot").replaceChildren(element.querySelector(".status"));
        this.#messages.setStatus(element, "sent");
        this.#messages.insert(element);
    }
}
