// Whether the link `from` says that the memory `found` was extracted from the linked turn. A retraction has no words in
// `said`, so that it stays when its turn is read again.
// expects: from, found
size(from.said) > 0 OR from.said = [] AND found.source = 'consolidation'
