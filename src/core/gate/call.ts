import type { Answer } from '../answer.ts';
import type { Arrival } from '../domain/administration.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { RequestClient } from '../domain/request-origin.ts';
import type { Verified } from '../identity/passwords.ts';
import type { AnyOperation, RequestDecision } from '../operation.ts';

/** What a request presents to say who calls, in the order of the specification, section 5. */
export interface Presented {
  /** Values of the argument `alf_ticket`, each once. */
  readonly arguments: readonly string[];
  /** What `Authorization` holds, if it can be read. */
  readonly header:
    | { readonly ticket: string }
    /** What Bearer holds and is neither a ticket nor an API key: an access token of a provider, if there is one. */
    | { readonly accessToken: string }
    | { readonly apiKey: string }
    | { readonly name: string; readonly password: string }
    | undefined;
}

/** The result of a call, and what the request line says of it. */
export interface CallOutcome {
  readonly result: Answer<unknown> | Refusal;
  readonly user?: string;
  /** The first 8 digits of the digest of the ticket concerned. */
  readonly digest?: string;
  /** The client that called, or the API key, as events name it. */
  readonly client?: string;
}

/** How a browser reached the service. */
export interface Browser {
  /** The scheme and the host with its port, such as `https://tickets.example.org`. */
  readonly origin: string;
  /** The address of the page that the request comes from; undefined if the browser does not say. */
  readonly cameFrom: string | undefined;
  /** The domain of all hosts that share its ticket; empty for one host alone. */
  readonly cookieDomain: string;
  /** Whether the browser may keep a ticket: over HTTPS, or on the machine itself. */
  readonly keepsCookie: boolean;
  /** The value of a cookie of the portal besides the ticket; undefined if there is none. */
  readonly cookie: (name: string) => string | undefined;
}

/** One request, as the gate sees it: without anything of HTTP. */
export interface Call extends RequestClient {
  /** Names the request in the log. */
  readonly requestId: string;
  /** The base path and the path template that it came by. */
  readonly basePath: string;
  readonly template: string;
  /** What each name in the template matched: a segment, or several. */
  readonly path: Readonly<Record<string, string | readonly string[]>>;
  readonly query: Readonly<Record<string, string>>;
  /**
   * Reads the body: as JSON, or a form as an object of texts. The gate calls it after the authentication, so that only an
   * authenticated caller learns what is wrong with the body.
   */
  readonly body: () =>
    | { readonly json: unknown }
    | Refusal<'body_unreadable' | 'form_unreadable' | 'argument_repeated'>;
  /** Whether the request is a login with query arguments that came as a POST with user name and password in a form, not in the URL. */
  readonly fromForm?: boolean;
  readonly presented: Presented;
  /** The user whom the presented access token names, once the gate has verified it. */
  readonly verified?: Verified | undefined;
  readonly acceptLanguage: string | undefined;
  /** Why the request is cross-site and not allowed, for the log; otherwise undefined. */
  readonly crossSite: string | undefined;
  /** Whether `If-Match` names what this representation shows of this value; undefined without that header. */
  readonly isMatch?: ((representation: AnyOperation['output'], value: unknown) => boolean) | undefined;
  /** Of a page: how a browser reached the service. */
  readonly browser?: Browser;
  /** How it arrived, of an operation that `tellsArrival`. */
  readonly arrival?: Arrival;
  /** Of an operation with `anyRequest`: what the rules decide about the request to another service, if there are rules. */
  readonly decision?: RequestDecision | undefined;
  /** Whether this call continues a stream. It counts as no use of the ticket, since the caller did nothing. */
  readonly goesOn?: true;
}

/**
 * Decides about a call of an operation with `anyRequest` before its caller is known. Returns the outcome if it is the same for every
 * caller, otherwise the call with the decision.
 */
export type DecideFirst = (
  anyRequest: NonNullable<AnyOperation['anyRequest']>,
  call: Call,
) => Call | CallOutcome;

/**
 * The user whom the access token of a call names, or why the token is refused. Undefined if it does not count for this operation. It is
 * asked before the transaction, since it may take long.
 */
export type VerifyToken = (operation: AnyOperation, call: Call) => Promise<Verified | Refusal | undefined>;

/** Runs an operation for a call. */
export type Execute = (call: Call) => Promise<CallOutcome>;
