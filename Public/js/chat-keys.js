let keyboard;

/** Next to an open conversation, letters are a message unless a link or button has the focus. Loads the keys with the first of them. */
export function press(event) {
    const { key, target } = event;
    if (key !== "/" && !(key.length === 1 && target.closest("a, button, summary"))) return;
    keyboard ??= import("./keyboard.js");
    keyboard.then((script) => script.press(event), () => (keyboard = null));
}
