/** Something went wrong. `code` is one word for programs, such as `NOT_FOUND`; the message says what to do next. */
export class HippographError extends Error {
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What was given cannot be taken; nothing was written. `field` is the path of what was refused, where known. */
export class InvalidInput extends HippographError {
  field: string | null = null;
}

/** It does not exist, or the viewer may not know that it does. */
export class NotFound extends HippographError {}

/** The viewer may see it, but not do this. */
export class NotAllowed extends HippographError {}

/** Something else has this name, or this key stands for other content. */
export class Conflict extends HippographError {}

/** No token, or one that opens nothing. */
export class Unauthenticated extends HippographError {}

/** The service is busy or its database away. Nothing was written; trying again may help, after so many seconds. */
export class Unavailable extends HippographError {
  retryAfterS = 0;
}

/** Too many requests of this credential. Nothing was written; trying again may help. */
export class RateLimited extends Unavailable {}

/** No service answered, or not in time. What was asked for may have been done or not. */
export class Unreachable extends HippographError {}

/** A mistake of the client's or the service's: another version, too large a request, a failure inside. */
export class ServiceError extends HippographError {}

const BY_CODE: Record<string, typeof HippographError> = {
  INVALID_INPUT: InvalidInput,
  NOT_FOUND: NotFound,
  NOT_ALLOWED: NotAllowed,
  CONFLICT: Conflict,
  UNAUTHENTICATED: Unauthenticated,
  DATABASE_UNAVAILABLE: Unavailable,
  QUEUE_FULL: Unavailable,
  RATE_LIMITED: RateLimited,
};

/** The error of a code. */
export function errorOf(code: string, message: string): HippographError {
  return new (BY_CODE[code] ?? ServiceError)(message, code);
}
