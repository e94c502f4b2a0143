import { Choices } from "./chat-choices.js";

/** The same names as in EmojiNames.swift; change both. Roost replaces names in a message's text with emoji. */
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

/** Names that start with the word come before those that contain it. */
function search(prefix) {
    const matching = (matches) => NAMES.filter(([, ...names]) => names.some((name) => matches(name)));
    const found = new Set([...matching((name) => name.startsWith(prefix)), ...matching((name) => name.includes(prefix))]);
    return [...found].map(([emoji, name]) => ({ ...choice([emoji, name]), caption: `${emoji} :${name}:` }));
}

const choice = ([emoji, name]) => ({ text: emoji, caption: emoji, title: `:${name}:`, label: name.replaceAll("_", " ") });

let shared;

const choices = (composer) => (shared ??= new Choices(composer, "Emoji", TYPED, search));

export const pick = (composer) => choices(composer).pick(NAMES.map(choice));
export const complete = (composer) => choices(composer).complete();
