import type { Refusal } from '../domain/refusal.ts';

/** What a request presents to say who calls, in the order of `wire.md` section 5. */
export interface Presented {
  /** Values of the argument `alf_ticket`, each once. */
  readonly arguments: readonly string[];
  /** What `Authorization` holds, if it can be read. */
  readonly header:
    | { readonly ticket: string }
    | { readonly name: string; readonly password: string }
    | undefined;
}

/** One request, as the gate sees it: on no network any more. */
export interface Call {
  /** Names the request in the log. */
  readonly requestId: string;
  /** The base path and the path template that it came by. */
  readonly basePath: string;
  readonly template: string;
  /** What the names in the template took: a segment, or several. */
  readonly path: Readonly<Record<string, string | readonly string[]>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON, a form as an object of texts. Read late: a caller who lacks the level is never told what is wrong with it. */
  readonly body: () =>
    | { readonly json: unknown }
    | Refusal<'body_unreadable' | 'form_unreadable' | 'argument_repeated'>;
  /** Whether a login with query arguments came as a POST that has its user name and password in a form, not in the URL. */
  readonly fromForm?: boolean;
  readonly presented: Presented;
  readonly acceptLanguage: string | undefined;
  /** The client address as throttle and events know it: an IPv4 address or an IPv6 /64. */
  readonly address: string;
  /** By what a browser shows that it sent it from a foreign page that is not allowed, for the log; nothing otherwise. */
  readonly crossSite: string | undefined;
}
