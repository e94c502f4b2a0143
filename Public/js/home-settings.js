import { Reorder } from "./reorder.js";

/** Orders the tiles by dragging. The form saves the order of its rows, so nothing is sent until then. */
const form = document.querySelector("[data-tile-form]");
new Reorder(form, { dropped: async () => true }).start();
