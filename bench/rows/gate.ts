import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compared, type Side } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { type Aim, atLeast } from '../report/aim.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const DRAWS = 100_000;
const RULES = 1_000;
const HOSTS = 20;

const hostOf = (number: number) => `host-${number % HOSTS}.example.org`;

/** Rules for the paths of many services on several hosts. Each lets every user through. */
function writeRules({ folder }: Bench): string {
  const rules = Array.from({ length: RULES }, (_, number) => ({
    host: hostOf(number),
    path: `/service-${number}/pages`,
    allow: 'signed-in',
  }));
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify({ rules }));
  return file;
}

/** Requests of users to pages of these services, as Caddy and Traefik ask about them. */
function requests({ folder, tickets }: Bench, round: number): string {
  const draw = zipf(tickets, WORKING_SET);
  const all = Array.from({ length: DRAWS }, (_, at): Request => {
    const number = draw(`round ${round}`, at);
    const headers = {
      Authorization: `Bearer ${ticketOf(number)}`,
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': hostOf(number % RULES),
      'X-Forwarded-Uri': `/service-${number % RULES}/pages/${at}?q=1`,
    };
    return { method: 'GET', path: '/gate', headers };
  });
  return writeRequests(join(folder, 'gate'), all);
}

const PROXY = {
  TESSERA_LOG_LEVEL: 'warn',
  TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri',
};

/** Compares the gate with these settings with the plain gate, which has no rules and tells nothing but the user. */
async function against(bench: Bench, name: string, ours: object, plain: object, aim?: Aim): Promise<Line> {
  await using one = await startTessera(await bench.dataFolder(), { ...PROXY, ...ours });
  await using other = await startTessera(await bench.dataFolder(), { ...PROXY, ...plain });
  const side =
    (server: Server): Side =>
    (round, seconds) =>
      load(server, { requests: requests(bench, round), connections: CONNECTIONS, seconds });
  return await compared(bench, { name, ...(aim && { aim }) }, side(one), side(other));
}

/** Compares the gate with a thousand rules with the gate without rules. */
export const gate: Row = {
  name: 'gate',
  async measure(bench) {
    const rules = { TESSERA_GATE_RULES: writeRules(bench) };
    const none = { TESSERA_GATE_DETAILS: '' };
    return [
      await against(
        bench,
        `gate with ${RULES.toLocaleString('en')} rules against none`,
        rules,
        {},
        atLeast(0.9),
      ),
      await against(bench, 'gate that tells groups, e-mail and name against one that does not', {}, none),
    ];
  },
};
