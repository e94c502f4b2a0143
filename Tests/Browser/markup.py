"""Finds faults in a page's HTML that browsers repair in silence, as the Nu HTML validator does."""

from html.parser import HTMLParser

VOID = set("area base br col embed hr img input link meta source track wbr".split())
SHAPES = {"circle": {"r"}, "ellipse": {"rx", "ry"}, "rect": {"width", "height"}, "path": {"d"}, "use": {"href"}}
REQUIRED = {**SHAPES, "img": {"alt"}, "html": {"lang"}, "link": {"rel", "href"}, "script": {"src"},
            "iframe": {"src", "title"}, "time": {"datetime"}, "data": {"value"}}
# A start tag of these ends an open paragraph (HTML standard, section 13.2.6.4.7).
BLOCKS = set("""address article aside blockquote details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr
    main menu nav ol p pre section table ul""".split())
PARENTS = {"li": {"ul", "ol", "menu"}, "dt": {"dl", "div"}, "dd": {"dl", "div"}, "tr": {"thead", "tbody", "tfoot", "table"},
           "td": {"tr"}, "th": {"tr"}, "option": {"select", "datalist", "optgroup"}, "summary": {"details"},
           "legend": {"fieldset"}, "caption": {"table"}, "source": {"picture", "video", "audio"}}
CHILDREN = {"ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd", "div"}, "select": {"option", "optgroup"}, "tr": {"td", "th"}}
INTERACTIVE = {"a", "button", "input", "select", "textarea", "label", "summary", "iframe"}
FIELDS = {"input", "select", "textarea", "button", "meter", "progress", "output"}
TEXT = set("text search tel url email password".split())
NUMBERS = set("number range date month week time datetime-local".split())
# The input types that an attribute applies to (HTML standard, section 4.10.5).
APPLIES = {
    "maxlength": TEXT, "minlength": TEXT, "pattern": TEXT, "size": TEXT, "placeholder": TEXT | {"number"},
    "readonly": TEXT | NUMBERS - {"range"}, "list": TEXT - {"password"} | NUMBERS | {"color"}, "min": NUMBERS, "max": NUMBERS,
    "step": NUMBERS, "autocomplete": TEXT | NUMBERS | {"color", "hidden"}, "checked": {"checkbox", "radio"},
    "accept": {"file"}, "multiple": {"email", "file"}, "required": TEXT | NUMBERS - {"range"} | {"checkbox", "radio", "file"},
}
REFERENCES = ["for", "list", "form", "popovertarget", "aria-labelledby", "aria-describedby", "aria-controls", "headers"]
OBSOLETE = set("align bgcolor border valign cellpadding cellspacing nowrap".split())


class Markup(HTMLParser):
    """Collects the faults of one page. Text that strangers wrote, such as a README, keeps its own attributes."""

    STRANGERS = {"readme", "body"}

    def __init__(self, text):
        super().__init__()
        self.faults = []
        self.open = []  # (tag, attributes)
        self.ids = {}
        self.references = []
        self.labels = []  # whether each open label has a field
        self.feed(text)
        self.close()
        for tag, _ in self.open:
            self.__fault(f"<{tag}> is not closed")
        for tag, name, value in self.references:
            for each in value.split():
                target = self.ids.get(each)
                if target is None:
                    self.__fault(f'<{tag} {name}="{each}"> names no element')
                elif name == "for" and target not in FIELDS:
                    self.__fault(f'<label for="{each}"> names a <{target}>')

    def __fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def handle_decl(self, decl):
        if decl.lower() != "doctype html":
            self.__fault(f"<!{decl}>")

    def handle_startendtag(self, tag, attrs):
        if tag not in VOID and not any(each == "svg" for each, _ in self.open) and tag != "svg":
            self.__fault(f"<{tag}/> closes nothing")
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        attributes = dict(attrs)
        for name in {name for name in names if names.count(name) > 1}:
            self.__fault(f"<{tag}> has {name} twice")
        self.__check_place(tag)
        if not self.__is_strangers():
            self.__check_attributes(tag, attributes)
        self.__note(tag, attributes)
        if tag not in VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag):
        if not self.open or tag in VOID:
            return self.__fault(f"</{tag}> closes nothing")
        if self.open[-1][0] != tag:
            self.__fault(f"</{tag}> closes <{self.open[-1][0]}>")
            while any(each == tag for each, _ in self.open) and self.open[-1][0] != tag:
                self.open.pop()
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
        if tag == "label" and self.labels and not self.labels.pop():
            self.__fault("a label has no field")
        return None

    def __is_strangers(self):
        return any(self.STRANGERS & set((each.get("class") or "").split()) for _, each in self.open)

    def __check_place(self, tag):
        above = [each for each, _ in self.open]
        parent = above[-1] if above else None
        if tag in BLOCKS and "p" in above:
            self.__fault(f"<{tag}> ends the <p> that it is in")
        if tag in PARENTS and parent not in PARENTS[tag] | {"template"}:
            self.__fault(f"<{tag}> is in <{parent}>")
        if parent in CHILDREN and tag not in CHILDREN[parent] | {"script", "template"}:
            self.__fault(f"<{tag}> is a child of <{parent}>")
        if tag == "form" and "form" in above:
            self.__fault("a form is in a form")
        if tag in INTERACTIVE:
            outer = {"a", "button"} | ({"label"} if tag == "label" else set())
            for each in outer & set(above):
                self.__fault(f"<{tag}> is in <{each}>")

    def __check_attributes(self, tag, attributes):
        for name in REQUIRED.get(tag, set()) - set(attributes):
            self.__fault(f"<{tag}> has no {name}")
        if tag == "input":
            kind = attributes.get("type") or "text"
            for name in set(APPLIES) & set(attributes):
                if kind not in APPLIES[name]:
                    self.__fault(f'<input type="{kind}"> has {name}')
        elif tag not in ("select", "textarea", "form"):
            for name in {"required", "placeholder", "maxlength", "checked", "readonly"} & set(attributes):
                self.__fault(f"<{tag}> has {name}")
        if tag == "form" and (attributes.get("method") or "get") not in ("get", "post", "dialog"):
            self.__fault(f"<form method={attributes['method']!r}>")
        for name in OBSOLETE & set(attributes):
            self.__fault(f"<{tag}> has {name}")

    def __note(self, tag, attributes):
        if (name := attributes.get("id")) is not None:
            if not name or " " in name:
                self.__fault(f"<{tag}> has the id {name!r}")
            if name in self.ids:
                self.__fault(f"the id {name} is on <{self.ids[name]}> and on <{tag}>")
            self.ids[name] = tag
        self.references += [(tag, each, attributes[each]) for each in REFERENCES if attributes.get(each) and tag != "output"]
        if tag == "label":
            self.labels.append("for" in attributes)
        elif tag in FIELDS and self.labels:
            self.labels[-1] = True


def faults(text):
    return Markup(text).faults
