import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HashPool } from '../identity/hash-queue.ts';
import { type HashCost, hashPassword } from '../identity/password-hash.ts';
import { OldServer } from '../identity/shadow/old-server.ts';
import { ShadowVerifier } from '../identity/shadow/shadow-verifier.ts';
import { localVerifier, type Verifier } from '../identity/verifier.ts';
import { SettingsFaulty } from '../settings/read.ts';
import { variableOf } from '../settings/table.ts';
import type { ServiceParts } from './parts.ts';

/** Who vouches for passwords, and what ends with it. */
export interface Vouching {
  readonly verifier: Verifier;
  /** Rejects when no password can be checked here. */
  readonly ready: Promise<unknown>;
  close(): void;
}

function certificatesIn(file: string): string | undefined {
  if (file === '') return undefined;
  const faulty = (why: string) => new SettingsFaulty([`${variableOf('shadowCa')}: ${why}`]);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw faulty(`the file cannot be read: ${(error as Error).message}`);
  }
  try {
    // Of no text at all Node would make its own list, which this one is to stand in place of.
    new X509Certificate(text);
    return text;
  } catch {
    throw faulty('the file holds no certificate in PEM: convert it, such as with openssl x509');
  }
}

/** The verifier over the store, and before it the old server if one is set. */
export function vouchingFor(parts: ServiceParts, pool: HashPool, cost: HashCost): Vouching {
  const { settings, store, clock, log } = parts;
  const local = localVerifier(pool, cost);
  const { ready } = local;
  const { shadow: url, shadowCa, shadowDeadline: deadline } = settings;
  if (url === '') return { verifier: local, ready, close: () => undefined };
  const server = new OldServer({ url, ca: certificatesIn(shadowCa), deadline });
  log.warn({ url }, 'in the shadow of an old server: passwords that are refused here are tried there');
  const verifier = new ShadowVerifier({
    local,
    server,
    store,
    hash: (asked, password) => pool.run(() => hashPassword(password, cost), asked),
    namesCaseSensitive: settings.namesCaseSensitive,
    clock,
    onDifference: (difference) => log.warn(difference, 'the old server answers differently'),
  });
  return { verifier, ready, close: () => server.close() };
}
