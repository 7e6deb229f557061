"""What drafts plans and edits: one protocol, one engine per way of making a change."""
