import type { FormEvent } from "react";
import { useMutation } from "urql";
import { RecordMessageDocument } from "./gql/graphql";
import { problem } from "./words";

/** Records what the viewer says in a chat. */
export function Record({ chatId }: { chatId: string }) {
  const [state, record] = useMutation(RecordMessageDocument);
  const answer = state.data?.recordMessage;
  const trouble = problem(state.error, answer);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { data } = await record({ input: { chatId, content: String(new FormData(form).get("content")) } });
    if (data?.recordMessage?.__typename === "RecordMessagePayload") form.reset();
  };

  return (
    <section aria-labelledby="record">
      <h2 id="record">Say something</h2>
      <form onSubmit={submit}>
        <label>
          What you say
          <textarea name="content" rows={3} required />
        </label>
        <button disabled={state.fetching}>Record</button>
        {trouble && <p role="alert">{trouble}</p>}
        {answer?.__typename === "RecordMessagePayload" && (
          <p role="status">
            Recorded.{answer.secretsRemoved > 0 && ` ${answer.secretsRemoved} secret(s) were taken out of it.`}
          </p>
        )}
      </form>
    </section>
  );
}
