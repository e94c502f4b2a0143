import { clock, dayText } from "./clock.js";
import { morphNode, parse } from "./morph.js";
import { make } from "./element.js";

const STATUSES = { failed: "Failed", sending: "Sending...", sent: "Sent", delivered: "Delivered", read: "Read" };
const RANKS = Object.keys(STATUSES);
const TOGETHER = 300_000; // milliseconds between two messages that stand under one name, at most
const NEAR = 40; // pixels from the end, where one is at the end

const time = (message) => Date.parse(message.dataset.time);
export const seqOf = (message) => +message.dataset.seq;
const rank = (message) => RANKS.indexOf(message.dataset.status);

/** What people call a day. */
function dayWords(day) {
    const now = new Date(clock.now());
    if (day === dayText(now)) return "Today";
    return day === dayText(now.setDate(now.getDate() - 1)) ? "Yesterday" : day;
}

/** The message before or after an element; days and other lines are passed over. */
function neighbour(element, side) {
    do element = element[`${side}ElementSibling`]; while (element && !element.matches(".message"));
    return element;
}

/** The messages of the open conversation: in the order of their numbers, and where the reader looks nothing moves. */
export class MessageList {
    list = document.getElementById("messages");
    scroller = document.getElementById("history");
    #me;
    #latest = document.getElementById("latest");
    #line = document.getElementById("unread");
    #missed = 0;
    #midnight;
    #isAtEnd = true;
    #anchor;
    #top = 0; // where it was scrolled to when it was last looked at
    #sizes = new ResizeObserver(() => this.#hold());

    /** `newest` is the number of the conversation's last message, whether it is shown or not. */
    constructor(me, newest) {
        this.#me = me;
        this.newest = newest;
    }

    start() {
        this.scroller.style.overflowAnchor = "none"; // held here, in every browser
        this.scroller.addEventListener("scroll", this.#scrolled, { passive: true });
        this.#latest.addEventListener("click", this.toLatest);
        for (const message of this.all) this.#arrange(message);
        this.#nameDays();
        this.#open();
        for (const part of [this.scroller, this.list]) this.#sizes.observe(part);
    }

    stop() {
        this.scroller.removeEventListener("scroll", this.#scrolled);
        this.#latest.removeEventListener("click", this.toLatest);
        this.#sizes.disconnect();
        clearTimeout(this.#midnight);
    }

    get all() {
        return [...this.list.querySelectorAll(".message")];
    }

    /** Roost has newer ones that the page does not show. */
    get hasNewer() {
        return !!document.getElementById("newer");
    }

    /** The reader's last message that can still be changed. */
    get lastOwn() {
        return this.all.findLast((message) => message.matches(".mine[data-seq]:not(.deleted)"));
    }

    /** The reader's own message of this id. */
    find(id) {
        return this.all.find(({ dataset }) => dataset.id === id && dataset.sender === this.#me);
    }

    /** At the message of the address, else where one has read to, else at the end. */
    #open() {
        // What was new when the link was followed may be read by now.
        const [, after] = location.href.match(/[?&]after=(\d+)#unread$/) ?? [];
        if (after && !this.#line) this.mark(this.all.find((message) => seqOf(message) > after && !message.matches(".mine")));
        const linked = location.hash && document.getElementById(location.hash.slice(1));
        (linked || this.#line)?.scrollIntoView({ block: linked ? "center" : "start" });
        this.#isAtEnd = !linked && !this.#line;
        this.#hold();
        this.#scrolled();
    }

    // What comes.

    /**
     * Puts a message as Roost has rendered it in the place of what stands for it here, or in its own; answers it if it
     * was not here before. The reader's own marks are added, and cards stay until the new ones come.
     */
    put(html, isNews, hasCards) {
        const message = parse(html).querySelector(".message");
        const seq = seqOf(message);
        const isMine = message.dataset.sender === this.#me;
        const old = document.getElementById(message.id) ?? (isMine && this.find(message.dataset.id));
        this.newest = Math.max(this.newest, seq);
        message.classList.toggle("mine", isMine);
        for (const button of message.querySelectorAll("[data-users]")) {
            button.ariaPressed = button.dataset.users.split(" ").includes(this.#me);
        }
        if (old) {
            if (rank(old) > rank(message)) this.say(message, old.dataset.status);
            if (hasCards) message.querySelector(".foot").before(...old.querySelectorAll(".card"));
            morphNode(old, message);
        }
        const isHere = old || (!this.hasNewer && this.#belongs(seq));
        if (isNews && !isMine && !old && !(isHere && this.#isAtEnd)) this.#missed += 1;
        if (isHere) this.place(old || message);
        return isHere && !old ? message : null;
    }

    /** What is older than all that is shown comes with its page. */
    #belongs(seq) {
        return !document.getElementById("older") || seq > seqOf(this.list.querySelector("[data-seq]"));
    }

    place(message) {
        const seq = seqOf(message);
        const before = this.all.findLast((each) => each !== message && seqOf(each) < seq);
        if (message.parentNode !== this.list || neighbour(message, "previous") !== (before ?? null)) {
            if (before) before.after(message);
            else this.list.prepend(message);
        }
        this.arrange(message);
    }

    /** Says about it and the next one what depends on those before them. */
    arrange(message) {
        this.#arrange(message);
        this.#arrange(neighbour(message, "next"));
    }

    /** The line of a new day above it, or its place under the name of the one before it. */
    #arrange(message) {
        if (!message) return;
        const before = neighbour(message, "previous");
        const day = dayText(time(message));
        let above = message.previousElementSibling;
        while (above?.matches(".day, .unread-line")) {
            const line = above;
            above = line.previousElementSibling;
            if (line.matches(".day")) line.remove();
        }
        if (!before || dayText(time(before)) !== day) {
            const line = make("li", { className: "day", textContent: dayWords(day) });
            line.dataset.day = day;
            if (above) above.after(line);
            else this.list.prepend(line);
        }
        message.classList.toggle("follows", !!before && message.previousElementSibling === before
            && before.dataset.sender === message.dataset.sender && time(message) - time(before) <= TOGETHER
            && !message.querySelector(".quote"));
    }

    /** A page that stays open over midnight no longer calls that day today. */
    #nameDays = () => {
        for (const line of this.list.querySelectorAll(".day")) line.textContent = dayWords(line.dataset.day);
        const now = clock.now();
        this.#midnight = setTimeout(this.#nameDays, new Date(now).setHours(24, 0, 1, 0) - now);
    };

    say(message, status, words = STATUSES[status]) {
        const place = message.querySelector(".status");
        message.dataset.status = status;
        place.className = `status ${status}`;
        place.textContent = words;
    }

    /** Own messages whose number lies in one of the ranges have at least this status. */
    reached(status, ranges) {
        for (const message of this.list.querySelectorAll(".mine[data-seq]")) {
            const isMeant = ranges.some(([from, to]) => from <= seqOf(message) && seqOf(message) <= to);
            if (isMeant && rank(message) < RANKS.indexOf(status)) this.say(message, status);
        }
    }

    /** Before a change: a scroll is told of with the next picture only, and what comes sooner must not take it back. */
    catchUp() {
        if (this.#isAtEnd && this.scroller.scrollTop < this.#top) this.#scrolled();
    }

    /** After a change: nothing that is looked at has moved, and times are in the reader's zone. */
    settle() {
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: this.list }));
        this.#hold();
        this.#offer();
    }

    // Where one is.

    #scrolled = () => {
        const { top } = this.scroller.getBoundingClientRect();
        const { scrollHeight, scrollTop, clientHeight } = this.scroller;
        this.#isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
        this.#top = scrollTop;
        const first = this.all.find((message) => message.getBoundingClientRect().bottom > top);
        this.#anchor = first && [first, first.getBoundingClientRect().bottom - top];
        if (this.#line?.getBoundingClientRect().bottom > top) document.querySelector(".to-unread")?.remove();
        this.#offer();
    };

    /** Keeps what follows the first message that is seen where it is, or the end at the end, whatever comes or grows. */
    #hold() {
        this.catchUp();
        const [first, way] = this.#anchor ?? [];
        if (this.#isAtEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
        else if (first?.isConnected) {
            const { top } = this.scroller.getBoundingClientRect();
            this.scroller.scrollTop += first.getBoundingClientRect().bottom - top - way;
        }
        this.#top = this.scroller.scrollTop;
    }

    #offer() {
        const isThere = this.#isAtEnd && !this.hasNewer;
        if (isThere) this.#missed = 0;
        this.#latest.hidden = isThere;
        this.#latest.querySelector(".count").textContent = this.#missed || "";
    }

    /** Far back, the conversation is opened again. */
    toLatest = () => {
        if (this.hasNewer) return location.assign(location.pathname);
        this.#isAtEnd = true;
        this.#hold();
        this.#offer();
    };

    // The line above what one has not read.

    get firstUnread() {
        return this.#line && neighbour(this.#line, "next");
    }

    /** Draws it above this message; without one it goes. */
    mark(message) {
        const below = this.firstUnread;
        this.#line?.remove();
        this.#line = null;
        if (below) this.#arrange(below);
        if (!message) return;
        this.#line = make("li", { className: "unread-line", id: "unread" }, make("span", {}, "New"));
        message.before(this.#line);
        this.#arrange(message);
    }
}
