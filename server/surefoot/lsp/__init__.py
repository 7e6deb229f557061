"""The only folder that knows pygls and lsprotocol: messages in, values out, and back."""
