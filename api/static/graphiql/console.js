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
#   query Search {
#     search(query: "Why did we push back the Soča trip?", first: 3) {
#       edges {
#         node {
#           score
#           memory { content eventTime }
#         }
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
