import { Copy } from "./copy.js";

for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();
