import { useEffect, useState } from "react";
import type { Connection } from "./connection";
import { LatestDocument, MemoryAddedDocument, type MemoryLineFragment } from "./gql/graphql";
import { problem } from "./words";

const SHOWN = 20;

export interface Feed {
  readonly memories: readonly MemoryLineFragment[];
  readonly status: string;
}

/**
 * The latest memories that the viewer may see, newest first, and new ones as they come.
 *
 * Each time the socket is connected, also after the service was away, the list is read: it has what came meanwhile. What
 * both bring is the same by its id.
 */
export function useNewMemories({ client, sockets }: Connection): Feed {
  const [memories, setMemories] = useState<readonly MemoryLineFragment[]>([]);
  const [status, setStatus] = useState("connecting");
  useEffect(() => {
    const add = (found: readonly MemoryLineFragment[]) => setMemories((known) => joined(known, found));
    const read = async () => {
      const { data, error } = await client.query(LatestDocument, {}).toPromise();
      add(data?.memories?.nodes ?? []);
      if (error) setStatus(problem(error) ?? "");
    };
    const listening = [
      sockets.on("connected", () => {
        setStatus("following");
        void read();
      }),
      sockets.on("closed", () => setStatus("the service is away; trying again")),
    ];
    const following = client.subscription(MemoryAddedDocument, {}).subscribe(({ data, error }) => {
      if (data) add([data.memoryAdded]);
      if (error) setStatus(`ended: ${problem(error)}`);
    });
    return () => {
      listening.forEach((stop) => stop());
      following.unsubscribe();
    };
  }, [client, sockets]);
  return { memories, status };
}

function joined(known: readonly MemoryLineFragment[], found: readonly MemoryLineFragment[]): MemoryLineFragment[] {
  const byId = new Map([...known, ...found].map((memory) => [memory.id, memory]));
  return [...byId.values()].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)).slice(0, SHOWN);
}
