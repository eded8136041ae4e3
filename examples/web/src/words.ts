// What the page says in words: what went wrong, when something was, why a result was found.
import type { CombinedError } from "urql";
import type { MemoryLineFragment, SearchQuery } from "./gql/graphql";

/** What went wrong: on the way, in the request, or as one of the typed errors that a mutation answers. */
export function problem(error: CombinedError | undefined, answer?: object | null): string | undefined {
  if (error?.networkError) return `The service cannot be reached (${error.networkError.message}).`;
  if (error) return error.graphQLErrors.map(({ message }) => sentence(message)).join(" ");
  if (!answer || !("message" in answer)) return undefined;
  const field = "field" in answer && answer.field ? `${answer.field}: ` : "";
  const again = "retryable" in answer && answer.retryable ? " Try again." : "";
  return `${field}${sentence(String(answer.message))}${again}`;
}

/** When it happened, as exactly as that is known. */
export function time({ eventTime, eventPrecision }: MemoryLineFragment): string {
  const whole = { year: "numeric", month: "long", day: "numeric" } as const;
  const shown: Intl.DateTimeFormatOptions = {
    MINUTE: { ...whole, hour: "2-digit", minute: "2-digit" } as const,
    DAY: whole,
    MONTH: { year: "numeric", month: "long" } as const,
    YEAR: { year: "numeric" } as const,
  }[eventPrecision];
  // A day, a month or a year is the same everywhere; a minute is shown by the reader's clock.
  const zone = eventPrecision === "MINUTE" ? {} : { timeZone: "UTC" };
  return new Intl.DateTimeFormat(undefined, { ...shown, ...zone }).format(new Date(eventTime));
}

type Found = NonNullable<SearchQuery["search"]>;
export type Edge = Found["edges"][number];

const LISTS = {
  FULL_TEXT: "by its words",
  VECTOR: "by its meaning",
  ENTITY: "by whom or what it names",
  PERIOD: "by its time",
} as const;
const LINKS: Record<string, string> = {
  causal: "cause and effect",
  temporal: "what came before and after",
  title_hop: "a name that a result mentions",
  page_rank: "what stands close in the graph",
  co_recalled: "what was found together before",
};

/** The places of a result in the lists that found it. */
export function places({ ranks }: Edge): string {
  if (!ranks.length) return "only a link led to it";
  return ranks.map(({ list, rank }) => `no. ${rank} ${LISTS[list]}`).join(", ");
}

/** What the score of a result is the sum of. */
export function sum({ score, parts }: Edge): string {
  return `${score.toFixed(2)} = ${parts.map(({ name, value }) => `${value.toFixed(2)} ${name}`).join(" + ")}`;
}

/** What a kind of link is. */
export function link(name: string): string {
  return LINKS[name] ?? name;
}

/** How the question was read. */
export function reading({ intent, keyword, period, entities }: Found["analysis"]): string {
  const about = entities.length ? ` about ${entities.map(({ canonicalName }) => canonicalName).join(", ")}` : "";
  const by = keyword ? `, by “${keyword}”` : "";
  return `Read as a ${intent.toLowerCase()} question${about}${by}${period ? `, of the time “${period}”` : ""}.`;
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
