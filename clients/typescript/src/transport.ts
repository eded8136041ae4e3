import { errorOf, type HippographError, InvalidInput, ServiceError, Unavailable, Unreachable } from "./errors.js";
import type { TypedDocumentString } from "./graphql.js";

const FIRST_WAIT_S = 0.2;
const LONGEST_WAIT_S = 10;
const BOOKMARK = "Hippograph-Bookmark";
/** Codes of a connection that never stood: nothing was sent. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/** What a document's one field gives: the errors of a mutation's union are thrown. */
export type Answer<R> = Exclude<R[keyof R], { retryable: boolean }>;

interface GraphQLAnswer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Sends a document and gives its one field, or throws. What fails is tried again where that is harmless. */
export class Transport {
  #bookmark: Record<string, string> = {};

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    private readonly timeoutS: number,
    private readonly retries: number,
  ) {}

  /** The value of the document's one field. What is not `repeatable` is sent again only when it was surely not done. */
  async call<R, V>(document: TypedDocumentString<R, V>, variables: V, repeatable = true): Promise<Answer<R>> {
    const data = await this.execute(document.toString(), variables, repeatable);
    return Object.values(data)[0] as Answer<R>;
  }

  /** The values of the document's fields, by name. */
  async execute(query: string, variables: unknown, repeatable: boolean): Promise<Record<string, unknown>> {
    const body = JSON.stringify({ query, variables });
    for (let tries = 0; ; tries++) {
      try {
        return await this.once(body);
      } catch (error) {
        const again = error instanceof Unavailable || (error instanceof Unreachable && (repeatable || notSent(error)));
        if (!again || tries >= this.retries) throw error;
        const asked = error instanceof Unavailable ? Math.min(error.retryAfterS, LONGEST_WAIT_S) : 0;
        await sleep(Math.max(asked, (0.5 + Math.random() / 2) * FIRST_WAIT_S * 2 ** tries));
      }
    }
  }

  private async once(body: string): Promise<Record<string, unknown>> {
    const headers = {
      Accept: "application/graphql-response+json",
      "Content-Type": "application/json",
      ...this.headers,
      ...this.#bookmark,
    };
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(this.timeoutS * 1000);
      response = await fetch(`${this.url}/graphql`, { method: "POST", headers, body, signal });
      text = await response.text();
    } catch (cause) {
      throw new Unreachable(`${this.url} did not answer (${reason(cause)})`, "UNREACHABLE", { cause });
    }
    const bookmark = response.headers.get(BOOKMARK);
    if (bookmark) this.#bookmark = { [BOOKMARK]: bookmark };
    return dataOf(response, text);
  }
}

function dataOf(response: Response, text: string): Record<string, unknown> {
  let answer: GraphQLAnswer;
  try {
    answer = JSON.parse(text) as GraphQLAnswer;
  } catch (cause) {
    const Kind = [502, 504].includes(response.status) ? Unreachable : ServiceError;
    throw new Kind(`the answer is no JSON (status ${response.status})`, "NO_JSON", { cause });
  }
  const error = errorIn(answer);
  if (error instanceof Unavailable) error.retryAfterS = Number(response.headers.get("Retry-After") ?? 0);
  if (error) throw error;
  return answer.data ?? {};
}

function errorIn(answer: GraphQLAnswer): HippographError | undefined {
  const [first] = answer.errors ?? [];
  if (first) return errorOf(first.extensions?.code ?? "INTERNAL", first.message);
  for (const value of Object.values(answer.data ?? {})) {
    const given = value as { __typename?: string; code: string; message: string; field?: string | null } | null;
    if (given?.__typename?.endsWith("Error")) {
      const error = errorOf(given.code, given.message);
      if (error instanceof InvalidInput) error.field = given.field ?? null;
      return error;
    }
  }
  return undefined;
}

function notSent(error: Unreachable): boolean {
  const cause = (error.cause as { cause?: { code?: string } } | undefined)?.cause;
  return NOT_SENT.has(cause?.code ?? "");
}

function reason(cause: unknown): string {
  const inner = (cause as { cause?: unknown }).cause;
  return inner instanceof Error ? inner.message || inner.name : String(cause);
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
