import type { FormEvent } from "react";
import { useMutation } from "urql";
import { RememberFactDocument, type MemoryKind } from "./gql/graphql";
import { problem } from "./words";

const KINDS: readonly (readonly [MemoryKind, string])[] = [
  ["KNOWLEDGE", "Knowledge"],
  ["PREFERENCE", "Preference"],
  ["IDENTITY", "Who you are"],
  ["RELATIONSHIP", "Relationship"],
  ["CONTEXT", "For the moment (a week)"],
  ["EVENT", "Event (a month)"],
  ["TASK", "Task (two weeks)"],
  ["OBSERVATION", "Observation (three days)"],
];

/** Stores a fact of the viewer's, told outright. */
export function Remember({ chatId }: { chatId: string | undefined }) {
  const [state, remember] = useMutation(RememberFactDocument);
  const answer = state.data?.rememberFact;
  const trouble = problem(state.error, answer);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const fact = {
      content: String(given.get("content")),
      kind: given.get("kind") as MemoryKind,
      importance: given.has("significant") ? 2 : 1,
      about: String(given.get("about")).split(/[\s,]+/).filter(Boolean),
    };
    const { data } = await remember({ input: { fact, chatId: chatId ?? null } });
    if (data?.rememberFact?.__typename === "RememberFactPayload") form.reset();
  };

  return (
    <section aria-labelledby="remember">
      <h2 id="remember">Remember a fact</h2>
      <form onSubmit={submit}>
        <label>
          The fact
          <input name="content" required />
        </label>
        <label>
          About (keys such as <code>person:ben</code>; nobody: you)
          <input name="about" spellCheck={false} />
        </label>
        <label>
          Kind
          <select name="kind">
            {KINDS.map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label className="inline">
          <input name="significant" type="checkbox" /> Significant: it belongs on the card
        </label>
        <button disabled={state.fetching}>Remember</button>
        {trouble && <p role="alert">{trouble}</p>}
        {answer?.__typename === "RememberFactPayload" && (
          <p role="status">{answer.confirmed ? "Known already, and surer now." : "Remembered."}</p>
        )}
      </form>
    </section>
  );
}
