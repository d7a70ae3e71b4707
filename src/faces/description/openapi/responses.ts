import { REFUSALS, type RefusalCode } from '../../../core/domain/refusal.ts';
import { ERRORS } from '../../../core/http/error-document.ts';
import { MEDIA_TYPES } from '../../../core/http/formats.ts';
import { STATUS } from '../../../core/http/status.ts';
import type { AnyOperation, Authentication } from '../../../core/operation.ts';
import { type Format, formatsOf, type Representation } from '../../../core/representations/representation.ts';
import {
  problemShown,
  type StatusCode,
  statusName,
  statusShown,
} from '../../../core/representations/status.ts';
import type { Schema } from '../../../core/schema.ts';
import { answerHeaders, type Headers, KEPT_HEADERS, refusalHeaders, SIGN_IN_HEADERS } from './headers.ts';
import type { Schemas } from './schemas.ts';

/** Faults of the path, of its arguments in the URL or in a form, or of the format. */
const OF_TARGET: readonly RefusalCode[] = [
  'escape_broken',
  'argument_repeated',
  'format_unknown',
  'form_unreadable',
];

/** Refusals that HTTP gives for any operation, before the caller is known. */
const OF_HTTP: readonly RefusalCode[] = [
  'request_malformed',
  'host_not_served',
  'request_too_slow',
  'body_too_large',
  'url_too_long',
  'headers_too_large',
];

const OF_USERS: readonly RefusalCode[] = [
  'authentication_needed',
  'tickets_of_two_users',
  'passwords_unavailable',
  'hash_queue_full',
  'access_token_refused',
  'provider_unavailable',
];

/** Refusals that the gate gives at each level. */
const OF_LEVEL: Readonly<Record<Authentication, readonly RefusalCode[]>> = {
  none: [],
  guest: OF_USERS,
  user: OF_USERS,
  client: ['client_unknown'],
  admin: ['admin_credential_needed', 'role_needed'],
};

/** Refusals of changes by administrators, which the gate gives before it performs them. */
const ofAdministration = ({ authentication, method, ifMatch }: AnyOperation): readonly RefusalCode[] => [
  ...(authentication === 'admin' && method !== 'GET' ? (['cross_site_change'] as const) : []),
  ...(ifMatch ? (['changed_meanwhile'] as const) : []),
];

/** Every refusal that an operation can give: its own, the gate's and those of HTTP. Each once, sorted by status. */
export function refusalsOf(operation: AnyOperation): readonly RefusalCode[] {
  const { refusals, authentication, ticketsOnly, access, formatStyle, anyRequest, streams } = operation;
  const all: readonly RefusalCode[] = [
    ...refusals,
    ...(ticketsOnly ? (['ticket_needed'] as const) : OF_LEVEL[authentication]),
    ...(formatStyle === 'any' ? (['formats_differ'] as const) : []),
    ...(anyRequest ? [] : OF_TARGET),
    ...OF_HTTP,
    ...ofAdministration(operation),
    ...(streams ? (['streams_full'] as const) : []),
    ...(operation.method === 'GET' && access !== 'write' ? (['answers_unread'] as const) : []),
    ...(access === 'none' ? [] : (['store_unavailable'] as const)),
    'internal',
  ];
  return [...new Set(all)].toSorted((one, other) => STATUS[one] - STATUS[other]);
}

type OpenApiContent = Readonly<Record<string, { readonly schema: Schema }>>;

/** A response in OpenAPI. */
interface OpenApiResponse {
  readonly description: string;
  readonly headers: Headers;
  readonly content?: OpenApiContent;
  /** The refusals with this status, each with the sentence that the caller reads. */
  readonly 'x-refusals'?: readonly { readonly code: RefusalCode; readonly message: string }[];
}

const text = { type: 'string' } as const;

/** A media type without its parameters, as OpenAPI names contents. */
const bare = (type: string) => type.split(';')[0] as string;

function schemaIn(format: Format, output: Representation<never>, schemas: Schemas): Schema {
  if (format === 'json' || (format === 'html' && output.jsonAsHtml)) return schemas.of(output.schema);
  if (format === 'xml') return schemas.of(output.xmlSchema ?? output.schema);
  if (format === 'schema') return { type: 'object', description: 'A JSON Schema, dialect 2020-12.' };
  return text;
}

function contentOf(output: Representation<never>, schemas: Schemas): OpenApiContent {
  return Object.fromEntries(
    formatsOf(output).map((format) => [
      bare(MEDIA_TYPES[format]),
      { schema: schemaIn(format, output, schemas) },
    ]),
  );
}

/** The error document of the operation's API, and a problem document (RFC 9457) for callers that accept it. */
function errorContent({ api }: AnyOperation, schemas: Schemas): OpenApiContent {
  const problem = { 'application/problem+json': { schema: schemas.of(problemShown.schema) } };
  if (api?.name === 'admin') return problem;
  return { ...contentOf(api && api.name !== 'portal' ? ERRORS[api.name] : statusShown, schemas), ...problem };
}

function refused(
  operation: AnyOperation,
  status: StatusCode,
  codes: readonly RefusalCode[],
  schemas: Schemas,
): OpenApiResponse {
  const sentences = codes.map((code) => `- \`${code}\`: ${REFUSALS[code]}`);
  return {
    description: `${statusName(status)}\n\n${sentences.join('\n')}`,
    headers: refusalHeaders(operation, status),
    content: errorContent(operation, schemas),
    'x-refusals': codes.map((code) => ({ code, message: REFUSALS[code] })),
  };
}

type Responses = Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;

/** Collects the error responses of a document. Equal ones are defined once and referred to by their status. */
export class SharedResponses {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** A reference to the response. */
  of(status: StatusCode, response: OpenApiResponse): { readonly $ref: string } {
    const key = JSON.stringify(response);
    const name = this.#names.get(key) ?? this.#nameFor(status);
    this.#names.set(key, name);
    return { $ref: `#/components/responses/${name}` };
  }

  /** The collected responses, by name. */
  get components(): Readonly<Record<string, OpenApiResponse>> {
    return Object.fromEntries([...this.#names].map(([text, name]) => [name, JSON.parse(text)]));
  }

  #nameFor(status: StatusCode): string {
    const word = statusName(status).replaceAll(' ', '');
    const count = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, count);
    return count === 1 ? word : `${word}${count}`;
  }
}

/** Every response of an operation, by status: its answer, and its refusals with their error documents. */
export function responsesOf(operation: AnyOperation, schemas: Schemas, shared: SharedResponses): Responses {
  const { output, revalidated, answers = 200, alsoAnswers, anyRequest } = operation;
  const headers = answerHeaders(operation, schemas);
  const content = output.isEmpty ? {} : { content: contentOf(output, schemas) };
  const answered = { description: 'The answer.', headers, ...content };
  const header = { description: 'What the caller has is still the answer.', headers: KEPT_HEADERS };
  const byStatus = Map.groupBy(refusalsOf(operation), (code) => STATUS[code]);
  const refusals = [...byStatus].map(([status, codes]) => [
    status,
    shared.of(status, refused(operation, status, codes, schemas)),
  ]);
  return {
    [answers]: answered,
    ...(alsoAnswers === undefined
      ? {}
      : { [alsoAnswers]: { ...answered, description: 'The answer is no.' } }),
    ...(revalidated ? { 304: header } : {}),
    ...(anyRequest ? { 302: { description: 'A browser signs in first.', headers: SIGN_IN_HEADERS } } : {}),
    ...Object.fromEntries(refusals),
  };
}
