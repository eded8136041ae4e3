import { useState, type FormEvent } from "react";
import { connect, type Connection } from "./connection";
import { WhoAmIDocument, type ChatNameFragment } from "./gql/graphql";
import { problem } from "./words";

export interface SignedIn {
  readonly connection: Connection;
  readonly name: string;
  readonly chats: readonly ChatNameFragment[];
}

/** Asks for the credential, and the service who that is. The credential stays in the memory of this page. */
export function SignIn({ onDone }: { onDone: (signedIn: SignedIn) => void }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credential = String(new FormData(event.currentTarget).get("credential")).trim();
    setBusy(true);
    const connection = connect(credential);
    const { data, error } = await connection.client.query(WhoAmIDocument, {}).toPromise();
    setBusy(false);
    setTrouble(problem(error));
    if (!data?.viewer) return;
    onDone({ connection, name: data.viewer.person?.canonicalName ?? "nobody", chats: data.viewer.chats.nodes });
  };

  return (
    <main className="narrow">
      <h1>hippograph</h1>
      <form onSubmit={submit}>
        <label>
          API key or token
          <input name="credential" type="password" autoComplete="off" spellCheck={false} aria-describedby="hint" />
        </label>
        <p id="hint" className="quiet">
          Leave it empty for a service on this machine that knows its one user.
        </p>
        <button disabled={busy}>Sign in</button>
        {trouble && <p role="alert">{trouble}</p>}
      </form>
    </main>
  );
}
