import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { WrittenRule } from '../../../../src/capabilities/proxy-gate/rules/document.ts';
import { exchange, type Heard } from '../../../core/http/scenario.ts';
import { startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { bearer } from './asking.ts';

/** A service with rules of the gate. Mia is in the group editors, which is in the group staff; Ben is in none. */
export interface Ruled {
  readonly service: TestService;
  /** The path of the document of the rules. */
  readonly file: string;
  readonly tickets: Readonly<Record<'mia' | 'ben', string>>;
  /** Writes other rules. The service does not load them by this. */
  write(...rules: readonly WrittenRule[]): void;
  /** What Caddy or Traefik is told about the request `METHOD host/path` of a caller. */
  ask(what: string, caller?: 'mia' | 'ben', headers?: Record<string, string>): Promise<Heard>;
  /** The statuses of such requests, by them. */
  statuses(requests: readonly string[], caller?: 'mia' | 'ben'): Promise<Record<string, number>>;
}

/** The headers with which Traefik and Caddy tell of a request. */
export function forwarded(what: string): Record<string, string> {
  const [method = '', url = ''] = what.split(' ');
  const slash = url.indexOf('/');
  return {
    'X-Forwarded-Method': method,
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': url.slice(0, slash),
    'X-Forwarded-Uri': url.slice(slash),
  };
}

async function addGroups({ store }: TestService): Promise<void> {
  await store.write(async ({ users, groups }) => {
    const [editors, staff] = await Promise.all(
      ['editors', 'staff'].map((name) => groups.add({ name, key: name, displayName: name, role: undefined })),
    );
    const mia = await users.findByKey('mia');
    if (editors === undefined || staff === undefined || mia === undefined) throw new Error('not added');
    await groups.addUser(editors.id, mia.id);
    await groups.addGroup(staff.id, editors.id);
  });
}

export async function startRuled(
  t: TestContext,
  rules: readonly WrittenRule[],
  env: Record<string, string> = {},
): Promise<Ruled> {
  const file = join(await temporaryFolder(t), 'rules.json');
  const write = (...written: readonly WrittenRule[]) =>
    writeFileSync(file, JSON.stringify({ rules: written }));
  write(...rules);
  const proxy = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri' };
  const service = await startTestService(t, { ...proxy, TESSERA_GATE_RULES: file, ...env });
  for (const name of ['mia', 'ben']) await service.addUser(name);
  await addGroups(service);
  const tickets = { mia: await logIn(service.url, 'mia'), ben: await logIn(service.url, 'ben') };
  const ask: Ruled['ask'] = (what, caller, headers) =>
    exchange(service.url, 'GET /gate', {
      headers: { ...forwarded(what), ...(caller && bearer(tickets[caller])), ...headers },
    });
  const statuses: Ruled['statuses'] = async (requests, caller) => {
    const heard: Record<string, number> = {};
    for (const what of requests) heard[what] = (await ask(what, caller)).status;
    return heard;
  };
  return { service, file, tickets, write, ask, statuses };
}
