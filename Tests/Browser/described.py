"""Compares answers of the JSON API with the program's own description of it, /api/v1/openapi.json."""

import datetime

PREFIX = "/api/v1/"


class Description:
    """Empty, until the session's template has read it; then every answer to `Roost.ask` is compared with it."""

    def __init__(self, document=None):
        self.document = document

    def problem(self, method, target, answer):
        """Why an answer is not as described, or None."""
        path = target.partition("?")[0]
        if not self.document or not path.startswith(PREFIX) or method == "HEAD" or answer.status == 304:
            return None
        operation = self.__operation(method.lower(), path)
        if operation is None:
            is_refused = answer.status >= 400
            return self.__mismatch(answer.json, {"$ref": "#/components/schemas/Error"}) if is_refused else "not described"
        response = operation["responses"].get(str(answer.status), operation["responses"]["default"] if answer.status >= 400 else None)
        if response is None:
            return f"the status {answer.status} is not described"
        content = self.__resolved(response).get("content")
        if content is None:
            return "a body" if answer.body else None
        kind = (answer.headers["Content-Type"] or "").partition(";")[0]
        if kind not in content:
            return f"the media type {kind}"
        schema = content[kind]["schema"]
        return self.__mismatch(answer.json, schema) if schema else None

    def __operation(self, method, path):
        """A path with fewer parameters comes first."""
        parts = path.split("/")
        found = [
            (pattern.count("{"), operations[method]) for pattern, operations in self.document["paths"].items()
            if method in operations and fits(pattern.split("/"), parts)]
        return min(found, key=lambda each: each[0])[1] if found else None

    def __resolved(self, part):
        if "$ref" not in part:
            return part
        found = self.document
        for name in part["$ref"].split("/")[1:]:
            found = found[name]
        return found

    def __mismatch(self, value, schema, path="$"):
        """Refuses members that the schema lacks, which clients should accept."""
        schema = self.__resolved(schema)
        if "anyOf" in schema:
            found = [self.__mismatch(value, each, path) for each in schema["anyOf"]]
            return None if None in found else " or ".join(found)
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and kind(value) not in types and not (kind(value) == "integer" and "number" in types):
            return f"{path} is no {' or '.join(types)}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{path} is {value!r}"
        if schema.get("format") == "date-time" and value is not None:
            try:
                datetime.datetime.fromisoformat(value)
            except ValueError:
                return f"{path} is no time"
        if isinstance(value, list):
            items = schema.get("items", {})
            return next(filter(None, (self.__mismatch(each, items, f"{path}[{i}]") for i, each in enumerate(value))), None)
        return self.__mismatch_of_members(value, schema, path) if isinstance(value, dict) else None

    def __mismatch_of_members(self, value, schema, path):
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        for name in schema.get("required", []):
            if name not in value:
                return f"{path}.{name} is missing"
        for name, each in value.items():
            if properties is not None and name in properties:
                found = self.__mismatch(each, properties[name], f"{path}.{name}")
            elif isinstance(others, dict):
                found = self.__mismatch(each, others, f"{path}.{name}")
            else:
                found = f"{path}.{name} is not described" if properties is not None and others is not True else None
            if found:
                return found
        return None


def fits(pattern, parts):
    return len(pattern) == len(parts) and all(one == other or one.startswith("{") for one, other in zip(pattern, parts))


def kind(value):
    """The JSON type of a value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return {str: "string", int: "integer", list: "array", dict: "object", type(None): "null"}[type(value)]


description = Description()
