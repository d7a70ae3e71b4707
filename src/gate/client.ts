import { faultOfClientName } from '../domain/client.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { maskedName } from '../domain/user.ts';
import { isSecretOf } from '../identity/client-secret.ts';
import type { ReadUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import type { Known } from './caller.ts';

/** The registered client that presents its name and secret by Basic (RFC 6749 section 2.3.1), and by nothing else. */
export async function confirmClient(
  unit: Pick<ReadUnit, 'clients'>,
  { presented: { header } }: Call,
): Promise<Known | Refusal<'client_unknown'>> {
  if (header === undefined) return refuse('client_unknown');
  if (!('name' in header)) return refuse('client_unknown', { reason: 'a ticket is no client' });
  const { name, password: secret } = header;
  // What can be no client's name is not asked for, so that storage never sees it.
  const client = faultOfClientName(name) === undefined ? await unit.clients.find(name) : undefined;
  const known = isSecretOf(client, secret);
  // Events count by their reason: names that callers make up stand in the log alone.
  if (client === undefined)
    return refuse('client_unknown', { reason: 'unknown client', user: maskedName(name) });
  return known ? { client } : refuse('client_unknown', { reason: `wrong secret of ${client.name}` });
}
