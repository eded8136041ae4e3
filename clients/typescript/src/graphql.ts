/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Something to do, set by hand. */
export type AddTodoInput = {
  /** Up to 500 characters. */
  content: string;
  /** What sort it is. */
  kind?: TodoKind;
  /** When; midnight means the day. */
  dueAt?: string | null | undefined;
  /** The persona it belongs to; none without it. */
  personaId?: string | number | null | undefined;
};

/** A line for the end of a block. */
export type AppendToBlockInput = {
  /** Of a block; of one that is not there a new one is made. */
  name: string;
  /** What to add. */
  text: string;
  /** With whom it is shared; without it with no persona. */
  personaId?: string | number | null | undefined;
};

/** Something that was sent along with a message: what is known of it, and not its bytes. */
export type AttachmentInput = {
  /** What sort it is. */
  kind: AttachmentKind;
  /** The name of the file, up to 255 characters. Square brackets in it become round. */
  name?: string | null | undefined;
  /** What its sender wrote below it, in one line: up to 2,000 characters. */
  caption?: string | null | undefined;
  /** What was read in it. With the words of the message it may be as long as these may be. */
  text?: string | null | undefined;
  /** Where it is, `http`, `https` or `file`, up to 2,048 characters. Nobody asks for it. */
  address?: string | null | undefined;
};

/** What was sent along with a message. */
export type AttachmentKind =
  /** A photo or another picture. */
  | 'PHOTO'
  /** A film. */
  | 'VIDEO'
  /** A sound: a voice message, music. */
  | 'AUDIO'
  /** Any other file, or one of which no more is known. */
  | 'FILE';

/** A private chat is one person with the assistant; a group has any number of people. */
export type ChatKind =
  /** One person with the assistant. */
  | 'PRIVATE'
  /** Any number of people. */
  | 'GROUP';

/** Which open session is to end: that of a chat, with a persona or with none. */
export type CloseSessionInput = {
  /** The id of the chat. */
  chatId: string | number;
  /** The id of the persona; none without it. */
  personaId?: string | number | null | undefined;
};

/** Why something is not in a context: the budget was used up, it stands there already, or nothing that was found is as relevant as answers are. */
export type ContextLeftOut =
  /** The budget was used up. */
  | 'BUDGET'
  /** It stands there already. */
  | 'REPEATED'
  /** Nothing that was found is as relevant as answers are. */
  | 'IRRELEVANT';

/** Why something is in a context: as state, pinned, on the card of an entity, found by the search, as a relation of whom or what it is about, or as the source of a fact. */
export type ContextReason =
  /** It is a block of working memory. */
  | 'BLOCK'
  /** It is the user's state. */
  | 'STATE'
  /** The viewer pinned it. */
  | 'PINNED'
  /** It is of the summary of the user. */
  | 'SPINE'
  /** It is a summary of the latest talk. */
  | 'SUMMARY'
  /** It is an open todo. */
  | 'TODO'
  /** It is on the card of an entity that was found. */
  | 'CARD'
  /** The search found it. */
  | 'FOUND'
  /** It tells what an entity is. */
  | 'PROFILE'
  /** A fact that stands there was found in it. */
  | 'SOURCE';

/** A part of a context: blocks of working memory, the user's state, what is pinned, summaries and open todos always stand there; then facts, with entity cards first, profiles of whom and what it is about, turns in the order of time, and sources under their facts. */
export type ContextSection =
  /** Blocks of working memory, which always stand there. */
  | 'BLOCKS'
  /** The user's state, which always stands there. */
  | 'STATE'
  /** Pinned memories, which always stand there. */
  | 'PINNED'
  /** What is known of the user in short, which always stands there. */
  | 'SPINE'
  /** Summaries of the latest session and the latest talk, which always stand there. */
  | 'SUMMARIES'
  /** Open todos, which always stand there. */
  | 'TODOS'
  /** Entity cards, then facts that were found. */
  | 'FACTS'
  /** Summaries and relations of whom and what it is about. */
  | 'PROFILES'
  /** Turns that were found, in the order of time. */
  | 'TEMPORAL'
  /** The turns that facts were found in, quoted under them. */
  | 'EVIDENCE';

/** A new chat. */
export type CreateChatInput = {
  /** What sort it is. */
  kind: ChatKind;
  /** The title. */
  title: string;
  /** A private chat has exactly one person, a group one or more; without it the viewer alone. */
  participants?: Array<ParticipantInput> | null | undefined;
  /** Which statements are extracted from what is said there. */
  extraction?: ExtractionMode;
  /** Gives the person's private chat of this title as it is, where there is one. */
  once?: boolean;
};

/** A persona that is to be there. */
export type CreatePersonaInput = {
  /** The name. */
  name: string;
};

/** Which block is to go. */
export type DeleteBlockInput = {
  /** The name. */
  name: string;
  /** The version that was read; another one is a conflict. Any without it. */
  version?: number | null | undefined;
  /** With whom it is shared; without it with no persona. */
  personaId?: string | number | null | undefined;
};

/** What sort of thing an entity is. */
export type EntityType =
  /** Someone. */
  | 'PERSON'
  /** Something people work on. */
  | 'PROJECT'
  /** A company, a club, an authority. */
  | 'ORGANIZATION'
  /** Somewhere. */
  | 'PLACE'
  /** An idea, a topic, an event. */
  | 'CONCEPT'
  /** Something people use. */
  | 'TOOL';

/** How exactly it is known when something happened. */
export type EventPrecision =
  /** To the minute. */
  | 'MINUTE'
  /** Some time on that day. */
  | 'DAY'
  /** Some time in that month. */
  | 'MONTH'
  /** Some time in that year. */
  | 'YEAR';

/** Which statements are extracted from talk: all, what people say of themselves (meetings), or none. */
export type ExtractionMode =
  /** All that can be. */
  | 'ALL'
  /** Those alone that people make about themselves. */
  | 'FIRST_PERSON'
  /** None. */
  | 'OFF';

/** A statement that stands for itself, and what is said of it. */
export type FactInput = {
  /** The words. */
  content: string;
  /** Whom or what it is about, the primary one first: ids, or keys such as `person:ben`. Without any it is about the viewer, or as a group's about the group. */
  about?: Array<string>;
  /** Preferences, identity, relationships and knowledge are kept for good, the others for days. */
  kind?: MemoryKind;
  /** What sort of statement it is. */
  type?: MemoryType;
  /** Else it is inferred. */
  category?: MemoryCategory | null | undefined;
  /** What it does: states, prefers, relates, complains, or tells a habit. */
  factType?: FactType;
  /** The normalised predicate (`lives_in`): the same aspect of the same subject has one value at a time. Without it it is read off the words where they are clear; else only the same words, or words that mean the same, are a repetition. */
  aspect?: string | null | undefined;
  /** What is compared under the aspect; else the words. */
  value?: string | null | undefined;
  /** Else guessed from the words. */
  sensitivity?: Sensitivity | null | undefined;
  /** Else guessed from the words; and false for what is told in private of another person who has an account or takes part in a chat. */
  portable?: boolean | null | undefined;
  /** 0 trivial, 1 standard, 2 significant, 3 core identity. */
  importance?: number;
  /** How sure it is, 0 to 1. */
  confidence?: number;
  /** When it happened or is to be. */
  eventTime?: string | null | undefined;
  /** How exactly that is known; else midnight is a day, and any other time a minute. */
  eventPrecision?: EventPrecision | null | undefined;
  /** Since when it holds; else now. */
  validFrom?: string | null | undefined;
  /** Until when it held; else it does. */
  validUntil?: string | null | undefined;
  /** A lifetime in place of its kind's. */
  ttlSeconds?: number | null | undefined;
  /** Words of the caller's own, by which a search can be narrowed. */
  tags?: Array<string>;
  /** Turns from which it follows. */
  evidenceIds?: Array<string | number>;
  /** Where it came from. */
  source?: FactSource;
  /** A word of the caller's own for the narrative that it belongs to. */
  narrative?: string | null | undefined;
  /** A word of the caller's own for the task that it belongs to. */
  task?: string | null | undefined;
  /** An object of the caller's own, of at most 4,000 characters as JSON. */
  attributes?: unknown;
};

/** Whose a fact is. */
export type FactScope =
  /** The viewer's own. */
  | 'PERSONAL'
  /** The group's: of all who take part in the chat. */
  | 'CHAT';

/** Where a fact that is told outright came from. */
export type FactSource =
  /** A person told it, or an assistant for them. */
  | 'AGENT'
  /** A tool of the assistant answered it. */
  | 'TOOL_RESULT'
  /** It belongs to a narrative. */
  | 'NARRATIVE';

/** Whether a fact states, prefers, relates, complains, or tells a habit. */
export type FactType =
  /** It states something. */
  | 'FACT'
  /** It says what somebody likes or wants. */
  | 'PREFERENCE'
  /** It says what people are to each other. */
  | 'RELATIONSHIP'
  /** It says what goes badly or annoys. */
  | 'FRICTION'
  /** It says what somebody does regularly. */
  | 'HABIT';

/** A memory that is to be forgotten. */
export type ForgetInput = {
  /** The id of the memory. */
  memoryId: string | number;
  /** Forget as well the turns in which nothing else was found, as far as the viewer may. */
  withSources?: boolean;
};

/** What a fact belongs to. */
export type MemoryCategory =
  /** A person themselves. */
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

/** What sort of fact a memory holds; it says how long it lasts. Turns have none. */
export type MemoryKind =
  /** What somebody likes or wants; for good. */
  | 'PREFERENCE'
  /** Who somebody is; for good. */
  | 'IDENTITY'
  /** What people are to each other; for good. */
  | 'RELATIONSHIP'
  /** What else is known; for good. */
  | 'KNOWLEDGE'
  /** What holds for the moment; for a week. */
  | 'CONTEXT'
  /** What happened or is going to; for a month from its day. */
  | 'EVENT'
  /** What is to be done; for two weeks. */
  | 'TASK'
  /** What was noticed in passing; for three days. */
  | 'OBSERVATION';

/** Where a memory came from. */
export type MemorySource =
  /** Somebody said it in a chat. */
  | 'CONVERSATION'
  /** A tool of the assistant answered it. */
  | 'TOOL_RESULT'
  /** It was found in a turn. */
  | 'EXTRACTION'
  /** It was found when a whole session was read. */
  | 'CONSOLIDATION'
  /** It was told outright: by a person, or by an assistant for them. */
  | 'AGENT'
  /** It belongs to a narrative. */
  | 'NARRATIVE'
  /** It was imported. */
  | 'MIGRATION'
  /** It was brought along for a new user. */
  | 'SEEDED_PROFILE'
  /** It was folded together from several that said the same. */
  | 'CURATED_FOLD';

/** Whether a memory is in use or put aside. */
export type MemoryStatus =
  /** It is in use. */
  | 'ACTIVE'
  /** It was put aside, and can be restored. */
  | 'ARCHIVED';

/** What sort of statement a memory is: something that happened or was said, a fact, a way of doing things, an opinion. */
export type MemoryType =
  /** Something that was said or happened: a turn of a dialogue. */
  | 'EPISODIC'
  /** A fact. */
  | 'SEMANTIC'
  /** A way of doing something. */
  | 'PROCEDURAL'
  /** What somebody thinks. */
  | 'OPINION';

/** What somebody said. */
export type MessageInput = {
  /** The words; empty for a message that is its attachments. */
  content: string;
  /** The person who said it; the viewer when nobody is named. */
  speakerId?: string | number | null | undefined;
  /** The persona said it. */
  asAssistant?: boolean | null | undefined;
  /** When it was said, with an offset; now without it. */
  eventTime?: string | null | undefined;
  /** The session it belongs to: its id, or a word of your own that names it in this chat with this persona; a new word begins one. Without it the message's time tells. */
  sessionId?: string | null | undefined;
  /** A word of your own. A second try with it gives what the first gave. */
  idempotencyKey?: string | null | undefined;
  /** Words of the caller's own, by which a search can be narrowed. */
  tags?: Array<string> | null | undefined;
  /** A word of the caller's own for the narrative that it belongs to. */
  narrative?: string | null | undefined;
  /** A word of the caller's own for the task that it belongs to. */
  task?: string | null | undefined;
  /** A conversation, without it. */
  source?: TurnSource | null | undefined;
  /** An object of the caller's own, of at most 4,000 characters as JSON. */
  attributes?: unknown;
  /** Where it was said (Europe/Vienna), for the days that it names; without it the speaker's, the chat's or the service's. */
  timeZone?: string | null | undefined;
  /** What was sent along: up to 20. It is found by its words, like the message. */
  attachments?: Array<AttachmentInput> | null | undefined;
};

/** A person's part in a chat that is to be made. */
export type ParticipantInput = {
  /** The id of the person. */
  personId: string | number;
  /** Now without it; only an administrator may say another. */
  since?: string | null | undefined;
  /** For good without it. */
  until?: string | null | undefined;
};

/** What was said in a chat, in its order: up to 100 messages. */
export type RecordMessagesInput = {
  /** The id of the chat. */
  chatId: string | number;
  /** The persona that people talk to here; sessions are kept apart by it. */
  personaId?: string | number | null | undefined;
  /** In their order. */
  messages: Array<MessageInput>;
};

/** Facts, up to 100, whose they are, and where they were said. */
export type RememberFactsInput = {
  /** The facts, in their order. */
  facts: Array<FactInput>;
  /** Whose it is. */
  scope?: FactScope;
  /** Where they were said. */
  chatId?: string | number | null | undefined;
  /** For one persona only. */
  personaId?: string | number | null | undefined;
};

/** What a search is narrowed to. Several values of one field are alternatives; fields add up. */
export type SearchFilter = {
  /** Of one of these sorts. */
  types?: Array<MemoryType>;
  /** Facts of one of these kinds. */
  kinds?: Array<MemoryKind>;
  /** Of one of these categories. */
  categories?: Array<MemoryCategory>;
  /** All of them must be there. */
  tags?: Array<string>;
  /** From one of these. */
  sources?: Array<MemorySource>;
  /** Turns of one of these sessions. */
  sessionIds?: Array<string | number>;
  /** People, and personas for the assistant's words. */
  speakerIds?: Array<string | number>;
  /** Of one of these narratives. */
  narratives?: Array<string>;
  /** Of one of these tasks. */
  tasks?: Array<string>;
  /** `ACTIVE`; what was archived is found by `archiveSearch` alone. */
  statuses?: Array<MemoryStatus>;
  /** To be shown as carefully as one of these. */
  sensitivities?: Array<Sensitivity>;
  /** Keys of what it is about or names: `person:john`. */
  entities?: Array<string>;
  /** What belongs to these spaces; nothing of none. */
  spaceIds?: Array<string | number>;
  /** The number of a community where the viewer stands: what is about its entities or names them. Instead of `entities`. */
  community?: number | null | undefined;
  /** When it happened: then or later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in May 2025`. */
  after?: string | null | undefined;
  /** When it happened: earlier than that, or before the phrase's stretch begins. */
  before?: string | null | undefined;
  /** At least so sure, 0 to 1. */
  leastConfidence?: number;
};

/** How carefully a memory is to be shown. */
export type Sensitivity =
  /** To everybody who takes part. */
  | 'PUBLIC'
  /** To whom it is about, and in a group where it was said while they take part. */
  | 'PERSONAL'
  /** To whom it is about; in a group only where it was said. */
  | 'SENSITIVE';

/** Which todo is open, done or dropped from now on. */
export type SetTodoStatusInput = {
  /** The id of the todo. */
  todoId: string | number;
  /** What it is now. */
  status: TodoStatus;
};

/** Which session is to be summarised. */
export type SummarizeSessionInput = {
  /** The id of the session. */
  sessionId: string | number;
};

/** A commitment was promised, a habit is done regularly, a thread is left open, a friction bothers. */
export type TodoKind =
  /** Somebody promised it. */
  | 'COMMITMENT'
  /** Somebody does it regularly. */
  | 'HABIT'
  /** It was left open. */
  | 'THREAD'
  /** It bothers somebody. */
  | 'FRICTION';

/** How an open todo stands to its time: upcoming before it, due on it, overdue after. */
export type TodoStanding =
  /** Its time is to come. */
  | 'UPCOMING'
  /** Its time is now. */
  | 'DUE'
  /** Its time is over. */
  | 'OVERDUE';

/** Whether it is to be done still: open, done, or dropped undone. */
export type TodoStatus =
  /** It is to be done. */
  | 'OPEN'
  /** It was done. */
  | 'DONE'
  /** It is not to be done any more. */
  | 'DROPPED';

/** Where a turn came from. */
export type TurnSource =
  /** Somebody said it. */
  | 'CONVERSATION'
  /** A tool of the assistant answered it. */
  | 'TOOL_RESULT';

/** What a key of the viewer's state is from a moment on. */
export type UpdateUserStateInput = {
  /** Any text of up to 100 characters; case makes no difference. */
  key: string;
  /** Up to 2,000 characters. */
  value: string;
  /** The persona it is for; for all without it. */
  personaId?: string | number | null | undefined;
  /** Whether it stands in the contexts of groups too, from which an assistant answers to all of them; `name` and `preferred_address` do anyway. Without it another value is not. */
  forGroups?: boolean | null | undefined;
  /** Since when it is so; from now on without it. In the past it holds until the next value begins; where another begins, it takes that one's place. */
  validFrom?: string | null | undefined;
};

/** A memory and other words for it, or other tags. */
export type WordsInput = {
  /** The id of the memory. */
  memoryId: string | number;
  /** The words; `updateMemory` may leave them out where it is given tags. */
  content?: string | null | undefined;
  /** What is compared under its aspect (`Brightwater`), if it has one; else the words. */
  value?: string | null | undefined;
  /** For `updateMemory`: its tags from now on; without them it keeps those that it has. */
  tags?: Array<string> | null | undefined;
};

/** What a block is to hold. */
export type WriteBlockInput = {
  /** Up to 100 characters; case makes no difference. */
  name: string;
  /** The words. */
  content: string;
  /** What belongs in the block. Without it, the description stays as it was. */
  description?: string | null | undefined;
  /** Whether it stands in the contexts of groups too, from which an assistant answers to all of them. As it was without; of a new one false. */
  forGroups?: boolean | null | undefined;
  /** The version that is to be written over; without it there must be no such block. */
  version?: number | null | undefined;
  /** With whom it is shared; without it with no persona. */
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