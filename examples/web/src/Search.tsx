import { useState, type FormEvent } from "react";
import { useQuery } from "urql";
import { SearchDocument } from "./gql/graphql";
import { link, places, problem, reading, sum, time, type Edge } from "./words";

interface Props {
  readonly chatId: string | undefined;
  readonly onEntity: (key: string) => void;
}

/** Asks a question, and shows what answers it and why. */
export function Search({ chatId, onEntity }: Props) {
  const [question, setQuestion] = useState("");
  const [{ data, error, fetching }, ask] = useQuery({
    query: SearchDocument,
    variables: { query: question, chatId: chatId ?? null },
    pause: !question,
  });
  const trouble = problem(error);
  const found = data?.search;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get("question")).trim();
    if (asked === question) ask();
    setQuestion(asked);
  };

  return (
    <section aria-labelledby="search" aria-busy={fetching}>
      <h2 id="search">Search</h2>
      <form role="search" onSubmit={submit}>
        <label>
          Your question
          <input name="question" type="search" required />
        </label>
        <button disabled={fetching}>Search</button>
      </form>
      {trouble && <p role="alert">{trouble}</p>}
      {found && (
        <>
          <p role="status">
            {reading(found.analysis)} {found.edges.length || "No"} result{found.edges.length === 1 ? "" : "s"}.
          </p>
          <ol>
            {found.edges.map((edge) => (
              <Result key={edge.node.id} edge={edge} onEntity={onEntity} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Result({ edge, onEntity }: { edge: Edge; onEntity: (key: string) => void }) {
  const { node, outdated, relevance, links } = edge;
  return (
    <li>
      <p>{node.content}</p>
      <p className="quiet">
        {node.speakerName}, {time(node)}; {Math.round(100 * relevance)} % relevant
      </p>
      {outdated && (
        <p className="quiet">
          It holds no longer: {outdated.reason}.{outdated.now && ` Now: ${outdated.now.content}`}
        </p>
      )}
      <p className="quiet">
        Found: {places(edge)}. <span title="What the score is the sum of">{sum(edge)}</span>
      </p>
      {links
        .filter(({ memories }) => memories.length > 1)
        .map(({ name, memories }) => (
          <figure key={name}>
            <figcaption>The way to it, by {link(name)}</figcaption>
            <ol className="path" aria-label={`The way to it, by ${link(name)}`}>
              {memories.map(({ id, content }) => (
                <li key={id}>{content}</li>
              ))}
            </ol>
          </figure>
        ))}
      {node.entities.map(({ key, canonicalName }) => (
        <button key={key} className="entity" onClick={() => onEntity(key)}>
          {canonicalName}
        </button>
      ))}
    </li>
  );
}
