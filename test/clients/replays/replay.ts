import assert from 'node:assert/strict';
import { exchange } from '../../core/http/scenario.ts';
import { basic } from '../../service/talk.ts';

/** The user of every replay: an ordinary one, with a profile and in a group. */
export const USER = {
  name: 'ann.meyer',
  password: 'correct-horse-battery',
  profile: {
    firstName: 'Ann',
    lastName: 'Meyer',
    email: 'ann.meyer@example.org',
    organization: 'Example',
    jobTitle: 'Clerk',
    telephone: '+49 30 1234',
  },
  group: { name: 'clerks', displayName: 'All clerks' },
} as const;

/** What a client has read so far, by the names under which its later requests use it. */
export type Seen = Readonly<Record<string, string>>;

/** One request as the client makes it, and what the client reads of the answer. `{name}` stands for something seen. */
export interface Step {
  /** Method and target. */
  readonly ask: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What `Authorization: Basic` is made over. */
  readonly basic?: string;
  /** The body, in JSON. */
  readonly json?: unknown;
  /** The body, as a form in parts. */
  readonly parts?: Readonly<Record<string, string>>;
  /** The status without which the client does not go on: 200 if left out. */
  readonly status?: number;
  /** Reads the answer as the client does, and fails where the client would. */
  readonly reads?: (text: string) => unknown;
  /** What later requests hold of the answer. */
  readonly keeps?: (text: string) => Seen;
}

/** What one client asks around the log-in, in its order, in one run from the first request to the last. */
export interface Replay {
  readonly client: string;
  /** The public repository whose code shows it. */
  readonly source: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const filled = (text: string, seen: Seen) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => seen[name] ?? assert.fail(`nothing was read as ${name}`));

/** A value at a path in JSON, as a client in another language reads it: it fails where nothing is. */
export function at(text: string, ...path: readonly (string | number)[]): unknown {
  let value: unknown = JSON.parse(text);
  for (const name of path) {
    assert.ok(typeof value === 'object' && value !== null && name in value, `${path.join('/')} in ${text}`);
    value = (value as Record<string | number, unknown>)[name];
  }
  return value;
}

/** A text at a path in JSON. */
export function textAt(text: string, ...path: readonly (string | number)[]): string {
  const value = at(text, ...path);
  return typeof value === 'string' ? value : assert.fail(`${path.join('/')} is no text in ${text}`);
}

const BOUNDARY = 'a-boundary-of-parts';

const filledAll = (headers: Step['headers'] = {}, seen: Seen) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, seen)]));

/** The body of a step, and its type. */
function bodyOf({ json, parts }: Step, seen: Seen): { type: string; body: string } | undefined {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) };
  if (parts === undefined) return undefined;
  const each = Object.entries(parts).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${filled(value, seen)}\r\n`,
  );
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: `${each.join('')}--${BOUNDARY}--\r\n` };
}

/**
 * Plays a replay against a service. Fails at the first answer with which the client cannot go on. `known` is what the client
 * knows from elsewhere.
 */
export async function play({ source, steps }: Replay, url: string, known: Seen = {}): Promise<void> {
  let seen: Seen = { user: USER.name, password: USER.password, ...known };
  for (const step of steps) {
    const { type, body } = bodyOf(step, seen) ?? {};
    const headers = {
      ...(type && { 'content-type': type }),
      ...filledAll(step.headers, seen),
      ...(step.basic && basic(filled(step.basic, seen))),
    };
    const { status, text } = await exchange(url, filled(step.ask, seen), { headers, body });
    assert.equal(status, step.status ?? 200, `${source}: ${step.ask}: ${text}`);
    step.reads?.(text);
    seen = { ...seen, ...step.keeps?.(text) };
  }
}
