// Records whether ($$open) the language model still has something to do in the session $$session for the use $$use.
// takes: session, use, open
// params: $now
SET $$session.owed = [each IN coalesce($$session.owed, []) WHERE each <> $$use] + CASE WHEN $$open THEN [$$use] ELSE [] END
SET $$session.owes = CASE WHEN $$session.owed <> [] THEN true END,
    $$session.owed_at = CASE WHEN $$session.owed <> [] THEN $now END,
    $$session.owed = CASE WHEN $$session.owed <> [] THEN $$session.owed END
