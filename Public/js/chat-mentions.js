import { ask } from "./chat-api.js";
import { Choices } from "./chat-choices.js";

const TYPED = /(^|[^\p{L}\p{N}_])@([\p{L}\p{N}_.-]*)$/u;

let members = [];
let loading;
let choices;

/** Members whose user name or a part of whose display name starts with the text. */
const search = (prefix) => members.filter(({ username, name }) =>
    [username, ...name.split(" ")].some((word) => word.toLowerCase().startsWith(prefix))
).map(({ username, name }) => ({ text: `@${username}`, caption: `${name} @${username}`, title: name, label: name }));

/** Runs once per page, and again after a failure. */
async function load(chat, me) {
    const { items } = await ask("GET", `${chat}/members`);
    members = items.filter(({ userId, username }) => username && String(userId) !== me);
}

/** Suggests members while a name is being typed after `@`. */
export async function complete(composer, chat, me) {
    choices ??= new Choices(composer, "Members", TYPED, search);
    loading ??= load(chat, me).catch(() => (loading = null));
    await loading;
    choices.complete();
}
