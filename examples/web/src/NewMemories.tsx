import type { Connection } from "./connection";
import { useNewMemories } from "./useNewMemories";
import { time } from "./words";

/** What was remembered last, and what comes in. */
export function NewMemories({ connection }: { connection: Connection }) {
  const { memories, status } = useNewMemories(connection);
  return (
    <section aria-labelledby="new">
      <h2 id="new">New memories</h2>
      <p className="quiet" role="status">
        {status}
      </p>
      <ul aria-live="polite">
        {memories.map((memory) => (
          <li key={memory.id}>
            {memory.content}
            <br />
            <span className="quiet">
              {memory.type.toLowerCase()}, {memory.speakerName}, {time(memory)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
