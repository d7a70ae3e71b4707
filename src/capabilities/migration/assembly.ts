import { hashPassword } from '../../core/identity/password-hash.ts';
import { hashCostIn } from '../../core/settings/derived.ts';
import { certificatesIn } from '../../core/settings/trusted-certificates.ts';
import type { OpenedCapability, OpeningParts } from '../capability.ts';

/** The server that is being replaced, which is asked about unknown users; undefined if none is set. Its code is loaded only then. */
export async function openShadow(parts: OpeningParts): Promise<OpenedCapability | undefined> {
  const { settings, store, clock, log, localVerifier: local, hashPool } = parts;
  const { shadow: url, shadowCa, shadowDeadline: deadline, namesCaseSensitive } = settings;
  if (url === '') return undefined;
  const [{ OldServer }, { ShadowVerifier }] = await Promise.all([
    import('./shadow/old-server.ts'),
    import('./shadow/shadow-verifier.ts'),
  ]);
  const server = new OldServer({ url, ca: certificatesIn('shadowCa', shadowCa), deadline });
  log.warn({ url }, 'in the shadow of an old server: passwords that are refused here are tried there');
  const cost = hashCostIn(settings);
  const verifier = new ShadowVerifier({
    local,
    server,
    store,
    hash: (owner, password) => hashPool.run(() => hashPassword(password, cost), owner),
    namesCaseSensitive,
    clock,
    onDifference: (difference) => log.warn(difference, 'the old server answers differently'),
  });
  return { verifier, stop: () => server.close() };
}
