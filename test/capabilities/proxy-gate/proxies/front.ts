import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse } from 'yaml';
import { type Asked, startRepository } from '../../../core/gate/repository.ts';
import { exchange, type Heard, type Sent } from '../../../core/http/scenario.ts';
import { startCaddy, whyNoCaddy } from '../../../service/caddy.ts';
import { freePort } from '../../../service/free-port.ts';
import { startNginx, whyNoNginx } from '../../../service/nginx.ts';
import { PASSWORD, startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';

const FOLDER = new URL('../../../../deploy/in-front-of-alfresco/', import.meta.url);
const fileOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

/** The text with each of these in place of another, which stands in it. */
function withInPlace(text: string, inPlace: Readonly<Record<string, string>>): string {
  return Object.entries(inPlace).reduce((changed, [written, here]) => {
    assert.ok(changed.includes(written), `${written} is in the file`);
    return changed.replaceAll(written, here);
  }, text);
}

/** A proxy as its file in `deploy/` sets it up. */
export interface Front {
  readonly name: string;
  readonly skip: string | false;
  /** What it answers while the gate cannot ask its store, while Tessera is down, and then to a login. */
  readonly whenUnanswered: readonly [store: number, down: number, login: number];
  start(t: TestContext, to: Readonly<Record<string, string>>, port: number, log: string): Promise<string>;
}

export const FRONTS: readonly Front[] = [
  {
    name: 'nginx',
    skip: whyNoNginx() ?? false,
    whenUnanswered: [500, 500, 502],
    start(t, to, port, log) {
      const here = { 'listen 8000': `listen ${port}`, '/dev/stdout': log, '/dev/stderr': log };
      return startNginx(t, withInPlace(fileOf('nginx.conf'), { ...to, ...here }), port);
    },
  },
  {
    name: 'Caddy',
    skip: whyNoCaddy() ?? false,
    whenUnanswered: [503, 502, 502],
    start(t, to, port, log) {
      const site = { 'alfresco.example.org, http://front:8000': `http://127.0.0.1:${port}` };
      const text = withInPlace(fileOf('Caddyfile'), {
        ...site,
        ...to,
        'log {': `log {\n\t\toutput file ${log}`,
      });
      // startCaddy brings global options of its own, and a file has one block of them.
      const [, options = '', sites = ''] = /^\{\n([\s\S]*?)^\}\n([\s\S]*)/m.exec(text) ?? [];
      return startCaddy(t, sites, port, options);
    },
  },
];

export const API = '/alfresco/api/-default-/public';
export const TICKETS = `${API}/authentication/versions/1/tickets`;
export const MIA = 'Mia Müller';

/** A repository behind a real proxy, and Tessera beside it. */
export class Fronted {
  readonly service: TestService;
  readonly url: string;
  /** What reached the repository. */
  readonly asked: Asked[];
  readonly #log: string;

  constructor(service: TestService, url: string, asked: Asked[], log: string) {
    this.service = service;
    this.url = url;
    this.asked = asked;
    this.#log = log;
  }

  /** What the proxy has logged. */
  get log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  ask(line: string, sent: Sent = {}): Promise<Heard> {
    return exchange(this.url, line, sent);
  }

  /** Logs in through the proxy, and returns the ticket. */
  async logIn(userId = MIA, password = PASSWORD): Promise<string> {
    const body = JSON.stringify({ userId, password });
    const { status, text } = await this.ask(`POST ${TICKETS}`, { body });
    assert.equal(status, 201, text);
    return JSON.parse(text).entry.id;
  }

  /** Asks, and checks that the repository got this request as Mia's, without a ticket. */
  async reaches(line: string, sent: Sent, arriving = line): Promise<void> {
    const before = this.asked.length;
    const { status, text } = await this.ask(line, sent);
    assert.deepEqual([status, text], [200, JSON.stringify({ entry: { id: MIA } })], line);
    assert.equal(this.asked.length, before + 1);
    const last = this.asked.at(-1);
    // An empty argument may stay where the ticket was.
    assert.equal(last?.line.replace('?&', '?').replace('&&', '&').replace(/[?&]$/, ''), arriving);
    assert.equal(last.body, sent.body?.toString() ?? '');
    assert.doesNotMatch(JSON.stringify(last), /TICKET_|authorization/i);
  }

  /** Asks, and checks that this is answered and that nothing reached the repository. */
  async stopped(status: number, line: string, sent: Sent = {}): Promise<Heard> {
    const before = this.asked.length;
    const heard = await this.ask(line, sent);
    assert.equal(heard.status, status, `${line} ${heard.text}`);
    assert.equal(this.asked.length, before, line);
    return heard;
  }
}

/** Starts this proxy in front of Tessera at this address, and of a repository. */
export async function frontOf(t: TestContext, front: Front, tessera: string) {
  const { port, asked } = await startRepository(t);
  const to = { 'tessera:8080': tessera, 'alfresco:8080': `127.0.0.1:${port}` };
  const log = join(await temporaryFolder(t), 'log');
  writeFileSync(log, '');
  return { url: await front.start(t, to, await freePort(), log), asked, log };
}

/** Starts this proxy in front of Tessera, with the settings of compose.yaml and the user Mia, and of a repository. */
export async function startFront(t: TestContext, front: Front): Promise<Fronted> {
  const { environment } = parse(fileOf('compose.yaml')).services.tessera;
  const { TESSERA_ADMIN_PASSWORD_FILE: _, ...settings } = environment;
  const service = await startTestService(t, { ...settings, TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  await service.addUser(MIA);
  const { url, asked, log } = await frontOf(t, front, new URL(service.url).host);
  return new Fronted(service, url, asked, log);
}
