import { generateKeyPair, hash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'oidc-provider';
import { secretKeysPlace, secretSealer } from '../../core/sealing/secret-keys.ts';
import type { OpeningParts } from '../capability.ts';
import { signingKeyPurpose } from './identifiers.ts';
import type { SigningKey, SigningKeysRead } from './tables/signing-keys.ts';
import type { ProtocolUnits } from './units.ts';

/** The algorithms that tokens are signed by, each with keys of its own. The first one signs where an application asks for none. */
const ALGORITHMS = ['RS256', 'EdDSA'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const DAY = 86_400_000;
const SIGNS_FOR = 90 * DAY;
/** Milliseconds after which the keys are read again: another instance or a command may have rotated them. */
const KEYS_GOOD_FOR = 5_000;
/** Milliseconds in which a new key is published and does not sign: until all instances publish it, and applications find it there. */
const PUBLISHED_BEFORE = 10_000;
/** How long a key stays published once it signs no more: longer than anything that it signed is good. */
export const PUBLISHED_FOR = 2 * DAY;

const generate = promisify(generateKeyPair);

async function newPrivateKey(alg: Algorithm): Promise<JWK> {
  const { privateKey, publicKey } = await (alg === 'RS256'
    ? generate('rsa', { modulusLength: 2_048 })
    : generate('ed25519'));
  const kid = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, 22);
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg, use: 'sig' };
}

interface SigningKeyParts extends Pick<OpeningParts, 'settings' | 'clock'> {
  readonly units: ProtocolUnits;
}

/** The algorithm and the name of the secret that makes pairwise subjects. It is kept with the keys that sign, and signs nothing. */
const PAIRWISE = 'pairwise';

/** The keys that sign tokens, or did, the oldest first. */
export const tokenKeys = async ({ signingKeys }: { readonly signingKeys: SigningKeysRead }) =>
  (await signingKeys.list()).filter(({ alg }) => alg !== PAIRWISE);

const signsAt = ({ addedAt, retiredAt = Number.POSITIVE_INFINITY }: SigningKey, then: number) =>
  addedAt <= then && then < retiredAt;

/** The keys that sign tokens: in the store, sealed, so that all instances have the same ones. */
export class KeyRing {
  readonly #parts: SigningKeyParts;
  #pairwiseSecret: Buffer | undefined;

  constructor(parts: SigningKeyParts) {
    this.#parts = parts;
  }

  /** All published keys; those that sign come first. Adds a key where an algorithm has none, or an old one, and retires the old one. */
  async current(): Promise<readonly JWK[]> {
    const now = this.#parts.clock();
    const then = now - PUBLISHED_BEFORE;
    const kept = await this.#parts.units.read(tokenKeys);
    const signing = kept.filter(({ retiredAt }) => retiredAt === undefined);
    const due = ALGORITHMS.filter(
      (alg) => !signing.some((key) => key.alg === alg && now - key.addedAt < SIGNS_FOR),
    );
    if (due.length > 0) return this.#add(due, now);
    return kept
      .filter(({ retiredAt }) => retiredAt === undefined || now - retiredAt < PUBLISHED_FOR)
      .toSorted(
        (one, other) =>
          Number(signsAt(other, then)) - Number(signsAt(one, then)) || other.addedAt - one.addedAt,
      )
      .map((key) => this.#opened(key));
  }

  /** Adds new keys, unless another instance did meanwhile. Those before stay published, so that what they signed counts until its end. */
  async #add(algorithms: readonly Algorithm[], now: number): Promise<readonly JWK[]> {
    const sealer = this.#sealer();
    for (const alg of algorithms) {
      const key = await newPrivateKey(alg);
      const kid = key.kid as string;
      const sealed = sealer.seal(signingKeyPurpose(kid), JSON.stringify(key));
      await this.#parts.units.write(async ({ signingKeys, events }) => {
        const before = (await signingKeys.list()).filter(
          (key) => key.alg === alg && key.retiredAt === undefined,
        );
        if (before.some(({ addedAt }) => now - addedAt < SIGNS_FOR)) return;
        for (const key of before) await signingKeys.retire(key.kid, now);
        await signingKeys.add({ kid, alg, sealed, addedAt: now, retiredAt: undefined });
        await signingKeys.removeRetired(now - PUBLISHED_FOR);
        await events.append({ at: now, kind: 'signing-key-added', reason: `${alg} ${kid}` });
      });
    }
    return this.current();
  }

  /** What is made of the published keys, made anew once they are others. They are read again after a while, since others rotate them. */
  with<T>(make: (keys: readonly JWK[]) => T): () => Promise<T> {
    const { clock } = this.#parts;
    let latest: { readonly value: T; readonly names: string } | undefined;
    let readAt = Number.NEGATIVE_INFINITY;
    return async () => {
      if (latest !== undefined && Math.abs(clock() - readAt) < KEYS_GOOD_FOR) return latest.value;
      const keys = await this.current();
      const names = keys.map(({ kid }) => kid).join(' ');
      if (latest?.names !== names) latest = { value: make(keys), names };
      readAt = clock();
      return latest.value;
    };
  }

  /** The secret that makes pairwise subjects. It is made once and never replaced, since with another secret applications would take each user for a new one. */
  async pairwiseSecret(): Promise<Buffer> {
    if (this.#pairwiseSecret !== undefined) return this.#pairwiseSecret;
    const { units, clock } = this.#parts;
    const ofStore = () =>
      units.read(async ({ signingKeys }) => (await signingKeys.list()).find(({ alg }) => alg === PAIRWISE));
    const addNew = () => {
      const secret = JSON.stringify({ kty: 'oct', k: randomBytes(32).toString('base64url') });
      const sealed = this.#sealer().seal(signingKeyPurpose(PAIRWISE), secret);
      const key = { kid: PAIRWISE, alg: PAIRWISE, sealed, addedAt: clock(), retiredAt: undefined };
      return units.write(({ signingKeys }) => signingKeys.add(key));
    };
    // If another instance adds one meanwhile, that one stays.
    const stored = (await ofStore()) ?? ((await addNew().then(ofStore)) as SigningKey);
    this.#pairwiseSecret = Buffer.from(this.#opened(stored).k as string, 'base64url');
    return this.#pairwiseSecret;
  }

  #sealer() {
    const { settings, clock } = this.#parts;
    const sealer = secretSealer(settings, clock);
    if (sealer === undefined)
      throw new Error('no key seals the keys that sign: set TESSERA_SECRET_KEYS_FILE');
    return sealer;
  }

  #opened({ kid, sealed }: SigningKey): JWK {
    const opened = this.#sealer().open(signingKeyPurpose(kid), sealed);
    if (opened !== undefined) return JSON.parse(opened.toString()) as JWK;
    const place = secretKeysPlace(this.#parts.settings);
    throw new Error(
      `the key ${kid}, which signs tokens, cannot be decrypted: put the kept keys back into ${place}`,
    );
  }
}
