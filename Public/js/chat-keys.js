import { RowKeys } from "./keyboard.js";

/** Next to an open conversation, letters are a message unless a link or button has the focus. */
class ChatKeys extends RowKeys {
    press(event) {
        if (event.key === "/" || event.target.closest("a, button, summary")) super.press(event);
    }
}

const keys = new ChatKeys().start();

export const press = (event) => keys.press(event);
