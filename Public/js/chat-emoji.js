import { Choices } from "./chat-choices.js";

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
const TYPED = /(^|\s):([\w+-]*)$/;

/** Those whose name goes on as it was begun come first. */
function named(begun) {
    const fits = (fit) => NAMES.filter(([, ...names]) => names.some((name) => fit(name)));
    const found = new Set([...fits((name) => name.startsWith(begun)), ...fits((name) => name.includes(begun))]);
    return [...found].map(([emoji, name]) => ({ ...choice([emoji, name]), words: `${emoji} :${name}:` }));
}

const choice = ([emoji, name]) => ({ text: emoji, words: emoji, title: `:${name}:`, label: name.replaceAll("_", " ") });

let shared;

/** The emoji that a person picks, or whose name is being typed after a colon. */
const choices = (composer) => (shared ??= new Choices(composer, "Emoji", TYPED, named));

export const pick = (composer) => choices(composer).pick(NAMES.map(choice));
export const complete = (composer) => choices(composer).complete();
