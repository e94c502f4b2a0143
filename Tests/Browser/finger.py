"""Touch input."""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Finger:
    """One finger on the screen, through the Chrome DevTools Protocol."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.place = None

    def __touch(self, kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, x, y):
        self.place = (x, y)
        self.__touch("touchStart", self.place)

    def move(self, x=0, y=0, steps=10):
        """Moves the finger by this offset, slowly enough for the page to follow."""
        from_x, from_y = self.place
        for step in range(1, steps + 1):
            self.place = (from_x + x * step / steps, from_y + y * step / steps)
            self.__touch("touchMove", self.place)

    def up(self):
        self.__touch("touchEnd")

    def warm(self):
        """Loads the page's touch script, which the first touch requests, and waits until it has run."""
        with self.page.expect_response(lambda response: response.url.endswith("/touch.js")) as script:
            self.down(195, 400)
            self.__touch("touchCancel")  # a tap might open something
        # The page asked for the script first, so it also has it first.
        self.page.evaluate("(address) => import(address).then(() => {})", script.value.url)

    def lay_on(self, target):
        """Puts the finger on a row, right of its middle."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        self.down(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2)
