import { clock, dayText } from "./clock.js";
import { morphNode, parse } from "./morph.js";
import { make } from "./element.js";
import { dayLabel } from "./chat-ages.js";

const STATUSES = { failed: "Failed", sending: "Sending...", sent: "Sent", delivered: "Delivered", read: "Read" };
const RANKS = Object.keys(STATUSES);
const GROUP_TIME = 300_000; // milliseconds at most between two messages under one name
const NEAR = 40; // pixels from the end that count as the end

const time = (message) => Date.parse(message.dataset.time);
export const seqOf = (message) => +message.dataset.seq;
const rank = (message) => RANKS.indexOf(message.dataset.status);

/** The message before or after an element, skipping days and other lines. */
function neighbour(element, side) {
    do element = element[`${side}ElementSibling`]; while (element && !element.matches(".message"));
    return element;
}

/** The messages of the open conversation, in order of number. Changes do not move what the reader sees. */
export class MessageList {
    list = document.getElementById("messages");
    scroller = document.getElementById("history");
    #me;
    #latest = document.getElementById("latest");
    #line = document.getElementById("unread");
    #missed = 0;
    #isAtEnd = true;
    #anchor;
    #top = 0; // the last known scroll position
    #sizes = new ResizeObserver(() => this.#keepPosition());

    /** `newest` is the number of the conversation's last message, even if it is not shown. */
    constructor(me, newest) {
        this.#me = me;
        this.newest = newest;
    }

    start() {
        this.scroller.style.overflowAnchor = "none"; // #keepPosition does this in all browsers
        this.scroller.addEventListener("scroll", this.#scrolled, { passive: true });
        this.#latest.addEventListener("click", this.toLatest);
        for (const message of this.all) this.#arrange(message);
        this.#labelDays();
        this.#open();
        for (const part of [this.scroller, this.list]) this.#sizes.observe(part);
    }

    get all() {
        return [...this.list.querySelectorAll(".message")];
    }

    /** Whether there are newer messages that the page does not show. */
    get hasNewer() {
        return !!document.getElementById("newer");
    }

    get lastOwn() {
        return this.all.findLast((message) => message.matches(".mine[data-seq]:not(.deleted)"));
    }

    find(id) {
        return this.all.find(({ dataset }) => dataset.id === id && dataset.sender === this.#me);
    }

    /** Scrolls to the message in the URL, else to the first unread one, else to the end. */
    #open() {
        // Messages that were new when the link was followed may have been read since.
        const [, after] = location.href.match(/[?&]after=(\d+)#unread$/) ?? [];
        if (after && !this.#line) this.mark(this.all.find((message) => seqOf(message) > after && !message.matches(".mine")));
        const linked = location.hash && document.getElementById(location.hash.slice(1));
        (linked || this.#line)?.scrollIntoView({ block: linked ? "center" : "start" });
        this.#isAtEnd = !linked && !this.#line;
        this.#keepPosition();
        this.#scrolled();
    }


    /**
     * Puts a message rendered by Roost, as HTML or element, in place of its outgoing or previous version. Returns it if
     * it was not here before. Adds the reader's own marks, and keeps link cards until new ones arrive.
     */
    put(html, isNew, hasCards) {
        const message = html.id ? html : parse(html).querySelector(".message");
        const seq = seqOf(message);
        const isOwn = message.dataset.sender === this.#me;
        const old = document.getElementById(message.id) ?? (isOwn && this.find(message.dataset.id));
        this.newest = Math.max(this.newest, seq);
        message.classList.toggle("mine", isOwn);
        for (const button of message.querySelectorAll("[data-users]")) {
            button.ariaPressed = button.dataset.users.split(" ").includes(this.#me);
        }
        if (old) {
            if (rank(old) > rank(message)) this.setStatus(message, old.dataset.status);
            if (hasCards) message.querySelector(".foot").before(...old.querySelectorAll(".card"));
            morphNode(old, message);
        }
        const isShown = old || (!this.hasNewer && this.#belongs(seq));
        if (isNew && !isOwn && !old && !(isShown && this.#isAtEnd)) this.#missed += 1;
        if (isShown) this.insert(old || message);
        return isShown && !old ? message : null;
    }

    /** Messages older than the first shown one come with their page. */
    #belongs(seq) {
        return !document.getElementById("older") || seq > seqOf(this.list.querySelector("[data-seq]"));
    }

    insert(message) {
        const seq = seqOf(message);
        const before = this.all.findLast((each) => each !== message && seqOf(each) < seq);
        if (message.parentNode !== this.list || neighbour(message, "previous") !== (before ?? null)) {
            if (before) before.after(message);
            else this.list.prepend(message);
        }
        this.arrange(message);
    }

    /** Updates the parts of this message and the next that depend on the one before. */
    arrange(message) {
        this.#arrange(message);
        this.#arrange(neighbour(message, "next"));
    }

    /** Adds the line of a new day above a message, or groups it with the one before. */
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
            const line = make("li", { className: "day", textContent: dayLabel(day) });
            line.dataset.day = day;
            if (above) above.after(line);
            else this.list.prepend(line);
        }
        message.classList.toggle("follows", !!before && message.previousElementSibling === before
            && before.dataset.sender === message.dataset.sender && time(message) - time(before) <= GROUP_TIME
            && !message.querySelector(".quote"));
    }

    /** Updates "Today" every quarter of an hour: midnight in any time zone falls on one. */
    #labelDays = () => {
        for (const line of this.list.querySelectorAll(".day")) line.textContent = dayLabel(line.dataset.day);
        const now = clock.now();
        setTimeout(this.#labelDays, 900_100 - (now % 900_000));
    };

    setStatus(message, status, text = STATUSES[status]) {
        const label = message.querySelector(".status");
        message.dataset.status = status;
        label.className = `status ${status}`;
        label.textContent = text;
    }

    /** Raises the status of own messages whose number is in one of the ranges. */
    raiseStatus(status, ranges) {
        for (const message of this.list.querySelectorAll(".mine[data-seq]")) {
            const isInRange = ranges.some(([from, to]) => from <= seqOf(message) && seqOf(message) <= to);
            if (isInRange && rank(message) < RANKS.indexOf(status)) this.setStatus(message, status);
        }
    }

    /** Call before a change: browsers report a scroll only with the next frame, and a change must not undo it. */
    catchUp() {
        if (this.#isAtEnd && this.scroller.scrollTop < this.#top) this.#scrolled();
    }

    /** Call after a change: restores the scroll position and updates times to the reader's zone. */
    settle() {
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: this.list }));
        this.#keepPosition();
        this.#updateLatest();
    }


    #scrolled = () => {
        const { top } = this.scroller.getBoundingClientRect();
        const { scrollHeight, scrollTop, clientHeight } = this.scroller;
        this.#isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
        this.#top = scrollTop;
        const first = this.all.find((message) => message.getBoundingClientRect().bottom > top);
        this.#anchor = first && [first, first.getBoundingClientRect().bottom - top];
        if (this.#line?.getBoundingClientRect().bottom > top) document.querySelector(".to-unread")?.remove();
        this.#updateLatest();
    };

    /** Keeps the first visible message in place, or stays at the end, when content is added or grows. */
    #keepPosition() {
        this.catchUp();
        const [first, offset] = this.#anchor ?? [];
        if (this.#isAtEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
        else if (first?.isConnected) {
            const { top } = this.scroller.getBoundingClientRect();
            this.scroller.scrollTop += (first.getBoundingClientRect().bottom - top - offset) / (this.scroller.currentCSSZoom || 1);
        }
        this.#top = this.scroller.scrollTop;
    }

    #updateLatest() {
        const isAtLatest = this.#isAtEnd && !this.hasNewer;
        if (isAtLatest) this.#missed = 0;
        this.#latest.hidden = isAtLatest;
        this.#latest.querySelector(".count").textContent = this.#missed || "";
    }

    /** Reopens the conversation if the latest messages are not loaded. */
    toLatest = () => {
        if (this.hasNewer) return location.assign(location.pathname);
        this.#isAtEnd = true;
        this.#keepPosition();
        this.#updateLatest();
    };


    get firstUnread() {
        return this.#line && neighbour(this.#line, "next");
    }

    /** Moves the line above this message, or removes it without one. */
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
