import type { AnyOperation } from '../../../core/operation.ts';
import type { Schema } from '../../../core/schema.ts';
import type { Schemas } from './schemas.ts';

interface Header {
  readonly description: string;
  /** Whether every response has it. */
  readonly required: boolean;
  readonly schema: Schema;
}

/** The headers of a response in OpenAPI. Headers that every HTTP server, cache and browser knows are left out. */
export type Headers = Readonly<Record<string, Header | { readonly $ref: string }>>;

const text = { type: 'string' } as const;

/** The headers that many responses have. The document defines each once and refers to it. */
export const SHARED_HEADERS = {
  ETag: {
    description: 'Names this body: send it as `If-None-Match`, or as `If-Match` with a change of it.',
    required: true,
    schema: text,
  },
  'Content-Language': {
    description: 'The language of titles and descriptions, where they have one.',
    required: false,
    schema: text,
  },
  'X-Request-Id': {
    description: 'Names the exchange: the operator finds it by that.',
    required: true,
    schema: text,
  },
} satisfies Headers;

const shared = (...names: readonly (keyof typeof SHARED_HEADERS)[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const challenge = (description: string): Headers => ({
  'WWW-Authenticate': { description, required: true, schema: text },
});
const CHALLENGE_TO_CLIENT = challenge('`Basic`.');
const CHALLENGE_TO_ADMINISTRATOR = challenge('`Bearer`.');
const CHALLENGE = challenge('`Basic`, or `AlfTicket` to a script in a page.');
const CHALLENGE_TO_USER = challenge(
  '`Basic`, or `AlfTicket` to a script in a page; after an access token `Bearer` (RFC 6750).',
);

const retryAfter = (required: boolean): Headers => ({
  'Retry-After': {
    description: 'Seconds after which another try makes sense.',
    required,
    schema: { type: 'integer', minimum: 0 },
  },
});

const toSignIn = (required: boolean): Headers => ({
  Location: { description: 'The sign-in page, with the way back.', required, schema: text },
});

/** The headers of the answer that sends a browser to the sign-in page. */
export const SIGN_IN_HEADERS: Headers = { ...toSignIn(true), ...shared('X-Request-Id') };

/** A 401 has `Retry-After` only where passwords are accepted: only a caller who gave one can be told to wait. */
function ofRefusal({ authentication, ticketsOnly, anyRequest }: AnyOperation, status: number): Headers {
  if (status === 401 && anyRequest) return { ...CHALLENGE, ...toSignIn(false) };
  if (status === 401 && authentication === 'client') return CHALLENGE_TO_CLIENT;
  if (status === 401 && authentication === 'admin') return CHALLENGE_TO_ADMINISTRATOR;
  if (status === 401) return ticketsOnly ? CHALLENGE : { ...CHALLENGE_TO_USER, ...retryAfter(false) };
  if (status === 403 && authentication === 'admin') return {};
  return status === 403 || status === 503 ? retryAfter(status === 503) : {};
}

const UNBUFFERED: Headers = {
  'X-Accel-Buffering': {
    description: '`no`: nginx passes each message on at once.',
    required: false,
    schema: text,
  },
};

/** The headers of a refusal with this status. */
export function refusalHeaders(operation: AnyOperation, status: number): Headers {
  return { ...ofRefusal(operation, status), ...shared('X-Request-Id') };
}

/** The headers of a 304 answer. */
export const KEPT_HEADERS = shared('ETag', 'Content-Language', 'X-Request-Id');

/** The headers of an answer, including the ones that carry its values. */
export function answerHeaders({ output, revalidated, streams }: AnyOperation, schemas: Schemas): Headers {
  const { properties = {}, required = [] } = output.headers ? schemas.of(output.headers.schema) : {};
  const told = Object.entries(properties as Record<string, Schema>).map(
    ([name, { description, ...schema }]) => {
      const isAlways = (required as readonly string[]).includes(name);
      return [name, { description: String(description), required: isAlways, schema }] as const;
    },
  );
  return {
    ...Object.fromEntries(told),
    ...(revalidated ? KEPT_HEADERS : shared('X-Request-Id')),
    ...(streams ? UNBUFFERED : {}),
  };
}
