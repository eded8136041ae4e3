import { useQuery } from "urql";
import { CardDocument, type MemoryLineFragment } from "./gql/graphql";
import { problem, time } from "./words";

/** What is known of a person or a thing in short. */
export function EntityCard({ entityKey, chatId }: { entityKey: string; chatId: string | undefined }) {
  const [{ data, error, fetching }] = useQuery({
    query: CardDocument,
    variables: { key: entityKey, chatId: chatId ?? null },
  });
  const trouble = problem(error);
  const card = data?.entityCard;
  return (
    <section aria-labelledby="card" aria-busy={fetching} aria-live="polite">
      <h2 id="card">{card ? card.entity.canonicalName : "Card"}</h2>
      {trouble && <p role="alert">{trouble}</p>}
      {data && !card && <p>Nothing is known of {entityKey} here.</p>}
      {card && (
        <>
          <p className="quiet">
            {card.entity.type.toLowerCase()}, <code>{card.entity.key}</code>, named in {card.mentions} memor
            {card.mentions === 1 ? "y" : "ies"}
            {card.entity.aliases.length > 0 && `; also ${card.entity.aliases.join(", ")}`}
          </p>
          {card.summary && <p>{card.summary.content}</p>}
          <Lines title="Facts" memories={card.facts} />
          {card.relations.nodes.length > 0 && (
            <>
              <h3>Relations</h3>
              <ul>
                {card.relations.nodes.map(({ id, source, predicate, target }) => (
                  <li key={id}>
                    {source.canonicalName} {predicate.replaceAll("_", " ")} {target.canonicalName}
                  </li>
                ))}
              </ul>
            </>
          )}
          <Lines title="Timeline" memories={card.timeline.nodes} />
        </>
      )}
    </section>
  );
}

function Lines({ title, memories }: { title: string; memories: readonly MemoryLineFragment[] }) {
  if (!memories.length) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {memories.map((memory) => (
          <li key={memory.id}>
            {memory.content} <span className="quiet">{time(memory)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
