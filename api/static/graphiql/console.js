// Starts GraphiQL against the GraphQL endpoint beside this page: /graphiql/ talks to /graphql, over HTTP for queries
// and mutations, over a WebSocket (graphql-transport-ws, in the bundle) for subscriptions. No other address occurs here.
"use strict";

const DEFAULT_QUERY = `# hippograph: everything it remembers, as a graph.
#
#   Ctrl-Enter    run the operation under the cursor
#   Ctrl-Space    complete
#   the book      (left) every type and field, with its meaning
#
# For instance, with the sample conversation of \`make demo\` loaded:
#
#   { chats { nodes { id title } } personas { nodes { id name } } }
#
# gives the ids with which to ask in a chat, of a persona:
#
#   query Ask($chat: ID!, $persona: ID!) {
#     search(query: "Why did we push back the Soča trip?", chatId: $chat, personaId: $persona, first: 3) {
#       edges {
#         score
#         why { list rank }
#         node { speakerName eventTime content }
#       }
#     }
#   }

`;

const endpoint = new URL("../graphql", document.baseURI);
const socket = new URL(endpoint);
socket.protocol = endpoint.protocol === "https:" ? "wss:" : "ws:";

const fetcher = GraphiQL.createFetcher({ url: endpoint.href, subscriptionUrl: socket.href });

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: DEFAULT_QUERY, shouldPersistHeaders: false }),
);
