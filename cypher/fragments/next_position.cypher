// The `position` to continue from after a `page`, null at the end: an expression.
// expects: page (fragment page_of_ids)
// params: $limit
CASE WHEN size(page) = $limit THEN page[-1].id END AS position
