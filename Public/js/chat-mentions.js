import { ask } from "./chat-api.js";
import { Choices } from "./chat-choices.js";

const TYPED = /(^|[^\p{L}\p{N}_])@([\p{L}\p{N}_.-]*)$/u;

let members = [];
let asked;
let choices;

/** Those whose name begins so: the name that they sign in with, or one by which they are shown. */
const named = (begun) => members.filter(({ username, name }) =>
    [username, ...name.split(" ")].some((word) => word.toLowerCase().startsWith(begun))
).map(({ username, name }) => ({ text: `@${username}`, words: `${name} @${username}`, title: name, label: name }));

/** Once for a page; again where Roost did not answer. */
async function load(chat, me) {
    const { items } = await ask("GET", `${chat}/members`);
    members = items.filter(({ userId, username }) => username && String(userId) !== me);
}

/** The members of the conversation whose name is being typed after an `@`. */
export async function complete(composer, chat, me) {
    choices ??= new Choices(composer, "Members", TYPED, named);
    asked ??= load(chat, me).catch(() => (asked = null));
    await asked;
    choices.complete();
}
