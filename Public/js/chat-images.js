import { uuid } from "./chat-api.js";
import { token } from "./forms.js";
import { make } from "./element.js";

const MOST = 10 * 1024 * 1024; // bytes that Roost takes
const [THUMBNAIL, PREVIEW] = [640, 320]; // pixels of the longer side
const SILENT = "Roost does not answer.";

/** A picture in this size at most, upright as the camera held it; null for what this browser cannot draw. */
async function draw(file, side) {
    const image = await createImageBitmap(file).catch(() => null);
    if (!image) return null;
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return { canvas, isSmaller: scale < 1 };
}

/** Images and files that go with the next message: each is sent ahead, with its progress, and shown above the text. */
export class Attachments {
    #address;
    #form;
    #list = make("ul", { className: "attachments", role: "list", ariaLabel: "Goes with the message" });
    #items = [];
    #isWanted = false;

    constructor(chat, form) {
        this.#address = `/api/v1/conversations/${chat}/files`;
        this.#form = form;
        this.#list.dataset.owned = "";
        form.querySelector(".box").before(this.#list);
    }

    /** What goes with the message; null while something is on its way, and then the message is sent when it has come. */
    take() {
        this.#isWanted = this.#items.some(({ fileId }) => !fileId);
        for (const item of this.#items) {
            if (item.refusal) this.#refuse(item, item.refusal, item.again, " Remove it, and the message can be sent.");
        }
        if (this.#isWanted) return null;
        const taken = this.#items;
        this.#items = [];
        this.#list.replaceChildren();
        return taken.map(({ fileId, fileName, picture }) => ({ fileId, fileName, picture }));
    }

    add(files) {
        for (const file of files) {
            const item = { id: uuid(), file, fileName: file.name || "image.png", row: make("li") };
            this.#items.push(item);
            this.#list.append(item.row);
            this.#say(item, item.fileName);
            if (file.size > MOST) this.#refuse(item, `${item.fileName} is larger than 10 MB.`);
            else this.#send(item);
        }
    }

    /** Without it the message goes; with it, it waits. */
    #refuse(item, refusal, again, advice = "") {
        Object.assign(item, { refusal, again });
        this.#say(item, refusal + advice, again);
        item.row.querySelector(".name").role = "alert";
    }

    /** With what it looks like, a sentence, how far it is, and the way back. */
    #say(item, words, act) {
        const remove = () => this.#remove(item);
        const parts = [make("span", { className: "name", dir: "auto" }, words)];
        if (item.picture) parts.unshift(make("img", { src: item.picture, alt: "" }));
        if (item.progress) parts.push(item.progress);
        if (act) parts.push(this.#button("Try again", act));
        item.row.replaceChildren(...parts, this.#button("Remove", remove, item.fileName));
        item.row.classList.toggle("refused", !!item.refusal);
    }

    #button(textContent, onclick, about) {
        const button = make("button", { type: "button", className: "subtle", onclick }, textContent);
        if (about) button.ariaLabel = `${textContent} ${about}`;
        return button;
    }

    #remove(item) {
        item.request?.abort();
        item.row.remove();
        this.#items = this.#items.filter((each) => each !== item);
        this.#form.elements.text.focus();
    }

    async #send(item) {
        const { file } = item;
        item.refusal = null;
        const isImage = file.type.startsWith("image/");
        const body = new FormData();
        body.append("id", item.id);
        if (isImage && !item.picture) {
            item.picture = (await draw(file, PREVIEW))?.canvas.toDataURL("image/webp", .7);
        }
        item.progress = make("progress", { max: 1, value: 0, ariaLabel: "Uploaded" });
        this.#say(item, item.fileName);
        // One frame stands for a moving picture badly: it is shown as it is.
        const small = isImage && file.type !== "image/gif" && await draw(file, THUMBNAIL);
        if (small?.isSmaller) {
            const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
            const thumbnail = await new Promise((resolve) => small.canvas.toBlob(resolve, type, .82));
            if (thumbnail) body.append("thumbnail", thumbnail, "thumbnail");
        }
        body.append("file", file, item.fileName);
        if (item.row.isConnected) this.#post(item, body);
    }

    /** Only XMLHttpRequest tells how far a request is. */
    #post(item, body) {
        const request = item.request = new XMLHttpRequest();
        const again = () => this.#send(item);
        request.open("POST", this.#address);
        for (const [name, value] of Object.entries(token())) request.setRequestHeader(name, value);
        request.responseType = "json";
        request.upload.onprogress = ({ loaded, total }) => {
            item.progress.value = loaded / total;
        };
        request.onload = () => {
            item.progress = null;
            const { status, response } = request;
            if (status >= 300) return this.#refuse(item, response?.error?.message ?? SILENT, again);
            item.fileId = response.id;
            this.#say(item, item.fileName);
            if (this.#isWanted && this.#items.every(({ fileId }) => fileId)) this.#form.requestSubmit();
        };
        request.onerror = () => {
            item.progress = null;
            this.#refuse(item, `${item.fileName}: ${SILENT}`, again);
        };
        request.send(body);
    }
}
