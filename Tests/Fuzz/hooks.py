"""What `described` has Schemathesis do before each request: an answer with a secret is repeated without its body, so no
`Idempotency-Key` is sent twice."""

import re
import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
