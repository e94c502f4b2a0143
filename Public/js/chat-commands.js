import { Choices } from "./chat-choices.js";

const TYPED = /^()\/([a-z]*)$/i;
const OPTIONS = document.getElementById("commands").options;

const search = (prefix) => [...OPTIONS].filter(({ value }) => value.startsWith(`/${prefix}`)).map(({ value, label, text }) =>
    ({ text: value, caption: `${text} · ${label}`, title: text, label: `${text}: ${label}` }));

let choices;

/** Suggests commands while a word is being typed after a slash at the start of the message. */
export function complete(composer) {
    choices ??= new Choices(composer, "Commands", TYPED, search);
    choices.complete();
}
