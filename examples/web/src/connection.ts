// How this page talks to the service: queries and mutations by POST, subscriptions over one WebSocket.
import { Client, fetchExchange, subscriptionExchange } from "urql";
import { createClient, type Client as Sockets } from "graphql-ws";

/** `VITE_SERVICE` names a service elsewhere when the page is built; without it the page's own origin answers. */
const ADDRESS = new URL(import.meta.env.VITE_SERVICE ?? "/graphql", window.location.href).href;
const REFUSED = 4403;
const LONGEST_PAUSE_MS = 10_000;

export interface Connection {
  readonly client: Client;
  readonly sockets: Sockets;
}

/** A connection with an API key or a signed token; without one for a service that knows its one user. */
export function connect(credential: string): Connection {
  const headers: Record<string, string> = credential ? { Authorization: `Bearer ${credential}` } : {};
  const sockets = createClient({
    url: ADDRESS.replace(/^http/, "ws"),
    connectionParams: headers, // a browser can set no headers for a socket
    retryAttempts: Infinity,
    retryWait: (retries) => pause(Math.min(500 * 2 ** retries, LONGEST_PAUSE_MS)),
    shouldRetry: (cause) => !(cause instanceof CloseEvent && cause.code === REFUSED),
  });
  const client = new Client({
    url: ADDRESS,
    fetchOptions: { headers },
    preferGetMethod: false,
    // No cache: the page shows what the service answered last. `cacheExchange` or Graphcache would stand first here.
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = "", ...rest }) => ({
          subscribe: (sink) => ({
            unsubscribe: sockets.subscribe({ query, ...rest }, { ...sink, error: (cause) => sink.error(described(cause)) }),
          }),
        }),
      }),
    ],
  });
  return { client, sockets };
}

/** Why a socket was closed for good. Errors of the service come as they are. */
function described(cause: unknown): unknown {
  return cause instanceof CloseEvent ? new Error(`socket closed: ${cause.reason || cause.code}`) : cause;
}

/** Waits so long and half as long again at most, so that many pages do not come back at once. */
function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms * (1 + Math.random() / 2)));
}
