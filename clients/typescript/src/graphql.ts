/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A todo to add by hand. */
export type AddTodoInput = {
  /** What is to be done, up to 500 characters. */
  content: string;
  /** The kind of the todo. */
  kind?: TodoKind;
  /** When it is due (default: no due time); midnight means the whole day. */
  dueAt?: string | null | undefined;
  /** The persona that the todo belongs to; without it, none. */
  personaId?: string | number | null | undefined;
};

/** A line to append to a block. */
export type AppendToBlockInput = {
  /** The name of the block, which is created if it does not exist. */
  name: string;
  /** The line to append. */
  text: string;
  /** The persona with which the block is shared; without it, none. */
  personaId?: string | number | null | undefined;
};

/** A file or medium that was sent along with a message: its description and text, without its bytes. */
export type AttachmentInput = {
  /** The kind. */
  kind: AttachmentKind;
  /** The name of the file, up to 255 characters. Square brackets in it are replaced by round ones. */
  name?: string | null | undefined;
  /** The caption that the sender wrote below it, up to 2,000 characters, stored on one line. */
  caption?: string | null | undefined;
  /** The text that was read from it. Together with the content of the message it may have as many characters as a message may (setting `max_message_characters`). */
  text?: string | null | undefined;
  /** Its address (`http`, `https` or `file`), up to 2,048 characters. The service never fetches it. */
  address?: string | null | undefined;
};

/** The kind of an attachment of a message. */
export type AttachmentKind =
  /** A photo or another picture. */
  | 'PHOTO'
  /** A video. */
  | 'VIDEO'
  /** A sound recording: a voice message, music. */
  | 'AUDIO'
  /** Any other file, or one of an unknown kind. */
  | 'FILE';

/** A private chat is one person with the assistant; a group has any number of people. */
export type ChatKind =
  /** One person with the assistant. */
  | 'PRIVATE'
  /** Any number of people. */
  | 'GROUP';

/** The open session to end: that of a chat with a persona, or with none. */
export type CloseSessionInput = {
  /** The id of the chat. */
  chatId: string | number;
  /** The id of the persona (default: no persona). */
  personaId?: string | number | null | undefined;
};

/** Why an entry is not in a context: the budget was used up, the context contains it already, or no search result was relevant enough to be an answer. */
export type ContextLeftOut =
  /** The token budget was used up. */
  | 'BUDGET'
  /** The context contains it already. */
  | 'REPEATED'
  /** No search result was relevant enough to be an answer. */
  | 'IRRELEVANT';

/** Why an entry is in a context: it is always included (a block, the user's state, a pinned memory, a summary, a todo), is on the card of an entity, was found by the search, describes an entity, or is the source of a fact. */
export type ContextReason =
  /** It is a block of working memory. */
  | 'BLOCK'
  /** It is the user's state. */
  | 'STATE'
  /** The viewer pinned it. */
  | 'PINNED'
  /** It belongs to the summary of the user. */
  | 'SPINE'
  /** It is a summary of the latest talk. */
  | 'SUMMARY'
  /** It is an open todo. */
  | 'TODO'
  /** It is on the card of an entity that was found. */
  | 'CARD'
  /** The search found it. */
  | 'FOUND'
  /** It describes an entity: a summary or relations of it. */
  | 'PROFILE'
  /** It is the turn that an included fact was extracted from. */
  | 'SOURCE';

/** A section of a context. Blocks of working memory, the user's state, pinned memories, summaries and open todos are always included. Then come facts, with entity cards first, profiles of the people and things concerned, turns in chronological order, and sources below their facts. */
export type ContextSection =
  /** Blocks of working memory; always included. */
  | 'BLOCKS'
  /** The user's state; always included. */
  | 'STATE'
  /** Pinned memories; always included. */
  | 'PINNED'
  /** A summary of what is known about the user; always included. */
  | 'SPINE'
  /** Summaries of the latest session and the latest talk; always included. */
  | 'SUMMARIES'
  /** Open todos; always included. */
  | 'TODOS'
  /** Entity cards, then facts that the search found. */
  | 'FACTS'
  /** Summaries and relations of the people and things concerned. */
  | 'PROFILES'
  /** Turns that the search found, in chronological order. */
  | 'TEMPORAL'
  /** The turns that facts were extracted from, quoted below them. */
  | 'EVIDENCE';

/** A new chat. */
export type CreateChatInput = {
  /** The kind. */
  kind: ChatKind;
  /** The title. */
  title: string;
  /** The first participants: exactly one in a private chat, one or more in a group (default: the viewer alone). */
  participants?: Array<ParticipantInput> | null | undefined;
  /** Which statements are extracted from what is said in the chat. */
  extraction?: ExtractionMode;
  /** Returns the person's private chat with this title unchanged, if there is one, instead of creating another. */
  once?: boolean;
};

/** The persona to create. */
export type CreatePersonaInput = {
  /** The name. */
  name: string;
};

/** The block to delete. */
export type DeleteBlockInput = {
  /** The name. */
  name: string;
  /** The version that was read; if the block has another version, the result is a conflict. Without it, the block is deleted whatever its version. */
  version?: number | null | undefined;
  /** The persona with which the block is shared; without it, none. */
  personaId?: string | number | null | undefined;
};

/** The type of an entity. */
export type EntityType =
  /** A person. */
  | 'PERSON'
  /** Something people work on. */
  | 'PROJECT'
  /** A company, a club, an authority. */
  | 'ORGANIZATION'
  /** A location. */
  | 'PLACE'
  /** An idea, a topic, an event. */
  | 'CONCEPT'
  /** Something people use. */
  | 'TOOL';

/** How exactly it is known when something happened. */
export type EventPrecision =
  /** Known to the minute. */
  | 'MINUTE'
  /** Known to the day. */
  | 'DAY'
  /** Known to the month. */
  | 'MONTH'
  /** Known to the year. */
  | 'YEAR';

/** Which statements are extracted from a chat: all, only those that people make about themselves (for meetings), or none. */
export type ExtractionMode =
  /** All statements. */
  | 'ALL'
  /** Only statements that people make about themselves. */
  | 'FIRST_PERSON'
  /** No statements. */
  | 'OFF';

/** A self-contained statement and its properties. */
export type FactInput = {
  /** The text. */
  content: string;
  /** The people and things that it is about, the primary one first: up to 20 ids, or keys such as `person:ben`. Without any, it is about the viewer or, with the scope `CHAT`, about the group. */
  about?: Array<string>;
  /** The kind, which determines the lifetime: preferences, identity, relationships and knowledge do not expire, the other kinds do after some days. */
  kind?: MemoryKind;
  /** The type of statement: `SEMANTIC`, `PROCEDURAL` or `OPINION`. */
  type?: MemoryType;
  /** The area that it belongs to (default: inferred). */
  category?: MemoryCategory | null | undefined;
  /** The type of statement: a plain fact, preference, relationship, complaint or habit. */
  factType?: FactType;
  /** The normalised predicate (`lives_in`): the same aspect of the same subject has one value at a time. Default: inferred from the words if they are clear; otherwise only the same words, or words that mean the same, count as a repetition. */
  aspect?: string | null | undefined;
  /** The value that is compared under the aspect (default: the words). */
  value?: string | null | undefined;
  /** How carefully it is to be shown (default: guessed from the words). */
  sensitivity?: Sensitivity | null | undefined;
  /** Whether it is of use outside the chat where it was said. Default: guessed from the words; false for what is told in private about another person who has an account or takes part in a chat. */
  portable?: boolean | null | undefined;
  /** The importance: 0 trivial, 1 standard, 2 significant, 3 core identity. */
  importance?: number;
  /** The confidence in the fact, 0 to 1. */
  confidence?: number;
  /** When it happened or will happen. */
  eventTime?: string | null | undefined;
  /** How exactly `eventTime` is known (default: `DAY` if it is midnight, else `MINUTE`). */
  eventPrecision?: EventPrecision | null | undefined;
  /** Since when it holds (default: now, or `eventTime` if that is earlier). */
  validFrom?: string | null | undefined;
  /** Until when it held or will hold (default: no end is known). */
  validUntil?: string | null | undefined;
  /** The lifetime in seconds, in place of that of its kind. */
  ttlSeconds?: number | null | undefined;
  /** The caller's own tags, up to 200 characters each, by which a search can be filtered. */
  tags?: Array<string>;
  /** The ids of the turns that it follows from. */
  evidenceIds?: Array<string | number>;
  /** The origin. */
  source?: FactSource;
  /** The caller's own name for the narrative that it belongs to, up to 200 characters. */
  narrative?: string | null | undefined;
  /** The caller's own name for the task that it belongs to, up to 200 characters. */
  task?: string | null | undefined;
  /** The caller's own attributes: an object of at most 4,000 characters as JSON. */
  attributes?: unknown;
};

/** Whose fact it is. */
export type FactScope =
  /** The viewer's own. */
  | 'PERSONAL'
  /** The group's: it belongs to all participants of the chat. */
  | 'CHAT';

/** The origin of a fact that is stored directly, not extracted. */
export type FactSource =
  /** A person stored it, or an assistant for them. */
  | 'AGENT'
  /** It is the output of a tool of the assistant. */
  | 'TOOL_RESULT'
  /** It belongs to a narrative. */
  | 'NARRATIVE';

/** The type of statement that a fact makes: a plain fact, a preference, a relationship, a complaint, or a habit. */
export type FactType =
  /** A plain statement. */
  | 'FACT'
  /** What somebody likes or wants. */
  | 'PREFERENCE'
  /** What people are to each other. */
  | 'RELATIONSHIP'
  /** What goes badly or annoys somebody. */
  | 'FRICTION'
  /** What somebody does regularly. */
  | 'HABIT';

/** A memory to forget. */
export type ForgetInput = {
  /** The id of the memory. */
  memoryId: string | number;
  /** Also forgets the turns in which nothing else was found, as far as the viewer may forget them. */
  withSources?: boolean;
};

/** The area that a fact belongs to. */
export type MemoryCategory =
  /** The speaker themselves. */
  | 'PROFILE'
  /** The people somebody knows. */
  | 'PEOPLE'
  /** Something people work on. */
  | 'PROJECT';

/** A memory. */
export type MemoryInput = {
  /** The id of the memory. */
  memoryId: string | number;
};

/** The kind of fact that a memory holds, which determines its lifetime (setting `ttl_days`). Turns have none. */
export type MemoryKind =
  /** What somebody likes or wants; does not expire. */
  | 'PREFERENCE'
  /** Who somebody is; does not expire. */
  | 'IDENTITY'
  /** What people are to each other; does not expire. */
  | 'RELATIONSHIP'
  /** Any other knowledge; does not expire. */
  | 'KNOWLEDGE'
  /** What holds for the moment; expires after a week. */
  | 'CONTEXT'
  /** What happened or will happen; expires a month after its day. */
  | 'EVENT'
  /** What is to be done; expires after two weeks. */
  | 'TASK'
  /** What was noticed in passing; expires after three days. */
  | 'OBSERVATION';

/** The origin of a memory. */
export type MemorySource =
  /** Somebody said it in a chat. */
  | 'CONVERSATION'
  /** It is the output of a tool of the assistant. */
  | 'TOOL_RESULT'
  /** It was extracted from a turn. */
  | 'EXTRACTION'
  /** It was extracted when a whole session was consolidated. */
  | 'CONSOLIDATION'
  /** It was stored directly, by a person or by an assistant for them. */
  | 'AGENT'
  /** It belongs to a narrative. */
  | 'NARRATIVE'
  /** It was imported. */
  | 'MIGRATION'
  /** It was known about a new user from elsewhere. */
  | 'SEEDED_PROFILE'
  /** It was merged from several memories that said the same. */
  | 'CURATED_FOLD';

/** Whether a memory is in use or archived. */
export type MemoryStatus =
  /** It is in use. */
  | 'ACTIVE'
  /** It is archived, and can be restored. */
  | 'ARCHIVED';

/** The type of statement that a memory is: something that happened or was said, a fact, a way of doing things, or an opinion. */
export type MemoryType =
  /** Something that was said or happened: a turn of a dialogue. */
  | 'EPISODIC'
  /** A fact. */
  | 'SEMANTIC'
  /** A way of doing something. */
  | 'PROCEDURAL'
  /** What somebody thinks. */
  | 'OPINION';

/** A message. */
export type MessageInput = {
  /** The text of the message; may be empty if there are attachments. */
  content: string;
  /** The person who said it (default: the viewer). */
  speakerId?: string | number | null | undefined;
  /** Whether the persona said it instead of a person; not to be combined with `speakerId`. */
  asAssistant?: boolean | null | undefined;
  /** When it was said (default: now); at most a few minutes in the future (setting `clock_skew_minutes`). */
  eventTime?: string | null | undefined;
  /** The session it belongs to: its id, or your own name for it in this chat with this persona; a new name begins a session. Without it, the time of the message decides. */
  sessionId?: string | null | undefined;
  /** A key of your own, up to 200 characters. A retry with the same key returns the result of the first request. */
  idempotencyKey?: string | null | undefined;
  /** The caller's own tags, up to 200 characters each, by which a search can be filtered. */
  tags?: Array<string> | null | undefined;
  /** The caller's own name for the narrative that it belongs to, up to 200 characters. */
  narrative?: string | null | undefined;
  /** The caller's own name for the task that it belongs to, up to 200 characters. */
  task?: string | null | undefined;
  /** The origin of the message (default: `CONVERSATION`). */
  source?: TurnSource | null | undefined;
  /** The caller's own attributes: an object of at most 4,000 characters as JSON. */
  attributes?: unknown;
  /** The time zone where it was said (`Europe/Vienna`), for the days that it names. Default: that of the speaker, the chat or the service, in this order. */
  timeZone?: string | null | undefined;
  /** The attachments, up to 20. Searches find the message by their text, too. */
  attachments?: Array<AttachmentInput> | null | undefined;
};

/** A participant of a new chat, and when they take part. */
export type ParticipantInput = {
  /** The id of the person. */
  personId: string | number;
  /** The start of the participation (default: now). Only an administrator may set it. */
  since?: string | null | undefined;
  /** The end of the participation (default: none). */
  until?: string | null | undefined;
};

/** Up to 100 messages of a chat, in order. */
export type RecordMessagesInput = {
  /** The id of the chat. */
  chatId: string | number;
  /** The persona that people talk to; each persona has sessions of its own in a chat. */
  personaId?: string | number | null | undefined;
  /** The messages, in order. */
  messages: Array<MessageInput>;
};

/** Facts (1 to 100), their scope, and where they were said. */
export type RememberFactsInput = {
  /** The facts (1 to 100), in order. */
  facts: Array<FactInput>;
  /** The scope: the viewer's own, or the group's. */
  scope?: FactScope;
  /** The chat where they were said; required for the scope `CHAT`. */
  chatId?: string | number | null | undefined;
  /** The only persona for which they count (default: all personas). */
  personaId?: string | number | null | undefined;
};

/** Restricts a search. Several values of one field are alternatives; all given fields must match. */
export type SearchFilter = {
  /** Only memories of one of these types. */
  types?: Array<MemoryType>;
  /** Only facts of one of these kinds. */
  kinds?: Array<MemoryKind>;
  /** Only facts of one of these categories. */
  categories?: Array<MemoryCategory>;
  /** Only memories with all of these tags. */
  tags?: Array<string>;
  /** Only memories from one of these sources. */
  sources?: Array<MemorySource>;
  /** Only turns of one of these sessions. */
  sessionIds?: Array<string | number>;
  /** Only memories of one of these speakers: ids of people, or of personas for the assistant's words. */
  speakerIds?: Array<string | number>;
  /** Only memories of one of these narratives. */
  narratives?: Array<string>;
  /** Only memories of one of these tasks. */
  tasks?: Array<string>;
  /** Only memories with one of these statuses. `search` takes `ACTIVE` alone; `archiveSearch` finds archived memories. */
  statuses?: Array<MemoryStatus>;
  /** Only memories with one of these sensitivities. */
  sensitivities?: Array<Sensitivity>;
  /** Only memories that are about or name one of these entities, given by key: `person:john`. */
  entities?: Array<string>;
  /** Only memories that belong to one of these spaces; those that belong to no space are excluded. */
  spaceIds?: Array<string | number>;
  /** Only memories that are about or name entities of this community, given by its number in the viewer's current scope. Not to be combined with `entities`. */
  community?: number | null | undefined;
  /** Only memories of events at this time or later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in May 2025`. */
  after?: string | null | undefined;
  /** Only memories of events before this time, or before the period of the phrase begins. */
  before?: string | null | undefined;
  /** The minimum present confidence, 0 to 1. */
  leastConfidence?: number;
};

/** How carefully a memory is to be shown. */
export type Sensitivity =
  /** Shown to everybody who takes part. */
  | 'PUBLIC'
  /** Shown to the people it is about; also where it was said, while one of them takes part. */
  | 'PERSONAL'
  /** Shown to the people it is about; in a group, only where it was said. */
  | 'SENSITIVE';

/** A todo and its new status. */
export type SetTodoStatusInput = {
  /** The id of the todo. */
  todoId: string | number;
  /** The new status. */
  status: TodoStatus;
};

/** The session to summarise. */
export type SummarizeSessionInput = {
  /** The id of the session. */
  sessionId: string | number;
};

/** The kind of a todo: a commitment was promised, a habit is done regularly, a thread was left open, a friction bothers the viewer. */
export type TodoKind =
  /** Somebody promised it. */
  | 'COMMITMENT'
  /** Somebody does it regularly. */
  | 'HABIT'
  /** It was left open. */
  | 'THREAD'
  /** It bothers somebody. */
  | 'FRICTION';

/** The relation of an open todo to its due time: upcoming before it, due on it, overdue after it. */
export type TodoStanding =
  /** It is due in the future. */
  | 'UPCOMING'
  /** It is due now, or on this day. */
  | 'DUE'
  /** Its due time is over. */
  | 'OVERDUE';

/** Whether a todo is open, done, or dropped without being done. */
export type TodoStatus =
  /** It is still to be done. */
  | 'OPEN'
  /** It was done. */
  | 'DONE'
  /** It is no longer to be done. */
  | 'DROPPED';

/** The origin of a turn. */
export type TurnSource =
  /** Somebody said it. */
  | 'CONVERSATION'
  /** It is the output of a tool of the assistant. */
  | 'TOOL_RESULT';

/** A value for a key of the viewer's state, from a moment on. */
export type UpdateUserStateInput = {
  /** The key: any text of up to 100 characters; case makes no difference. */
  key: string;
  /** The value, up to 2,000 characters. */
  value: string;
  /** The persona that the value is for; without it, the value is for all. */
  personaId?: string | number | null | undefined;
  /** Whether it also appears in the contexts of groups, where an assistant answers to all members; `name` and `preferred_address` always do. Default: false for a new value; an unchanged value keeps its setting. */
  forGroups?: boolean | null | undefined;
  /** Since when the value holds (default: now). If that is in the past, it holds until the next value begins, and it replaces a value that begins at the same time. */
  validFrom?: string | null | undefined;
};

/** A memory, and new words or tags for it. */
export type WordsInput = {
  /** The id of the memory. */
  memoryId: string | number;
  /** The new words; `updateMemory` may omit them if it is given tags. */
  content?: string | null | undefined;
  /** The value that is compared under its aspect (`Brightwater`), if it has one (default: the words). */
  value?: string | null | undefined;
  /** For `updateMemory`: the tags that replace its present ones; without them, it keeps those. */
  tags?: Array<string> | null | undefined;
};

/** The new content of a block. */
export type WriteBlockInput = {
  /** The name, up to 100 characters; case makes no difference. */
  name: string;
  /** The text. */
  content: string;
  /** A description of what belongs in the block, up to 500 characters. Without it, the description stays as it was. */
  description?: string | null | undefined;
  /** Whether the block also appears in the contexts of groups, where an assistant answers to all members. Without it, the setting stays as it was; it is false for a new block. */
  forGroups?: boolean | null | undefined;
  /** The version to overwrite. Without it, the block must not exist yet. */
  version?: number | null | undefined;
  /** The persona with which the block is shared; without it, none. */
  personaId?: string | number | null | undefined;
};

export type SearchQueryVariables = Exact<{
  query: string;
  chatId?: string | number | null | undefined;
  personaId?: string | number | null | undefined;
  filter?: SearchFilter | null | undefined;
  asOf?: string | null | undefined;
  knownAt?: string | null | undefined;
  first?: number | null | undefined;
  reinforce: boolean;
}>;


export type SearchQuery = { search: { edges: Array<{ relevance: number, memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } }> } | null };

export type MemoriesQueryVariables = Exact<{
  filter?: SearchFilter | null | undefined;
  asOf?: string | null | undefined;
  knownAt?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type MemoriesQuery = { memories: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> }> } | null };

export type ContextQueryVariables = Exact<{
  query: string;
  chatId?: string | number | null | undefined;
  personaId?: string | number | null | undefined;
  total?: number | null | undefined;
  asOf?: string | null | undefined;
  knownAt?: string | null | undefined;
  reinforce: boolean;
}>;


export type ContextQuery = { context: { text: string, always: string, tokens: number, budget: number, entries: Array<{ section: ContextSection, reason: ContextReason, detail: string, text: string, tokens: number, memories: Array<{ id: string }> }>, leftOut: Array<{ section: ContextSection, reason: ContextReason, leftOut: ContextLeftOut, memories: Array<{ id: string }> }> } | null };

export type CardQueryVariables = Exact<{
  key: string;
  chatId?: string | number | null | undefined;
  personaId?: string | number | null | undefined;
  reinforce: boolean;
}>;


export type CardQuery = { entityCard: { text: string, mentions: number, entity:
      | { __typename: 'Concept', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
      | { __typename: 'Organization', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
      | { __typename: 'Person', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
      | { __typename: 'Place', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
      | { __typename: 'Project', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
      | { __typename: 'Tool', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
    , facts: Array<{ id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> }>, summary: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null } | null };

export type BlocksQueryVariables = Exact<{
  personaId?: string | number | null | undefined;
}>;


export type BlocksQuery = { blocks: Array<{ name: string, content: string, description: string | null, forGroups: boolean, version: number, createdAt: string, updatedAt: string }> | null };

export type BlockQueryVariables = Exact<{
  name: string;
  personaId?: string | number | null | undefined;
}>;


export type BlockQuery = { block: { name: string, content: string, description: string | null, forGroups: boolean, version: number, createdAt: string, updatedAt: string } | null };

export type TodosQueryVariables = Exact<{
  personaId?: string | number | null | undefined;
  statuses?: Array<TodoStatus> | TodoStatus | null | undefined;
  kinds?: Array<TodoKind> | TodoKind | null | undefined;
  overdue: boolean;
  first: number;
  after?: string | null | undefined;
}>;


export type TodosQuery = { todos: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, kind: TodoKind, content: string, status: TodoStatus, dueAt: string | null, standing: TodoStanding | null, createdAt: string, closedAt: string | null }> } | null };

export type StatesQueryVariables = Exact<{
  personaId?: string | number | null | undefined;
}>;


export type StatesQuery = { userState: Array<{ key: string, value: string, validFrom: string, validUntil: string | null }> | null };

export type StatisticsQueryVariables = Exact<{ [key: string]: never; }>;


export type StatisticsQuery = { stats: { memories: number, entities: number, links: number, pending: number, failed: number, waitingSessions: number, secretsRemoved: number } | null };

export type PersonaQueryVariables = Exact<{
  name: string;
}>;


export type PersonaQuery = { persona: { id: string } | null };

export type CreatePersonaMutationVariables = Exact<{
  input: CreatePersonaInput;
}>;


export type CreatePersonaMutation = { createPersona:
    | { persona: { id: string } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type CreateChatMutationVariables = Exact<{
  input: CreateChatInput;
}>;


export type CreateChatMutation = { createChat:
    | { chat: { id: string } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type RecordMutationVariables = Exact<{
  input: RecordMessagesInput;
}>;


export type RecordMutation = { recordMessages:
    | { messages: Array<{ memoryId: string, sessionId: string, repeated: boolean, secretsRemoved: number }> }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type CloseSessionMutationVariables = Exact<{
  input: CloseSessionInput;
}>;


export type CloseSessionMutation = { closeSession:
    | { session: { id: string, startedAt: string, lastActivityAt: string, endedAt: string | null, turnCount: number } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type SummarizeSessionMutationVariables = Exact<{
  input: SummarizeSessionInput;
}>;


export type SummarizeSessionMutation = { summarizeSession:
    | { summary: { content: string, oneLiner: string | null, whatMattered: Array<string>, openLoops: Array<string>, commitments: Array<string>, createdAt: string } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type RememberMutationVariables = Exact<{
  input: RememberFactsInput;
}>;


export type RememberMutation = { rememberFacts:
    | { facts: Array<{ memoryId: string, confirmed: boolean }> }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type CorrectMutationVariables = Exact<{
  input: WordsInput;
}>;


export type CorrectMutation = { correctFact:
    | { memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type UpdateMutationVariables = Exact<{
  input: WordsInput;
}>;


export type UpdateMutation = { updateMemory:
    | { memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type ConfirmMutationVariables = Exact<{
  input: MemoryInput;
}>;


export type ConfirmMutation = { confirmFact:
    | { memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type PinMutationVariables = Exact<{
  input: MemoryInput;
}>;


export type PinMutation = { pin:
    | { memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type UnpinMutationVariables = Exact<{
  input: MemoryInput;
}>;


export type UnpinMutation = { unpin:
    | { memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type ForgetMutationVariables = Exact<{
  input: ForgetInput;
}>;


export type ForgetMutation = { forget:
    | { memoryId: string }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type ReinforceMutationVariables = Exact<{
  input: MemoryInput;
}>;


export type ReinforceMutation = { reinforce:
    | { score: number }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type DemoteMutationVariables = Exact<{
  input: MemoryInput;
}>;


export type DemoteMutation = { demote:
    | { score: number }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type WriteBlockMutationVariables = Exact<{
  input: WriteBlockInput;
}>;


export type WriteBlockMutation = { writeBlock:
    | { block: { name: string, content: string, description: string | null, forGroups: boolean, version: number, createdAt: string, updatedAt: string } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type AppendToBlockMutationVariables = Exact<{
  input: AppendToBlockInput;
}>;


export type AppendToBlockMutation = { appendToBlock:
    | { block: { name: string, content: string, description: string | null, forGroups: boolean, version: number, createdAt: string, updatedAt: string } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type DeleteBlockMutationVariables = Exact<{
  input: DeleteBlockInput;
}>;


export type DeleteBlockMutation = { deleteBlock:
    | { block: { name: string, content: string, description: string | null, forGroups: boolean, version: number, createdAt: string, updatedAt: string } | null }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'ConflictError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type AddTodoMutationVariables = Exact<{
  input: AddTodoInput;
}>;


export type AddTodoMutation = { addTodo:
    | { todo: { id: string, kind: TodoKind, content: string, status: TodoStatus, dueAt: string | null, standing: TodoStanding | null, createdAt: string, closedAt: string | null } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type SetTodoStatusMutationVariables = Exact<{
  input: SetTodoStatusInput;
}>;


export type SetTodoStatusMutation = { setTodoStatus:
    | { todo: { id: string, kind: TodoKind, content: string, status: TodoStatus, dueAt: string | null, standing: TodoStanding | null, createdAt: string, closedAt: string | null } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

export type SetStateMutationVariables = Exact<{
  input: UpdateUserStateInput;
}>;


export type SetStateMutation = { updateUserState:
    | { userState: { key: string, value: string, validFrom: string, validUntil: string | null } }
    | { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean }
    | { __typename: 'NotFoundError', message: string, code: string, retryable: boolean }
    | { __typename: 'UnavailableError', message: string, code: string, retryable: boolean }
   | null };

type Failure_ConflictError_Fragment = { __typename: 'ConflictError', message: string, code: string, retryable: boolean };

type Failure_InvalidInputError_Fragment = { __typename: 'InvalidInputError', field: string | null, message: string, code: string, retryable: boolean };

type Failure_NotAllowedError_Fragment = { __typename: 'NotAllowedError', message: string, code: string, retryable: boolean };

type Failure_NotFoundError_Fragment = { __typename: 'NotFoundError', message: string, code: string, retryable: boolean };

type Failure_UnavailableError_Fragment = { __typename: 'UnavailableError', message: string, code: string, retryable: boolean };

export type FailureFragment =
  | Failure_ConflictError_Fragment
  | Failure_InvalidInputError_Fragment
  | Failure_NotAllowedError_Fragment
  | Failure_NotFoundError_Fragment
  | Failure_UnavailableError_Fragment
;

export type MemoryFragment = { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> };

type Entity_Concept_Fragment = { __typename: 'Concept', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> };

type Entity_Organization_Fragment = { __typename: 'Organization', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> };

type Entity_Person_Fragment = { __typename: 'Person', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> };

type Entity_Place_Fragment = { __typename: 'Place', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> };

type Entity_Project_Fragment = { __typename: 'Project', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> };

type Entity_Tool_Fragment = { __typename: 'Tool', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> };

export type EntityFragment =
  | Entity_Concept_Fragment
  | Entity_Organization_Fragment
  | Entity_Person_Fragment
  | Entity_Place_Fragment
  | Entity_Project_Fragment
  | Entity_Tool_Fragment
;

export type CardFragment = { text: string, mentions: number, entity:
    | { __typename: 'Concept', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
    | { __typename: 'Organization', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
    | { __typename: 'Person', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
    | { __typename: 'Place', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
    | { __typename: 'Project', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
    | { __typename: 'Tool', id: string, key: string, type: EntityType, canonicalName: string, aliases: Array<string> }
  , facts: Array<{ id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> }>, summary: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } | null };

export type PageFragment = { hasNextPage: boolean, endCursor: string | null };

export type FoundFragment = { relevance: number, memory: { id: string, type: MemoryType, content: string, kind: MemoryKind | null, speakerName: string | null, eventTime: string, createdAt: string, validFrom: string, validUntil: string | null, confidence: number, importance: number, pinned: boolean, score: number, pending: boolean, tags: Array<string>, narrative: string | null, task: string | null, attributes: unknown, sensitivity: Sensitivity, attachments: Array<{ kind: AttachmentKind, name: string | null, caption: string | null, text: string | null, address: string | null }> } };

export type EntryFragment = { section: ContextSection, reason: ContextReason, detail: string, text: string, tokens: number, memories: Array<{ id: string }> };

export type LeftOutFragment = { section: ContextSection, reason: ContextReason, leftOut: ContextLeftOut, memories: Array<{ id: string }> };

export type PromptContextFragment = { text: string, always: string, tokens: number, budget: number, entries: Array<{ section: ContextSection, reason: ContextReason, detail: string, text: string, tokens: number, memories: Array<{ id: string }> }>, leftOut: Array<{ section: ContextSection, reason: ContextReason, leftOut: ContextLeftOut, memories: Array<{ id: string }> }> };

export type BlockFragment = { name: string, content: string, description: string | null, forGroups: boolean, version: number, createdAt: string, updatedAt: string };

export type TodoFragment = { id: string, kind: TodoKind, content: string, status: TodoStatus, dueAt: string | null, standing: TodoStanding | null, createdAt: string, closedAt: string | null };

export type StateFragment = { key: string, value: string, validFrom: string, validUntil: string | null };

export type SummaryFragment = { content: string, oneLiner: string | null, whatMattered: Array<string>, openLoops: Array<string>, commitments: Array<string>, createdAt: string };

export type SessionFragment = { id: string, startedAt: string, lastActivityAt: string, endedAt: string | null, turnCount: number };

export type RecordedFragment = { memoryId: string, sessionId: string, repeated: boolean, secretsRemoved: number };

export type RememberedFragment = { memoryId: string, confirmed: boolean };

export type StatisticsFragment = { memories: number, entities: number, links: number, pending: number, failed: number, waitingSessions: number, secretsRemoved: number };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const FailureFragmentDoc = new TypedDocumentString(`
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
    `, {"fragmentName":"Failure"}) as unknown as TypedDocumentString<FailureFragment, unknown>;
export const EntityFragmentDoc = new TypedDocumentString(`
    fragment Entity on Entity {
  __typename
  id
  key
  type
  canonicalName
  aliases
}
    `, {"fragmentName":"Entity"}) as unknown as TypedDocumentString<EntityFragment, unknown>;
export const MemoryFragmentDoc = new TypedDocumentString(`
    fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}
    `, {"fragmentName":"Memory"}) as unknown as TypedDocumentString<MemoryFragment, unknown>;
export const CardFragmentDoc = new TypedDocumentString(`
    fragment Card on EntityCard {
  entity {
    ...Entity
  }
  text
  mentions
  facts {
    ...Memory
  }
  summary {
    ...Memory
  }
}
    fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}
fragment Entity on Entity {
  __typename
  id
  key
  type
  canonicalName
  aliases
}`, {"fragmentName":"Card"}) as unknown as TypedDocumentString<CardFragment, unknown>;
export const PageFragmentDoc = new TypedDocumentString(`
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
    `, {"fragmentName":"Page"}) as unknown as TypedDocumentString<PageFragment, unknown>;
export const FoundFragmentDoc = new TypedDocumentString(`
    fragment Found on SearchEdge {
  relevance
  memory: node {
    ...Memory
  }
}
    fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}`, {"fragmentName":"Found"}) as unknown as TypedDocumentString<FoundFragment, unknown>;
export const EntryFragmentDoc = new TypedDocumentString(`
    fragment Entry on ContextEntry {
  section
  reason
  detail
  text
  tokens
  memories {
    id
  }
}
    `, {"fragmentName":"Entry"}) as unknown as TypedDocumentString<EntryFragment, unknown>;
export const LeftOutFragmentDoc = new TypedDocumentString(`
    fragment LeftOut on ContextOmission {
  section
  reason
  leftOut
  memories {
    id
  }
}
    `, {"fragmentName":"LeftOut"}) as unknown as TypedDocumentString<LeftOutFragment, unknown>;
export const PromptContextFragmentDoc = new TypedDocumentString(`
    fragment PromptContext on PromptContext {
  text
  always
  tokens
  budget
  entries {
    ...Entry
  }
  leftOut {
    ...LeftOut
  }
}
    fragment Entry on ContextEntry {
  section
  reason
  detail
  text
  tokens
  memories {
    id
  }
}
fragment LeftOut on ContextOmission {
  section
  reason
  leftOut
  memories {
    id
  }
}`, {"fragmentName":"PromptContext"}) as unknown as TypedDocumentString<PromptContextFragment, unknown>;
export const BlockFragmentDoc = new TypedDocumentString(`
    fragment Block on Block {
  name
  content
  description
  forGroups
  version
  createdAt
  updatedAt
}
    `, {"fragmentName":"Block"}) as unknown as TypedDocumentString<BlockFragment, unknown>;
export const TodoFragmentDoc = new TypedDocumentString(`
    fragment Todo on Todo {
  id
  kind
  content
  status
  dueAt
  standing
  createdAt
  closedAt
}
    `, {"fragmentName":"Todo"}) as unknown as TypedDocumentString<TodoFragment, unknown>;
export const StateFragmentDoc = new TypedDocumentString(`
    fragment State on UserState {
  key
  value
  validFrom
  validUntil
}
    `, {"fragmentName":"State"}) as unknown as TypedDocumentString<StateFragment, unknown>;
export const SummaryFragmentDoc = new TypedDocumentString(`
    fragment Summary on Summary {
  content
  oneLiner
  whatMattered
  openLoops
  commitments
  createdAt
}
    `, {"fragmentName":"Summary"}) as unknown as TypedDocumentString<SummaryFragment, unknown>;
export const SessionFragmentDoc = new TypedDocumentString(`
    fragment Session on Session {
  id
  startedAt
  lastActivityAt
  endedAt
  turnCount
}
    `, {"fragmentName":"Session"}) as unknown as TypedDocumentString<SessionFragment, unknown>;
export const RecordedFragmentDoc = new TypedDocumentString(`
    fragment Recorded on RecordMessagePayload {
  memoryId
  sessionId
  repeated
  secretsRemoved
}
    `, {"fragmentName":"Recorded"}) as unknown as TypedDocumentString<RecordedFragment, unknown>;
export const RememberedFragmentDoc = new TypedDocumentString(`
    fragment Remembered on RememberFactPayload {
  memoryId
  confirmed
}
    `, {"fragmentName":"Remembered"}) as unknown as TypedDocumentString<RememberedFragment, unknown>;
export const StatisticsFragmentDoc = new TypedDocumentString(`
    fragment Statistics on Stats {
  memories
  entities
  links
  pending
  failed
  waitingSessions
  secretsRemoved
}
    `, {"fragmentName":"Statistics"}) as unknown as TypedDocumentString<StatisticsFragment, unknown>;
export const SearchDocument = new TypedDocumentString(`
    query Search($query: String!, $chatId: ID, $personaId: ID, $filter: SearchFilter, $asOf: DateTime, $knownAt: DateTime, $first: Int, $reinforce: Boolean!) {
  search(
    query: $query
    chatId: $chatId
    personaId: $personaId
    filter: $filter
    asOf: $asOf
    knownAt: $knownAt
    first: $first
    reinforce: $reinforce
  ) {
    edges {
      ...Found
    }
  }
}
    fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}
fragment Found on SearchEdge {
  relevance
  memory: node {
    ...Memory
  }
}`) as unknown as TypedDocumentString<SearchQuery, SearchQueryVariables>;
export const MemoriesDocument = new TypedDocumentString(`
    query Memories($filter: SearchFilter, $asOf: DateTime, $knownAt: DateTime, $first: Int!, $after: String) {
  memories(
    filter: $filter
    asOf: $asOf
    knownAt: $knownAt
    first: $first
    after: $after
  ) {
    pageInfo {
      ...Page
    }
    nodes {
      ...Memory
    }
  }
}
    fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<MemoriesQuery, MemoriesQueryVariables>;
export const ContextDocument = new TypedDocumentString(`
    query Context($query: String!, $chatId: ID, $personaId: ID, $total: Int, $asOf: DateTime, $knownAt: DateTime, $reinforce: Boolean!) {
  context(
    query: $query
    chatId: $chatId
    personaId: $personaId
    total: $total
    asOf: $asOf
    knownAt: $knownAt
    reinforce: $reinforce
  ) {
    ...PromptContext
  }
}
    fragment Entry on ContextEntry {
  section
  reason
  detail
  text
  tokens
  memories {
    id
  }
}
fragment LeftOut on ContextOmission {
  section
  reason
  leftOut
  memories {
    id
  }
}
fragment PromptContext on PromptContext {
  text
  always
  tokens
  budget
  entries {
    ...Entry
  }
  leftOut {
    ...LeftOut
  }
}`) as unknown as TypedDocumentString<ContextQuery, ContextQueryVariables>;
export const CardDocument = new TypedDocumentString(`
    query Card($key: String!, $chatId: ID, $personaId: ID, $reinforce: Boolean!) {
  entityCard(
    key: $key
    chatId: $chatId
    personaId: $personaId
    reinforce: $reinforce
  ) {
    ...Card
  }
}
    fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}
fragment Entity on Entity {
  __typename
  id
  key
  type
  canonicalName
  aliases
}
fragment Card on EntityCard {
  entity {
    ...Entity
  }
  text
  mentions
  facts {
    ...Memory
  }
  summary {
    ...Memory
  }
}`) as unknown as TypedDocumentString<CardQuery, CardQueryVariables>;
export const BlocksDocument = new TypedDocumentString(`
    query Blocks($personaId: ID) {
  blocks(personaId: $personaId) {
    ...Block
  }
}
    fragment Block on Block {
  name
  content
  description
  forGroups
  version
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<BlocksQuery, BlocksQueryVariables>;
export const BlockDocument = new TypedDocumentString(`
    query Block($name: String!, $personaId: ID) {
  block(name: $name, personaId: $personaId) {
    ...Block
  }
}
    fragment Block on Block {
  name
  content
  description
  forGroups
  version
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<BlockQuery, BlockQueryVariables>;
export const TodosDocument = new TypedDocumentString(`
    query Todos($personaId: ID, $statuses: [TodoStatus!], $kinds: [TodoKind!], $overdue: Boolean!, $first: Int!, $after: String) {
  todos(
    personaId: $personaId
    statuses: $statuses
    kinds: $kinds
    overdue: $overdue
    first: $first
    after: $after
  ) {
    pageInfo {
      ...Page
    }
    nodes {
      ...Todo
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment Todo on Todo {
  id
  kind
  content
  status
  dueAt
  standing
  createdAt
  closedAt
}`) as unknown as TypedDocumentString<TodosQuery, TodosQueryVariables>;
export const StatesDocument = new TypedDocumentString(`
    query States($personaId: ID) {
  userState(personaId: $personaId) {
    ...State
  }
}
    fragment State on UserState {
  key
  value
  validFrom
  validUntil
}`) as unknown as TypedDocumentString<StatesQuery, StatesQueryVariables>;
export const StatisticsDocument = new TypedDocumentString(`
    query Statistics {
  stats {
    ...Statistics
  }
}
    fragment Statistics on Stats {
  memories
  entities
  links
  pending
  failed
  waitingSessions
  secretsRemoved
}`) as unknown as TypedDocumentString<StatisticsQuery, StatisticsQueryVariables>;
export const PersonaDocument = new TypedDocumentString(`
    query Persona($name: String!) {
  persona(name: $name) {
    id
  }
}
    `) as unknown as TypedDocumentString<PersonaQuery, PersonaQueryVariables>;
export const CreatePersonaDocument = new TypedDocumentString(`
    mutation CreatePersona($input: CreatePersonaInput!) {
  createPersona(input: $input) {
    ... on CreatePersonaPayload {
      persona {
        id
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}`) as unknown as TypedDocumentString<CreatePersonaMutation, CreatePersonaMutationVariables>;
export const CreateChatDocument = new TypedDocumentString(`
    mutation CreateChat($input: CreateChatInput!) {
  createChat(input: $input) {
    ... on CreateChatPayload {
      chat {
        id
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}`) as unknown as TypedDocumentString<CreateChatMutation, CreateChatMutationVariables>;
export const RecordDocument = new TypedDocumentString(`
    mutation Record($input: RecordMessagesInput!) {
  recordMessages(input: $input) {
    ... on RecordMessagesPayload {
      messages {
        ...Recorded
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Recorded on RecordMessagePayload {
  memoryId
  sessionId
  repeated
  secretsRemoved
}`) as unknown as TypedDocumentString<RecordMutation, RecordMutationVariables>;
export const CloseSessionDocument = new TypedDocumentString(`
    mutation CloseSession($input: CloseSessionInput!) {
  closeSession(input: $input) {
    ... on CloseSessionPayload {
      session {
        ...Session
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Session on Session {
  id
  startedAt
  lastActivityAt
  endedAt
  turnCount
}`) as unknown as TypedDocumentString<CloseSessionMutation, CloseSessionMutationVariables>;
export const SummarizeSessionDocument = new TypedDocumentString(`
    mutation SummarizeSession($input: SummarizeSessionInput!) {
  summarizeSession(input: $input) {
    ... on SummarizeSessionPayload {
      summary {
        ...Summary
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Summary on Summary {
  content
  oneLiner
  whatMattered
  openLoops
  commitments
  createdAt
}`) as unknown as TypedDocumentString<SummarizeSessionMutation, SummarizeSessionMutationVariables>;
export const RememberDocument = new TypedDocumentString(`
    mutation Remember($input: RememberFactsInput!) {
  rememberFacts(input: $input) {
    ... on RememberFactsPayload {
      facts {
        ...Remembered
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Remembered on RememberFactPayload {
  memoryId
  confirmed
}`) as unknown as TypedDocumentString<RememberMutation, RememberMutationVariables>;
export const CorrectDocument = new TypedDocumentString(`
    mutation Correct($input: WordsInput!) {
  correctFact(input: $input) {
    ... on FactPayload {
      memory {
        ...Memory
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}`) as unknown as TypedDocumentString<CorrectMutation, CorrectMutationVariables>;
export const UpdateDocument = new TypedDocumentString(`
    mutation Update($input: WordsInput!) {
  updateMemory(input: $input) {
    ... on FactPayload {
      memory {
        ...Memory
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}`) as unknown as TypedDocumentString<UpdateMutation, UpdateMutationVariables>;
export const ConfirmDocument = new TypedDocumentString(`
    mutation Confirm($input: MemoryInput!) {
  confirmFact(input: $input) {
    ... on FactPayload {
      memory {
        ...Memory
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}`) as unknown as TypedDocumentString<ConfirmMutation, ConfirmMutationVariables>;
export const PinDocument = new TypedDocumentString(`
    mutation Pin($input: MemoryInput!) {
  pin(input: $input) {
    ... on FactPayload {
      memory {
        ...Memory
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}`) as unknown as TypedDocumentString<PinMutation, PinMutationVariables>;
export const UnpinDocument = new TypedDocumentString(`
    mutation Unpin($input: MemoryInput!) {
  unpin(input: $input) {
    ... on FactPayload {
      memory {
        ...Memory
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Memory on Memory {
  id
  type
  content
  kind
  speakerName
  eventTime
  createdAt
  validFrom
  validUntil
  confidence
  importance
  pinned
  score
  pending
  tags
  narrative
  task
  attributes
  attachments {
    kind
    name
    caption
    text
    address
  }
  sensitivity
}`) as unknown as TypedDocumentString<UnpinMutation, UnpinMutationVariables>;
export const ForgetDocument = new TypedDocumentString(`
    mutation Forget($input: ForgetInput!) {
  forget(input: $input) {
    ... on ForgetPayload {
      memoryId
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}`) as unknown as TypedDocumentString<ForgetMutation, ForgetMutationVariables>;
export const ReinforceDocument = new TypedDocumentString(`
    mutation Reinforce($input: MemoryInput!) {
  reinforce(input: $input) {
    ... on ScorePayload {
      score
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}`) as unknown as TypedDocumentString<ReinforceMutation, ReinforceMutationVariables>;
export const DemoteDocument = new TypedDocumentString(`
    mutation Demote($input: MemoryInput!) {
  demote(input: $input) {
    ... on ScorePayload {
      score
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}`) as unknown as TypedDocumentString<DemoteMutation, DemoteMutationVariables>;
export const WriteBlockDocument = new TypedDocumentString(`
    mutation WriteBlock($input: WriteBlockInput!) {
  writeBlock(input: $input) {
    ... on BlockPayload {
      block {
        ...Block
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Block on Block {
  name
  content
  description
  forGroups
  version
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<WriteBlockMutation, WriteBlockMutationVariables>;
export const AppendToBlockDocument = new TypedDocumentString(`
    mutation AppendToBlock($input: AppendToBlockInput!) {
  appendToBlock(input: $input) {
    ... on BlockPayload {
      block {
        ...Block
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Block on Block {
  name
  content
  description
  forGroups
  version
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<AppendToBlockMutation, AppendToBlockMutationVariables>;
export const DeleteBlockDocument = new TypedDocumentString(`
    mutation DeleteBlock($input: DeleteBlockInput!) {
  deleteBlock(input: $input) {
    ... on DeleteBlockPayload {
      block {
        ...Block
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Block on Block {
  name
  content
  description
  forGroups
  version
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<DeleteBlockMutation, DeleteBlockMutationVariables>;
export const AddTodoDocument = new TypedDocumentString(`
    mutation AddTodo($input: AddTodoInput!) {
  addTodo(input: $input) {
    ... on TodoPayload {
      todo {
        ...Todo
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Todo on Todo {
  id
  kind
  content
  status
  dueAt
  standing
  createdAt
  closedAt
}`) as unknown as TypedDocumentString<AddTodoMutation, AddTodoMutationVariables>;
export const SetTodoStatusDocument = new TypedDocumentString(`
    mutation SetTodoStatus($input: SetTodoStatusInput!) {
  setTodoStatus(input: $input) {
    ... on TodoPayload {
      todo {
        ...Todo
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment Todo on Todo {
  id
  kind
  content
  status
  dueAt
  standing
  createdAt
  closedAt
}`) as unknown as TypedDocumentString<SetTodoStatusMutation, SetTodoStatusMutationVariables>;
export const SetStateDocument = new TypedDocumentString(`
    mutation SetState($input: UpdateUserStateInput!) {
  updateUserState(input: $input) {
    ... on UpdateUserStatePayload {
      userState {
        ...State
      }
    }
    ...Failure
  }
}
    fragment Failure on Error {
  __typename
  message
  code
  retryable
  ... on InvalidInputError {
    field
  }
}
fragment State on UserState {
  key
  value
  validFrom
  validUntil
}`) as unknown as TypedDocumentString<SetStateMutation, SetStateMutationVariables>;