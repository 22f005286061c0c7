"""The body of a resumable upload (TUS 1.0.0, section PATCH) is bytes, for `fuzz.sh`."""

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
