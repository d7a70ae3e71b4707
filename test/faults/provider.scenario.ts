import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import * as oidc from 'openid-client';
import { newUser } from '../../src/core/domain/user.ts';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import {
  addApplication,
  type Begun,
  goThrough,
  PROVIDER,
  RelyingParty,
} from '../capabilities/oidc-provider/relying-party.ts';
import { Visitor } from '../faces/pages/browse.ts';
import { History, type Operation } from '../histories/record.ts';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { openPostgres } from '../service/stores.ts';
import { type Fleet, type Instance, startFleet } from './fleet.ts';
import { SECONDS } from './length.ts';
import { DURABLE } from './on-postgres.ts';
import { assertExplained } from './verdict.ts';

const test = await testsOnOwnPostgres(...DURABLE);

const USERS = Array.from({ length: 8 }, (_, number) => `user-${number}`);
const REFUSED = { error: 'invalid_grant', status: 400 };

/** Two instances, and the application at each of them. */
interface Pair {
  readonly fleet: Fleet;
  at(instance: Instance): Promise<RelyingParty>;
}

async function startPair(t: TestContext, url: string): Promise<Pair> {
  const keys = join(await temporaryFolder(t), 'keys');
  writeFileSync(keys, randomBytes(32).toString('hex'), { mode: 0o600 });
  const settings = {
    ...PROVIDER,
    TESSERA_PORTAL: 'true',
    TESSERA_DATABASE: url,
    TESSERA_SECRET_KEYS_FILE: keys,
    TESSERA_THROTTLE_KEY_FILE: keys,
  };
  const fleet = await startFleet(t, ['A', 'B'], () => settings);
  const store = await openPostgres(url);
  const passwordHash = await hashPassword(PASSWORD, { memory: 8, passes: 1, lanes: 1 });
  await store.write(async ({ users }) => {
    for (const name of USERS) await users.add(newUser(name, { namesCaseSensitive: false, passwordHash }));
  });
  const secret = await addApplication({ store }, 'app', { trusted: true, accessTokens: 'opaque' });
  await store.close();
  const authentication = oidc.ClientSecretBasic(secret);
  return {
    fleet,
    at: ({ line }) => RelyingParty.discover({ url: line.url }, 'app', authentication),
  };
}

/** Signs in at an instance, up to the code. */
async function codeAt(instance: Instance, application: RelyingParty, user: string) {
  const visitor = new Visitor({ url: instance.line.url });
  const begun = await application.begin();
  return { visitor, begun, callback: await goThrough(visitor, begun.path, user) };
}

/** The tokens of an answer, whether it was yes; the store or the instance may be away. */
async function tokensOf(
  answer: Promise<oidc.TokenEndpointResponse>,
): Promise<oidc.TokenEndpointResponse | 'no'> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { error?: string }).error === 'invalid_grant') return 'no';
    throw error;
  }
}

const isActive = async (application: RelyingParty, token: string) =>
  (await oidc.tokenIntrospection(application.configuration, token)).active;

test('kill -9 between code and token: the other instance takes the code, which is good once', async (t, server) => {
  const { fleet, at } = await startPair(t, await server.freshDatabase());
  const rounds = Math.max(2, Math.floor(SECONDS / 5));
  for (let round = 0; round < rounds; round++) {
    const [first, other] = round % 2 === 0 ? fleet.instances : fleet.instances.toReversed();
    assert.ok(first !== undefined && other !== undefined);
    const { begun, callback } = await codeAt(first, await at(first), 'user-0');
    await first.kill();
    const [application] = await Promise.all([at(other), first.start()]);
    const tokens = await application.tokensFor(callback, begun);
    const again = await at(first);
    assert.ok(await isActive(again, tokens.access_token));
    await assert.rejects(again.tokensFor(callback, begun), REFUSED);
    // The second use of a code ends what the first one gave (RFC 6749 section 4.1.2).
    assert.equal(await isActive(application, tokens.access_token), false);
    await assert.rejects(oidc.refreshTokenGrant(again.configuration, tokens.refresh_token ?? ''), REFUSED);
  }
  t.diagnostic(`${rounds} instances killed between code and token`);
});

/** A browser that is signed in, and what the application got of it. */
interface SignedIn {
  readonly visitor: Visitor;
  readonly ticket: string;
  readonly callback: string;
  readonly begun: Begun;
  /** The instance at which it signed in. */
  readonly place: string;
}

/** One client of the load: what it does is in the history, or is judged at once. */
class Client {
  readonly counts = { codes: 0, refreshes: 0, refused: 0, logOuts: 0, twice: 0, noGrant: 0 };
  readonly #history: History;
  readonly #user: string;
  readonly #places: readonly (readonly [Instance, RelyingParty])[];

  constructor(history: History, user: string, places: readonly (readonly [Instance, RelyingParty])[]) {
    this.#history = history;
    this.#user = user;
    this.#places = places;
  }

  #call(operation: Operation & { readonly place: string }) {
    return this.#history.call({ client: this.#user, ...operation });
  }

  /** Signs in at one instance and takes tokens at the other; then a log-out there, or a second use of the code. */
  async round(number: number): Promise<void> {
    const [one, other] = number % 2 === 0 ? this.#places : this.#places.toReversed();
    if (one === undefined || other === undefined) return;
    const login = this.#call({ act: 'login', user: this.#user, place: one[0].name });
    const { visitor, begun, callback } = await codeAt(one[0], one[1], this.#user);
    const ticket = visitor.cookies.get('tessera') ?? assert.fail('the browser has no ticket');
    login.returned('yes', ticket);
    this.counts.codes += 1;
    if (number % 4 < 2) await this.#useTwice(callback, begun);
    else await this.#logOut({ visitor, ticket, callback, begun, place: one[0].name }, other);
  }

  /** Uses a code at both instances at once. */
  async #useTwice(callback: string, begun: Begun): Promise<void> {
    const uses = this.#places.map(([, application]) => tokensOf(application.tokensFor(callback, begun)));
    const granted = (await Promise.all(uses)).filter((use) => use !== 'no');
    assert.ok(granted.length <= 1, 'a code was exchanged twice');
    this.counts.twice += 1;
    if (granted.length === 0) this.counts.noGrant += 1;
    for (const { access_token, refresh_token = '' } of granted)
      for (const [, application] of this.#places) {
        assert.equal(await isActive(application, access_token), false);
        await assert.rejects(oidc.refreshTokenGrant(application.configuration, refresh_token), REFUSED);
      }
  }

  /** A use of the ticket by the application: it finds it live, or does not. */
  async #using(place: Instance, ticket: string, use: () => Promise<oidc.TokenEndpointResponse>) {
    const call = this.#call({ act: 'validate', ticket, place: place.name });
    const tokens = await tokensOf(use());
    call.returned(tokens === 'no' ? 'no' : 'yes');
    return tokens;
  }

  /** Refreshes at one instance while the browser logs out at the other, and once more when it has. */
  async #logOut(
    { visitor, ticket, callback, begun, place: signedInAt }: SignedIn,
    [place, application]: readonly [Instance, RelyingParty],
  ): Promise<void> {
    let tokens = await this.#using(place, ticket, () => application.tokensFor(callback, begun));
    const refresh = async () => {
      if (tokens === 'no') return;
      const { refresh_token = '' } = tokens;
      this.counts.refreshes += 1;
      tokens = await this.#using(place, ticket, () =>
        oidc.refreshTokenGrant(application.configuration, refresh_token),
      );
      if (tokens === 'no') this.counts.refused += 1;
    };
    const leave = async () => {
      const call = this.#call({ act: 'log-out', ticket, place: signedInAt });
      const { status } = await visitor.send('/portal/account', '/portal/logout');
      assert.equal(status, 303);
      call.returned('yes');
      this.counts.logOuts += 1;
    };
    await Promise.all([leave(), refresh().then(refresh)]);
    await refresh();
  }
}

test('codes used twice at once give one grant at most, and an order explains log-outs and refreshes', async (t, server) => {
  const { fleet, at } = await startPair(t, await server.freshDatabase());
  const places = await Promise.all(
    fleet.instances.map(async (instance) => [instance, await at(instance)] as const),
  );
  const history = new History();
  const clients = USERS.map((user) => new Client(history, user, places));
  const until = performance.now() + SECONDS * 1_000;
  const load = async (client: Client) => {
    for (let number = 0; number < 4 || performance.now() < until; number++) await client.round(number);
  };
  await Promise.all(clients.map(load));
  const total = (what: keyof Client['counts']) => clients.reduce((sum, { counts }) => sum + counts[what], 0);
  t.diagnostic(
    `${total('codes')} codes, ${total('twice')} used twice at once (${total('noGrant')} of them without a grant), ${total('logOuts')} log-outs, ${total('refreshes')} refreshes (${total('refused')} refused)`,
  );
  assertExplained(t, history);
  assert.equal(total('refused'), total('logOuts'));
});
