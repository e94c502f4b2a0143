import { RowKeys } from "./keyboard.js";
import { moves } from "./pull-moves.js";

class PullPageKeys extends RowKeys {
    acts = {
        ...this.acts,
        ...moves,
        o: () => document.querySelector(".pull-links [data-act=github]")?.click(),
        e: () => this.click("done", document.querySelector(".pull-pane")),
        r: () => this.click("refresh", document.querySelector(".pull-pane")),
    };
}

const keys = new PullPageKeys().start();

export const press = (event) => keys.press(event);
