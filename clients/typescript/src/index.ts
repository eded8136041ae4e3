import * as graphql from "./graphql.js";
import type {
  AttachmentInput,
  BlockFragment,
  CardFragment,
  FactInput,
  FoundFragment,
  MemoryFragment,
  MessageInput,
  PromptContextFragment,
  RecordedFragment,
  RememberedFragment,
  SearchFilter,
  StateFragment,
  StatisticsFragment,
  SummaryFragment,
  TodoFragment,
  TodoKind,
  TodoStatus,
} from "./graphql.js";
import { Transport } from "./transport.js";

export * from "./errors.js";
export type {
  AttachmentInput,
  BlockFragment as Block,
  CardFragment as Card,
  FactInput,
  FoundFragment as Found,
  MemoryFragment as Memory,
  PromptContextFragment as PromptContext,
  RecordedFragment as Recorded,
  RememberedFragment as Remembered,
  SearchFilter,
  StateFragment as State,
  StatisticsFragment as Statistics,
  SummaryFragment as Summary,
  TodoFragment as Todo,
  TodoKind,
  TodoStatus,
};

export const LOCAL = "http://127.0.0.1:8000";

/** Messages or facts that the service takes in one request. */
const MOST_AT_ONCE = 100;
const PAGE = 100;

/** Whose memory it is, and where. */
export interface Options {
  /** Where the service is; without it on this machine. */
  url?: string;
  /** An API key or a signed token; a service for its one local user needs none. */
  token?: string;
  /** The account on whose behalf a token that may act for others asks. */
  user?: string;
  /** The title of a private chat of the user's, which is begun where there is none. */
  chat?: string;
  /** The id of any chat, in place of a title. */
  chatId?: string;
  /** The name of the persona that answers. */
  persona?: string;
  /** How long one try may take, in seconds. */
  timeoutS?: number;
  /** How many more tries there are: of what the service surely did not do, and of what may be done twice. */
  retries?: number;
}

/** What somebody said. A message recorded again under its `id` is kept once. `time` is that of its saying, in ISO 8601. */
export interface Message {
  role: "user" | "assistant";
  content: string;
  id?: string;
  time?: string;
  speakerId?: string;
  attachments?: AttachmentInput[];
}

/** How a memory is read. With `reinforce`, the default, what is found counts as recalled. */
export interface Reading {
  asOf?: string;
  knownAt?: string;
  reinforce?: boolean;
}

interface Place {
  chat?: string | undefined;
  chatId?: string | undefined;
  persona?: string | undefined;
  personaId?: string | undefined;
}

/** A memory, on behalf of one user, in one chat and for one persona or in none. Methods throw `HippographError`. */
export class Hippograph {
  readonly #transport: Transport;
  readonly #place: Place;

  constructor(options: Options = {}, transport?: Transport) {
    const { url = LOCAL, token, user, timeoutS = 30, retries = 3, ...place } = options;
    const headers: Record<string, string> = {};
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (user) headers["Hippograph-User"] = user;
    this.#transport = transport ?? new Transport(url, headers, timeoutS, retries);
    this.#place = { chat: place.chat, chatId: place.chatId, persona: place.persona };
  }

  /** The same memory elsewhere; where no persona is named, for the same one. */
  at(place: Pick<Options, "chat" | "chatId" | "persona">): Hippograph {
    return new Hippograph({ ...(this.#place.persona && { persona: this.#place.persona }), ...place }, this.#transport);
  }

  /** Keeps what was said in the chat, in its order, so that it is learned from. */
  async record(...messages: Message[]): Promise<RecordedFragment[]> {
    const [chatId, personaId] = [await this.#chatId(), await this.#personaId()];
    const said = messages.map((each): MessageInput => ({
      content: each.content,
      asAssistant: each.role === "assistant",
      idempotencyKey: each.id ?? crypto.randomUUID(), // so that a second try is harmless
      ...(each.time && { eventTime: each.time }),
      ...(each.speakerId && { speakerId: each.speakerId }),
      ...(each.attachments && { attachments: each.attachments }),
    }));
    const kept: RecordedFragment[] = [];
    for (const part of parts(said)) {
      const input = { chatId, personaId, messages: part };
      kept.push(...(await this.#call(graphql.RecordDocument, { input })).messages);
    }
    return kept;
  }

  /** Ends the open session of the chat and gives its summary; null when none is open. */
  async closeSession(): Promise<SummaryFragment | null> {
    const input = { chatId: await this.#chatId(), personaId: await this.#personaId() };
    const { session } = await this.#call(graphql.CloseSessionDocument, { input });
    if (!session) return null;
    return (await this.#call(graphql.SummarizeSessionDocument, { input: { sessionId: session.id } })).summary;
  }

  /** Single memories for a question or keywords, the best first. */
  async search(query: string, options: Reading & { first?: number; filter?: SearchFilter } = {}): Promise<FoundFragment[]> {
    const variables = { query, reinforce: true, ...options, ...(await this.#here()) };
    return (await this.#call(graphql.SearchDocument, variables)).edges;
  }

  /** What belongs into a prompt for this question, as Markdown, in at most `budget` tokens. */
  async context(query: string, options: Reading & { budget?: number } = {}): Promise<PromptContextFragment> {
    const { budget, ...reading } = options;
    const total = budget === undefined ? {} : { total: budget };
    const variables = { query, reinforce: true, ...total, ...reading, ...(await this.#here()) };
    return this.#call(graphql.ContextDocument, variables);
  }

  /** What is known of a person or thing, by its key (`person:ben`); null where the user knows of none. */
  async card(key: string, reinforce = true): Promise<CardFragment | null> {
    return this.#maybe(graphql.CardDocument, { key, reinforce, ...(await this.#here()) });
  }

  /** All that the user may see, the newest first, narrowed; read page by page. */
  async *memories(filter?: SearchFilter): AsyncGenerator<MemoryFragment> {
    for (let after: string | null = null; ; ) {
      const page: Page<MemoryFragment> = await this.#call(graphql.MemoriesDocument, { filter, first: PAGE, after });
      yield* page.nodes;
      if (!page.pageInfo.hasNextPage) return;
      after = page.pageInfo.endCursor;
    }
  }

  /** Keeps facts: statements that stand for themselves, of the user without `about`. Told again they are surer. */
  async remember(...facts: (string | FactInput)[]): Promise<RememberedFragment[]> {
    const here = await this.#here();
    const given = facts.map((each) => (typeof each === "string" ? { content: each } : each));
    const kept: RememberedFragment[] = [];
    for (const part of parts(given)) {
      kept.push(...(await this.#call(graphql.RememberDocument, { input: { facts: part, ...here } })).facts);
    }
    return kept;
  }

  /** Puts another fact in the place of one that never was so. */
  async correct(memoryId: string, content: string): Promise<MemoryFragment | null> {
    return (await this.#once(graphql.CorrectDocument, { input: { memoryId, content } })).memory;
  }

  /** Says that a fact is so: it does not fade any more. */
  async confirm(memoryId: string): Promise<MemoryFragment | null> {
    return (await this.#call(graphql.ConfirmDocument, { input: { memoryId } })).memory;
  }

  /** Lets a memory stand in every context. */
  async pin(memoryId: string): Promise<MemoryFragment | null> {
    return (await this.#call(graphql.PinDocument, { input: { memoryId } })).memory;
  }

  /** Takes that back. */
  async unpin(memoryId: string): Promise<MemoryFragment | null> {
    return (await this.#call(graphql.UnpinDocument, { input: { memoryId } })).memory;
  }

  /** Forgets a memory; `withSources` also the turns in which nothing else was found. */
  async forget(memoryId: string, withSources = false): Promise<void> {
    await this.#call(graphql.ForgetDocument, { input: { memoryId, withSources } });
  }

  /** The blocks of the user and the persona, by name. */
  async blocks(): Promise<BlockFragment[]> {
    return this.#call(graphql.BlocksDocument, { personaId: await this.#personaId() });
  }

  /** The block of a name; null when there is none. */
  async block(name: string): Promise<BlockFragment | null> {
    return this.#maybe(graphql.BlockDocument, { name, personaId: await this.#personaId() });
  }

  /** Writes a block over the `version` that was read; without it there must be none. Throws `Conflict`. */
  async writeBlock(name: string, content: string, version?: number): Promise<BlockFragment> {
    const input = { name, content, version, personaId: await this.#personaId() };
    return (await this.#once(graphql.WriteBlockDocument, { input })).block;
  }

  /** Deletes a block; as it last was, null when there was none. */
  async deleteBlock(name: string): Promise<BlockFragment | null> {
    return (await this.#once(graphql.DeleteBlockDocument, { input: { name, personaId: await this.#personaId() } })).block;
  }

  /** The user's todos of these statuses, without any the open ones. */
  async *todos(...statuses: TodoStatus[]): AsyncGenerator<TodoFragment> {
    const wanted = { personaId: await this.#personaId(), statuses: statuses.length ? statuses : null, overdue: false };
    for (let after: string | null = null; ; ) {
      const page: Page<TodoFragment> = await this.#call(graphql.TodosDocument, { ...wanted, first: PAGE, after });
      yield* page.nodes;
      if (!page.pageInfo.hasNextPage) return;
      after = page.pageInfo.endCursor;
    }
  }

  /** Sets a todo; `dueAt` is a time of ISO 8601, or a day. */
  async addTodo(content: string, options: { kind?: TodoKind; dueAt?: string } = {}): Promise<TodoFragment> {
    const input = { content, ...options, personaId: await this.#personaId() };
    return (await this.#once(graphql.AddTodoDocument, { input })).todo;
  }

  /** Says that a todo is done, dropped, or open again. */
  async setTodo(todoId: string, status: TodoStatus): Promise<TodoFragment> {
    return (await this.#call(graphql.SetTodoStatusDocument, { input: { todoId, status } })).todo;
  }

  /** What the user is called, and any other key of their state, as it is now. */
  async states(): Promise<StateFragment[]> {
    return this.#call(graphql.StatesDocument, { personaId: await this.#personaId() });
  }

  /** Sets a key of the user's state, from now on. */
  async setState(key: string, value: string): Promise<StateFragment> {
    const input = { key, value, personaId: await this.#personaId() };
    return (await this.#call(graphql.SetStateDocument, { input })).userState;
  }

  /** How much there is, and how much waits to be worked out. */
  async statistics(): Promise<StatisticsFragment> {
    return this.#call(graphql.StatisticsDocument, {});
  }

  /** What any other document of GraphQL answers: the values of its fields, by name. */
  async execute(document: string, variables: object = {}, repeatable = false): Promise<Record<string, unknown>> {
    return this.#transport.execute(document, variables, repeatable);
  }

  async #maybe<R, V>(document: graphql.TypedDocumentString<R, V>, variables: V) {
    return this.#transport.call(document, variables);
  }

  async #call<R, V>(document: graphql.TypedDocumentString<R, V>, variables: V) {
    return present(await this.#transport.call(document, variables));
  }

  async #once<R, V>(document: graphql.TypedDocumentString<R, V>, variables: V) {
    return present(await this.#transport.call(document, variables, false));
  }

  async #here(): Promise<{ chatId: string | null; personaId: string | null }> {
    const chatId = this.#place.chat || this.#place.chatId ? await this.#chatId() : null;
    return { chatId, personaId: await this.#personaId() };
  }

  async #chatId(): Promise<string> {
    if (!this.#place.chatId) {
      const title = this.#place.chat;
      if (!title) throw new TypeError("say in which chat: new Hippograph({ chat }) or at({ chat })");
      const made = await this.#call(graphql.CreateChatDocument, { input: { kind: "PRIVATE", title, once: true } });
      this.#place.chatId = made.chat.id;
    }
    return this.#place.chatId;
  }

  async #personaId(): Promise<string | null> {
    const name = this.#place.persona;
    if (name && !this.#place.personaId) {
      const found = await this.#maybe(graphql.PersonaDocument, { name });
      const made = found ?? (await this.#call(graphql.CreatePersonaDocument, { input: { name } })).persona;
      this.#place.personaId = made.id;
    }
    return this.#place.personaId ?? null;
  }
}

interface Page<T> {
  nodes: T[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

function present<T>(answer: T): NonNullable<T> {
  if (answer === null || answer === undefined) throw new TypeError("the service gave no answer");
  return answer;
}

function* parts<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += MOST_AT_ONCE) yield items.slice(start, start + MOST_AT_ONCE);
}
