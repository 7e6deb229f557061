"""Text for lsp and cli alike: session, snapshot, overlay, disk, listing."""
