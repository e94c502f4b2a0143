import { make } from "./element.js";

/** The same names as EmojiNames.swift; change both. Roost puts the pictures in the place of names that come as text. */
const NAMES = (
    "👍 +1 thumbsup, 👎 -1 thumbsdown, ❤️ heart, 😂 joy, 😄 smile, 😃 smiley, 😀 grinning, 😊 blush, 😉 wink, "
    + "🙂 slightly_smiling_face, 🙃 upside_down_face, 😅 sweat_smile, 🤣 rofl, 😍 heart_eyes, 🤔 thinking thinking_face, "
    + "😎 sunglasses, 😐 neutral_face, 😕 confused, 😢 cry, 😭 sob, 😡 rage, 😱 scream, 😴 sleeping, 🤯 exploding_head, "
    + "🥳 partying_face, 🤷 shrug person_shrugging, 🤦 facepalm, 🙈 see_no_evil, 🎉 tada, 👀 eyes, ✅ white_check_mark, "
    + "✔️ heavy_check_mark, ❌ x, ⚠️ warning, ❓ question, ❗ exclamation, 🚀 rocket, 🔥 fire, 💯 100, 👏 clap, 🙏 pray, "
    + "💪 muscle, 👋 wave, 🤝 handshake, 👌 ok_hand, ✌️ v, 🤞 crossed_fingers, 🐛 bug, 🔧 wrench, 🔨 hammer, 🚧 construction, "
    + "🚨 rotating_light, 🔒 lock, 🔑 key, 📦 package, 📌 pushpin, 📈 chart_with_upwards_trend, "
    + "📉 chart_with_downwards_trend, 💡 bulb, 📝 memo, 📅 date calendar, ⏰ alarm_clock, ⏳ hourglass_flowing_sand, "
    + "☕ coffee, 🍕 pizza, 🎂 birthday, 🍺 beer, 🌍 earth_africa, ☀️ sunny, 🌧️ cloud_with_rain, ⭐ star, ✨ sparkles, "
    + "💥 boom, 💤 zzz, 💸 money_with_wings, 🐙 octopus, 🐱 cat, 🐶 dog, 🦊 fox_face, 🐢 turtle, 🤖 robot, 👻 ghost, 💀 skull, "
    + "➕ heavy_plus_sign, ➡️ arrow_right, ⬆️ arrow_up, ⬇️ arrow_down, 🆗 ok, 🆕 new"
).split(", ").map((line) => line.split(" "));
const MOST = 8; // that are offered for what has been typed
const TYPED = /(^|\s):([\w+-]*)$/;

/** The emoji that a person picks, or whose name is being typed after a colon. */
class EmojiPicker {
    #composer;
    #panel = make("div", { className: "emoji-panel panel", role: "listbox", ariaLabel: "Emoji", hidden: true });

    constructor(composer) {
        this.#composer = composer;
    }

    start() {
        this.#panel.dataset.owned = "";
        this.#composer.form.prepend(this.#panel);
        this.#panel.addEventListener("click", this.#click);
        this.#composer.form.addEventListener("keydown", this.#key, true);
        this.#composer.area.addEventListener("input", () => this.#typed === null && this.#close());
        document.addEventListener("pointerdown", ({ target }) => target.closest("#composer") || this.#close());
    }

    /** All of them, or none again. */
    pick() {
        if (!this.#panel.hidden) return this.#close();
        this.#show(NAMES);
        this.#panel.firstElementChild.focus();
    }

    /** Those whose name goes on as it was begun come first. */
    complete() {
        const begun = this.#typed;
        if (begun === null) return this.#close();
        const fits = (fit) => NAMES.filter(([, ...names]) => names.some((name) => fit(name)));
        const found = new Set([...fits((name) => name.startsWith(begun)), ...fits((name) => name.includes(begun))]);
        if (found.size) this.#show([...found].slice(0, MOST), true);
        else this.#close();
    }

    /** What stands between a colon and the caret; null for nothing of the kind. */
    get #typed() {
        const { value, selectionEnd } = this.#composer.area;
        return value.slice(0, selectionEnd).match(TYPED)?.[2].toLowerCase() ?? null;
    }

    #show(lines, hasNames) {
        this.#panel.replaceChildren(...lines.map(([emoji, name], index) => {
            const words = hasNames ? `${emoji} :${name}:` : emoji;
            const button = make("button", { type: "button", role: "option", title: `:${name}:` }, words);
            button.dataset.emoji = emoji;
            button.ariaLabel = name.replaceAll("_", " ");
            button.ariaSelected = String(!!hasNames && !index);
            return button;
        }));
        this.#panel.hidden = false;
    }

    #close() {
        this.#panel.hidden = true;
    }

    #click = ({ target }) => {
        const button = target.closest("button");
        if (button) this.#insert(button.dataset.emoji);
    };

    #insert(emoji) {
        const { area } = this.#composer;
        const end = area.selectionEnd;
        const begun = this.#typed;
        const start = begun === null ? area.selectionStart : end - begun.length - 1;
        area.setRangeText(`${emoji} `, start, end, "end");
        area.dispatchEvent(new Event("input", { bubbles: true }));
        this.#close();
        area.focus();
    }

    /** While names are offered, the keys choose among them before they send anything. */
    #key = (event) => {
        if (this.#panel.hidden || event.isComposing) return;
        const buttons = [...this.#panel.children];
        const isTyping = event.target === this.#composer.area;
        const isAt = (button) => isTyping ? button.ariaSelected === "true" : button === document.activeElement;
        const at = buttons.findIndex(isAt);
        const step = { ArrowDown: 1, ArrowUp: -1, ...(isTyping ? {} : { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
        if (step && at >= 0) this.#move(buttons, buttons.at((at + step) % buttons.length), isTyping);
        else if (isTyping && at >= 0 && /^(Enter|Tab)$/.test(event.key)) this.#insert(buttons[at].dataset.emoji);
        else if (event.key === "Escape") {
            this.#close();
            this.#composer.area.focus();
        } else return;
        event.preventDefault();
        event.stopPropagation();
    };

    #move(buttons, next, isTyping) {
        for (const button of buttons) button.ariaSelected = String(button === next);
        if (isTyping) next.scrollIntoView({ block: "nearest" });
        else next.focus();
    }
}

let shared;

function picker(composer) {
    if (shared) return shared;
    shared = new EmojiPicker(composer);
    shared.start();
    return shared;
}

export const pick = (composer) => picker(composer).pick();
export const complete = (composer) => picker(composer).complete();
