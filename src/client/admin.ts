import type { AdminEvent, AdminOperations, StreamFilter } from './admin-shapes.ts';
import { type StreamedMessage, streamed } from './event-stream.ts';
import {
  type CallOptions,
  type ClientOptions,
  type Received,
  receive,
  type SendOptions,
  sendOptions,
} from './send.ts';
import { baseOf, fill } from './target.ts';

export { Refused, Unreachable, Unreadable } from './failures.ts';
export type { Code } from './shapes.ts';
export type { AdminEvent, AdminOperations, CallOptions, ClientOptions, Received, StreamFilter };

/** Who administers: a machine by its API key, or a user by a live ticket. */
export type AdminCredential =
  | { readonly key: string; readonly ticket?: never }
  | { readonly ticket: string; readonly key?: never };

/** The name of an operation, such as `GET /users`: its method, and its path below `/api/admin`. */
export type AdminOperation = keyof AdminOperations;

type Parts<O extends AdminOperation> = Omit<AdminOperations[O], 'answer'>;

/** The input of an operation, without the parts that it does not have. */
export type AdminInput<O extends AdminOperation> = {
  readonly [K in keyof Parts<O> as Parts<O>[K] extends undefined ? never : K]: Parts<O>[K];
};

/** A list of administration, whose operation answers page by page. */
export type AdminList = {
  [O in AdminOperation]: AdminOperations[O] extends { query: { cursor?: unknown } } ? O : never;
}[AdminOperation];

/** The input of a list. The cursor is left to the client; `limit` is the number of items on a page. */
export type ListInput<O extends AdminList> = Omit<AdminInput<O>, 'query'> & {
  readonly query?: Omit<NonNullable<AdminOperations[O]['query']>, 'cursor'>;
};

/** An item of a list. */
export type ListedBy<O extends AdminList> = AdminOperations[O]['answer'] extends {
  items: readonly (infer T)[];
}
  ? T
  : never;

/** Options of a change. */
export interface ChangeOptions extends CallOptions {
  /** The `etag` of the GET at the same path. If somebody else made a change since then, the call is refused with status 412. */
  readonly ifMatch?: string | undefined;
}

/** Options of a stream of events. */
export interface StreamOptions extends CallOptions {
  /** The id of the last message that the caller has: the stream continues after it. Without it, it begins now. */
  readonly lastEventId?: string | undefined;
}

interface GivenInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
}

/** Administration answers problem documents, whatever is accepted. */
const ACCEPT = 'application/json, application/problem+json';

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;

function targetOf(path: string, { path: names = {}, query = {} }: GivenInput): string {
  const filled = fill(path, names as never);
  const present = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
  return present.length === 0 ? filled : `${filled}?${new URLSearchParams(present)}`;
}

/**
 * Administers a service over HTTP. Calls throw the same errors as those of `Client`: `Refused` with status 401 if the
 * credential is not valid (any more), 403 if its role is too low, 412 if `ifMatch` is old. A change is sent once.
 */
export class AdminClient {
  readonly #base: string;
  readonly #options: SendOptions;
  readonly #credential: string;

  /** `base` is the address of the operations, such as `https://host/alfresco/service`. */
  constructor(base: string | URL, { key, ticket }: AdminCredential, options: ClientOptions = {}) {
    this.#base = `${baseOf(base)}/api/admin`;
    this.#options = sendOptions(options);
    this.#credential = key ?? ticket ?? '';
    if (!/^[!-~]+$/.test(this.#credential))
      throw new TypeError(
        'The credential is neither an API key nor a ticket: give a key, which begins with tsk_',
      );
  }

  /** Calls an operation. Pass the `etag` of a GET as `ifMatch` to a change at the same path. */
  async call<O extends AdminOperation>(
    name: O,
    ...[input, { signal, ifMatch } = {}]: Record<never, never> extends AdminInput<O>
      ? [input?: AdminInput<O>, options?: ChangeOptions]
      : [input: AdminInput<O>, options?: ChangeOptions]
  ): Promise<Received<AdminOperations[O]['answer']>> {
    const parts = (input ?? {}) as GivenInput;
    const [method = '', path = ''] = name.split(' ');
    const headers = {
      accept: ACCEPT,
      authorization: `Bearer ${this.#credential}`,
      ...(parts.body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    };
    const outgoing = {
      method,
      headers,
      url: this.#base + targetOf(path, parts),
      secrets: [this.#credential],
      ...(parts.body && { body: JSON.stringify(parts.body) }),
      ...(method !== 'GET' && { mayBeEmpty: true as const }),
      answers: isObject as (body: unknown) => body is AdminOperations[O]['answer'],
    };
    return receive(outgoing, this.#options, signal);
  }

  /** Every item of a list. Asks for the next page when the caller has read all items of the page before. */
  async *list<O extends AdminList>(
    name: O,
    input?: ListInput<O>,
    options?: CallOptions,
  ): AsyncGenerator<ListedBy<O>, void, undefined> {
    for await (const page of this.pages(name, input, options)) yield* page;
  }

  /** The pages of a list. Asks for a page when the caller wants it. A page may be empty though others follow. */
  async *pages<O extends AdminList>(
    name: O,
    input: ListInput<O> = {} as ListInput<O>,
    options: CallOptions = {},
  ): AsyncGenerator<readonly ListedBy<O>[], void, undefined> {
    let cursor: string | undefined;
    do {
      const query = { ...input.query, ...(cursor !== undefined && { cursor }) };
      const { value } = await this.call(name, { ...input, query } as never, options);
      const page = value as unknown as { readonly items: readonly ListedBy<O>[]; readonly next?: string };
      yield page.items;
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /**
   * The events as they happen. After a lost connection it connects again and continues where it was. It ends when the signal
   * aborts, and throws when the service refuses the caller.
   */
  events(
    filter: StreamFilter = {},
    { signal, lastEventId }: StreamOptions = {},
  ): AsyncGenerator<StreamedMessage<AdminEvent>, void, undefined> {
    const url = this.#base + targetOf('/events/stream', { query: filter });
    return streamed(
      { url, credential: this.#credential, lastEventId, signal },
      this.#options,
    ) as AsyncGenerator<StreamedMessage<AdminEvent>, void, undefined>;
  }
}
