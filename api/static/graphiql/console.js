// Starts GraphiQL against the GraphQL endpoint beside this page: /graphiql/ talks to /graphql, over HTTP for queries
// and mutations, over a WebSocket (graphql-transport-ws, in the bundle) for subscriptions. No other address occurs here.
"use strict";

const DEFAULT_QUERY = `# hippograph: everything it remembers, as a graph.
#
#   Ctrl-Enter    run the operation under the cursor
#   Ctrl-Space    complete
#   the book      (left) every type and field, with its meaning
#
# These run as they are, one after the other: look around, make a chat; then put its id
# into the variables ({"chat": "…"}) and say something, ask, and look around again.

query LookAround {
  viewer { person { canonicalName } }
  chats(first: 5) { nodes { id title } }
  personas(first: 5) { nodes { id name } }
  memories(first: 5) { nodes { content speakerName eventTime } }
  search(query: "What is there to know?", first: 3) {
    edges { score ranks { list rank } node { content } }
  }
}

mutation CreateChat {
  createChat(input: { kind: PRIVATE, title: "First hour" }) {
    ... on CreateChatPayload { chat { id } }
    ... on Error { message code }
  }
}

mutation SayThreeThings($chat: ID!) {
  one: recordMessage(input: { chatId: $chat, content: "My sister Lena moved to Trieste last week." }) { ...Stored }
  two: recordMessage(input: { chatId: $chat, content: "I promised to help her paint the kitchen." }) { ...Stored }
  three: recordMessage(input: { chatId: $chat, content: "She wants it in green." }) { ...Stored }
}

query Ask($chat: ID!) {
  search(query: "Who lives in Trieste?", chatId: $chat, first: 3) {
    edges { score ranks { list rank } node { content speakerName eventTime } }
  }
}

fragment Stored on RecordMessageResult {
  ... on RecordMessagePayload { memoryId }
  ... on Error { message code }
}
`;

const endpoint = new URL("../graphql", document.baseURI);
const socket = new URL(endpoint);
socket.protocol = endpoint.protocol === "https:" ? "wss:" : "ws:";

const fetcher = GraphiQL.createFetcher({ url: endpoint.href, subscriptionUrl: socket.href });

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: DEFAULT_QUERY, shouldPersistHeaders: false }),
);
