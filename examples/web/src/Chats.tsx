import { useState, type FormEvent } from "react";
import { useMutation } from "urql";
import { CreateChatDocument, type ChatNameFragment } from "./gql/graphql";
import { problem } from "./words";

interface Props {
  readonly known: readonly ChatNameFragment[];
  readonly chatId: string | undefined;
  readonly onChoose: (chatId: string) => void;
}

/** Where the talk is: one of the viewer's chats, or a new private one. */
export function Chats({ known, chatId, onChoose }: Props) {
  const [made, setMade] = useState<readonly ChatNameFragment[]>([]);
  const [state, createChat] = useMutation(CreateChatDocument);
  const trouble = problem(state.error, state.data?.createChat);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { data } = await createChat({ title: String(new FormData(form).get("title")) });
    if (data?.createChat?.__typename !== "CreateChatPayload") return;
    const { chat } = data.createChat;
    form.reset();
    setMade((chats) => [chat, ...chats]);
    onChoose(chat.id);
  };

  return (
    <section aria-labelledby="chats">
      <h2 id="chats">Chat</h2>
      {chatId && (
        <label>
          Talk in
          <select value={chatId} onChange={({ target }) => onChoose(target.value)}>
            {[...made, ...known].map(({ id, title, kind }) => (
              <option key={id} value={id}>
                {title} ({kind.toLowerCase()})
              </option>
            ))}
          </select>
        </label>
      )}
      <form onSubmit={submit}>
        <label>
          Title of a new chat
          <input name="title" required />
        </label>
        <button disabled={state.fetching}>Make chat</button>
        {trouble && <p role="alert">{trouble}</p>}
      </form>
    </section>
  );
}
