import { useState } from "react";
import { Provider } from "urql";
import { EntityCard } from "./EntityCard";
import { NewMemories } from "./NewMemories";
import { Search } from "./Search";
import { SignIn, type SignedIn } from "./SignIn";
import { Record } from "./Record";
import { Remember } from "./Remember";
import { Chats } from "./Chats";

export function App() {
  const [signedIn, setSignedIn] = useState<SignedIn>();
  if (!signedIn) return <SignIn onDone={setSignedIn} />;
  const leave = () => {
    void signedIn.connection.sockets.dispose();
    setSignedIn(undefined);
  };
  return (
    <Provider value={signedIn.connection.client}>
      <header>
        <h1>hippograph</h1>
        <p>
          Signed in as <strong>{signedIn.name}</strong>
        </p>
        <button onClick={leave}>Sign out</button>
      </header>
      <Memory signedIn={signedIn} />
    </Provider>
  );
}

function Memory({ signedIn }: { signedIn: SignedIn }) {
  const [chatId, setChatId] = useState(signedIn.chats[0]?.id);
  const [entity, setEntity] = useState<string>();
  return (
    <main>
      <div>
        <Chats known={signedIn.chats} chatId={chatId} onChoose={setChatId} />
        {chatId && <Record chatId={chatId} />}
        <Remember chatId={chatId} />
      </div>
      <div>
        <Search chatId={chatId} onEntity={setEntity} />
        {entity && <EntityCard entityKey={entity} chatId={chatId} />}
      </div>
      <NewMemories connection={signedIn.connection} />
    </main>
  );
}
