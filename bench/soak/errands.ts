import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import * as oidc from 'openid-client';
import { RelyingParty } from '../../test/capabilities/oidc-provider/relying-party.ts';
import { askScim, bearer, patchOf } from '../../test/capabilities/scim/scim.ts';
import { Visitor } from '../../test/faces/pages/browse.ts';
import { nameOf, PASSWORD } from '../seeding/tickets.ts';

/** What the errands need to know of the service. */
export interface Surroundings {
  /** The addresses of the instances, two at least. */
  readonly urls: readonly string[];
  readonly keys: Readonly<Record<'scim' | 'auditor' | 'administrator', string>>;
  /** The secret of the application. */
  readonly secret: string;
  /** The newest link that each address was sent. */
  readonly links: ReadonlyMap<string, string>;
  /** Names of administrators, one for each browser with the console. */
  readonly administrators: readonly string[];
}

/** Milliseconds from the begin of one round to that of the next. */
const EVERY = { console: 1_000, stream: 20_000, person: 4_000, application: 2_000 };
/** Pages that a browser opens before it signs out and in again. */
const PAGES_OF_A_SIGN_IN = 120;
/** Milliseconds that a mail may take. */
const MAIL_DEADLINE = 30_000;
const TEAMS = 5;
const USERS = 2_000;
const CHOOSE = '/portal/choose-password';
const APP_PASSWORDS = '/portal/account/app-passwords';

const PAGES = [
  '/portal/console',
  '/portal/console/users',
  '/portal/console/users?search=user-1',
  '/portal/console/users/user-7',
  '/portal/console/groups',
  '/portal/console/events',
  '/portal/console/tickets',
  '/portal/console/lock-outs',
  '/portal/console/applications',
  '/portal/console/settings',
  '/portal/console/downloads/users?format=csv',
  '/portal/account',
];

async function expect(status: number, name: string, answer: Promise<Response>): Promise<string> {
  const response = await answer;
  const text = await response.text();
  assert.equal(response.status, status, `${name} is answered ${response.status}: ${text.slice(0, 200)}`);
  return text;
}

/** What people and programs do beside the mix, each on its own clock: each round goes through both instances. */
export class Errands {
  /** Whole rounds by the name of their errand. */
  readonly counts: Record<string, number> = {};
  /** The first rounds that went wrong. */
  readonly faults: string[] = [];
  faulty = 0;
  readonly #around: Surroundings;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>[] = [];

  constructor(around: Surroundings) {
    this.#around = around;
  }

  start(): void {
    const { administrators, keys } = this.#around;
    for (const [at, name] of administrators.entries()) {
      this.#repeat('console page', EVERY.console, this.#console(name, at));
      this.#repeat('live tail of the console', EVERY.stream, (round) => this.#tail(name, at + round));
    }
    this.#repeat('stream of events', EVERY.stream, (round) =>
      this.#listen(`${this.#url(round)}/api/admin/events/stream`, bearer(keys.auditor)),
    );
    this.#repeat('person from SCIM to the end', EVERY.person, (round) => this.#person(round));
    this.#repeat('sign-in at an application', EVERY.application, (round) => this.#application(round));
  }

  /** Ends after the rounds that are under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #url(number: number): string {
    const { urls } = this.#around;
    return urls[number % urls.length] as string;
  }

  #repeat(name: string, every: number, work: (round: number) => Promise<void>): void {
    this.counts[name] ??= 0;
    const { signal } = this.#stopping;
    const loop = async () => {
      for (let round = 0; !signal.aborted; round += 1) {
        const began = performance.now();
        try {
          await work(round);
          this.counts[name] = (this.counts[name] ?? 0) + 1;
        } catch (error) {
          this.faulty += 1;
          if (this.faults.length < 20)
            this.faults.push(`${new Date().toISOString()} ${name}: ${(error as Error).stack?.slice(0, 600)}`);
        }
        const rest = every - (performance.now() - began);
        if (rest > 0) await pause(rest, undefined, { signal }).catch(() => undefined);
      }
    };
    this.#running.push(loop());
  }

  /** A browser with the console: opens one page after the other, and signs out and in at times. */
  #console(name: string, at: number): (round: number) => Promise<void> {
    let visitor: Visitor | undefined;
    return async (round) => {
      if (visitor === undefined) {
        const browser = new Visitor({ url: this.#url(at + Math.floor(round / PAGES_OF_A_SIGN_IN)) });
        await browser.signIn(name, PASSWORD);
        visitor = browser;
      }
      const page = PAGES[round % PAGES.length] as string;
      await expect(200, page, visitor.get(page));
      if (round % PAGES_OF_A_SIGN_IN !== PAGES_OF_A_SIGN_IN - 1) return;
      await expect(303, 'the sign-out', visitor.send('/portal/account', '/portal/logout'));
      visitor = undefined;
    };
  }

  /** A browser that has the list of events open for a while, with its rows as they happen. */
  async #tail(name: string, at: number): Promise<void> {
    const visitor = new Visitor({ url: this.#url(at) });
    await visitor.signIn(name, PASSWORD);
    const cookie = [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    await this.#listen(`${this.#url(at)}/portal/console/events/stream`, { cookie });
    await expect(303, 'the sign-out', visitor.send('/portal/account', '/portal/logout'));
  }

  /** Reads a stream for a while. It has to bring something. */
  async #listen(url: string, headers: Record<string, string>): Promise<void> {
    const response = await fetch(url, { headers });
    assert.equal(response.status, 200, `the stream is answered ${response.status}`);
    const end = setTimeout(() => reader?.cancel(), EVERY.stream - 2_000);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let messages = 0;
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      messages += part.value.split('data:').length - 1;
    }
    clearTimeout(end);
    assert.ok(messages > 0, 'the stream brought nothing');
  }

  /** A person who is provisioned, invited by mail, signs in, and leaves. */
  async #person(round: number): Promise<void> {
    const { keys } = this.#around;
    const [one, other] = [this.#url(round), this.#url(round + 1)];
    const userName = `person-${round}`;
    const email = `${userName}@example.org`;
    const scim = async (url: string, what: string, status: number, body?: unknown) => {
      const answer = await askScim(url, what, body, bearer(keys.scim));
      assert.equal(
        answer.status,
        status,
        `${what} is answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
      return answer.body;
    };
    const name = { givenName: 'Nora', familyName: `Berg ${round}` };
    const { id } = await scim(one, 'POST /Users', 201, {
      userName,
      externalId: `x-${round}`,
      name,
      emails: [{ value: email }],
    });
    const team = await this.#team(round, scim);
    await scim(
      other,
      `PATCH /Groups/${team}`,
      204,
      patchOf({ op: 'add', path: 'members', value: [{ value: id }] }),
    );
    await this.#invite(other, userName);
    await this.#useAccount(userName, await this.#mailed(email), one, other);
    const found = await scim(other, `GET /Users?filter=userName eq "${userName}"`, 200);
    assert.equal(found.totalResults, 1);
    await scim(
      one,
      `PATCH /Users/${id}`,
      200,
      patchOf({ op: 'replace', path: 'title', value: `Title ${round}` }),
    );
    await scim(other, `PATCH /Users/${id}`, 200, patchOf({ op: 'replace', path: 'active', value: false }));
    await scim(one, `GET /Groups/${team}`, 200);
    await scim(one, `DELETE /Users/${id}`, 204);
  }

  /** The id of one of a few groups, which is made anew at times. */
  async #team(
    round: number,
    scim: (
      url: string,
      what: string,
      status: number,
      body?: unknown,
    ) => Promise<{ id: string; Resources: { id: string }[] }>,
  ): Promise<string> {
    const displayName = `Team ${round % TEAMS}`;
    const url = this.#url(round);
    const { Resources } = await scim(url, `GET /Groups?filter=displayName eq "${displayName}"`, 200);
    const [team] = Resources;
    if (team !== undefined && round % (TEAMS * 10) >= TEAMS) return team.id;
    if (team !== undefined) await scim(url, `DELETE /Groups/${team.id}`, 204);
    return (await scim(url, 'POST /Groups', 201, { displayName })).id;
  }

  async #invite(url: string, userName: string): Promise<void> {
    const headers = { ...bearer(this.#around.keys.administrator), 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ userName }) };
    await expect(200, 'the invitation', fetch(`${url}/api/admin/invitations`, init));
  }

  async #mailed(address: string): Promise<string> {
    for (const end = performance.now() + MAIL_DEADLINE; performance.now() < end; await pause(100)) {
      const link = this.#around.links.get(address);
      if (link !== undefined) return link;
    }
    throw new Error(`no mail to ${address}`);
  }

  /** Chooses a password by the link, signs in with it, makes an app password and removes it, and signs out. */
  async #useAccount(username: string, link: string, one: string, other: string): Promise<void> {
    const newPassword = 'four quiet rivers meeting';
    await expect(303, 'the new password', new Visitor({ url: one }).send(link, CHOOSE, { newPassword }));
    const visitor = new Visitor({ url: other });
    await visitor.signIn(username, newPassword);
    const device = { name: 'telephone' };
    await expect(
      200,
      'an app password',
      visitor.send(`${APP_PASSWORDS}/add`, `${APP_PASSWORDS}/add`, device),
    );
    const question = `${APP_PASSWORDS}/remove?${new URLSearchParams(device)}`;
    await expect(303, 'its removal', visitor.send(question, `${APP_PASSWORDS}/remove`));
    await expect(303, 'the sign-out', visitor.send('/portal/account', '/portal/logout'));
  }

  /** A sign-in at the application by code, its tokens used at both instances, and half of the time a sign-out. */
  async #application(round: number): Promise<void> {
    const [one, other] = await Promise.all([this.#party(round), this.#party(round + 1)]);
    const visitor = one.visitor();
    let tokens: oidc.TokenEndpointResponse = await one.signIn(visitor, {}, nameOf(round % USERS));
    for (const party of [other, one, other]) {
      tokens = await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '');
      await oidc.fetchUserInfo(party.configuration, tokens.access_token, oidc.skipSubjectCheck);
      const { active } = await oidc.tokenIntrospection(party.configuration, tokens.access_token);
      assert.ok(active, 'a new access token is not active');
    }
    if (round % 2 === 0) return;
    await expect(303, 'the sign-out', visitor.send('/portal/account', '/portal/logout'));
    const ended = await oidc.tokenIntrospection(other.configuration, tokens.access_token);
    assert.ok(!ended.active, 'an access token outlives the sign-out');
  }

  readonly #parties = new Map<string, Promise<RelyingParty>>();

  #party(round: number): Promise<RelyingParty> {
    const url = this.#url(round);
    let party = this.#parties.get(url);
    if (party === undefined) {
      party = RelyingParty.discover({ url }, 'app', oidc.ClientSecretBasic(this.#around.secret));
      this.#parties.set(url, party);
    }
    return party;
  }
}
