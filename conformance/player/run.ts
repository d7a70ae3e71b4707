import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { CaseFile } from './case-file.ts';
import { type CaseResult, playFile } from './play.ts';
import type { Variables } from './variables.ts';
import type { ServerUnderTest } from './wire.ts';

/** The folder of the published cases. */
export const PUBLISHED = fileURLToPath(new URL('../cases/', import.meta.url));

/** Milliseconds that a server may take for one whole answer. */
export const DEADLINE = 10_000;
const V1_BELOW = '/alfresco/api/-default-/public';

/** An account of the server. */
export interface Account {
  readonly user: string;
  readonly password: string;
}

/** The server to test, with the accounts and the node that cases ask about. */
export interface Subject {
  readonly url: URL;
  /** The base URL of the v1 API, if it is not the usual one on the same host. */
  readonly v1?: URL | undefined;
  readonly account: Account;
  readonly other?: Account | undefined;
  /** The name of a user without a password. */
  readonly guest?: string | undefined;
  /** Store and id of a node, such as `workspace/SpacesStore/company-home`. */
  readonly node: string;
  /** Store and names of a path, such as `workspace/SpacesStore/Company Home`. */
  readonly path: string;
}

function variablesOf({ url, account, other, guest, node, path }: Subject): Variables {
  const chance = randomBytes(6).toString('hex');
  return {
    ...account,
    ...(other === undefined ? {} : { other: other.user, otherPassword: other.password }),
    ...(guest === undefined ? {} : { guest }),
    node,
    path,
    upper: account.user.toUpperCase(),
    nobody: `nobody-${chance}`,
    wrong: `wrong-${chance}`,
    long: 'x'.repeat(20_000),
    tooLong: 'x'.repeat(1_025),
    host: url.host,
    scheme: url.protocol.slice(0, -1),
    serviceContext: url.pathname.replace(/\/+$/, ''),
  };
}

/** The server of a run. Calls `onTicket` with each ticket that an answer contains. */
export function serverOf(
  { url, v1 = new URL(V1_BELOW, url) }: Subject,
  onTicket: (ticket: string) => void,
): ServerUnderTest {
  return {
    bases: { scripts: url, v1, host: new URL('/', url) },
    deadline: DEADLINE,
    onAnswer: ({ text }) => {
      for (const [ticket] of text.matchAll(/\bTICKET_\w+/g)) onTicket(ticket);
    },
  };
}

/** Plays every case against a server, and yields each result at once. */
export async function* playCases(
  files: readonly CaseFile[],
  subject: Subject,
  server: ServerUnderTest,
): AsyncGenerator<CaseResult> {
  for (const file of files) yield* playFile(file, server, variablesOf(subject));
}
