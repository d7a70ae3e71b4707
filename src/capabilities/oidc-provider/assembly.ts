import { refuse } from '../../core/domain/refusal.ts';
import type { MountedAnswer, MountedPart, MountedRequest } from '../../core/http/mounted.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import type { MountedFront, OpenedCapability, OpeningParts } from '../capability.ts';
import { AUTHORIZATION, DEVICE } from './settings.ts';

/** The requests of applications and their people, in the log and the metrics. */
const OPERATION = 'org/service/repository/oidc-provider';

/** Answers while the store cannot (RFC 6749 section 4.1.2.1): never as if something were not there. */
const UNAVAILABLE: MountedAnswer = {
  status: 503,
  headers: [
    ['Content-Type', 'application/json'],
    ['Retry-After', '1'],
  ],
  text: JSON.stringify({ error: 'temporarily_unavailable', error_description: 'the store cannot answer' }),
  refusal: refuse('store_unavailable', { retryAfter: 1 }),
};

const BROKEN: MountedAnswer = {
  status: 500,
  headers: [['Content-Type', 'application/json']],
  text: JSON.stringify({ error: 'server_error' }),
  refusal: refuse('internal'),
};

type Answering = (request: MountedRequest) => Promise<MountedAnswer | undefined>;

/** Imports the protocol. The library writes on the terminal that it does not know this Node, which the tests run it with. */
async function importQuietly(): Promise<typeof import('./running.ts')> {
  const { warn } = console;
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('Unsupported runtime')) warn(...said);
  };
  try {
    return await import('./running.ts');
  } finally {
    console.warn = warn;
  }
}

const prefixIn = ({ settings }: OpeningParts): string => new URL(settings.issuer).pathname;

/** Loads the protocol, once there is an application: a service without one has none of its code. */
class LateProvider implements MountedPart {
  readonly id = OPERATION;
  readonly prefix: string;
  readonly #parts: OpeningParts;
  readonly #front: MountedFront;
  #answering: Promise<Answering> | undefined;

  constructor(parts: OpeningParts, front: MountedFront) {
    this.#parts = parts;
    this.#front = front;
    this.prefix = prefixIn(parts);
  }

  async handle(request: MountedRequest): Promise<MountedAnswer | undefined> {
    const { onFault } = this.#parts;
    try {
      const answer = await this.#load();
      return await answer?.(request);
    } catch (fault) {
      onFault(fault);
      return fault instanceof StoreUnavailable ? UNAVAILABLE : BROKEN;
    }
  }

  async #load(): Promise<Answering | undefined> {
    if (this.#answering === undefined) {
      const applications = await this.#parts.store.read((unit) => unit.applications.list());
      if (applications.length === 0) return undefined;
    }
    this.#answering ??= importQuietly().then(({ answeringOver }) => answeringOver(this.#parts, this.#front));
    return this.#answering.catch((fault) => {
      this.#answering = undefined;
      throw fault;
    });
  }
}

/** Serves applications below the path of the issuer, if there is one. */
export async function openOidcProvider(parts: OpeningParts): Promise<OpenedCapability | undefined> {
  if (parts.settings.issuer === '') return undefined;
  const mounted = (front: MountedFront) => new LateProvider(parts, front);
  const stepAddress = (step: string, isDevice: boolean) =>
    `${prefixIn(parts)}${isDevice ? DEVICE : AUTHORIZATION}/${encodeURIComponent(step)}`;
  const { verifyOwnTokens } = await import('./verifier.ts');
  return { mounted, browserTools: { stepAddress }, verifyToken: verifyOwnTokens(parts) };
}
