import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Passkey } from '../../../../src/core/domain/passkey.ts';
import type { User } from '../../../../src/core/domain/user.ts';
import { FROM_OWN_PAGE, Visitor } from '../../../faces/pages/browse.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { type AnswerParts, Authenticator } from '../passkeys/authenticator.ts';

/** No passkey works at an IP address. */
export const byName = ({ url }: Pick<TestService, 'url'>) => url.replace('127.0.0.1', 'localhost');

/** A browser with an authenticator in software. */
export class PasskeyVisitor extends Visitor {
  readonly authenticator: Authenticator;

  constructor(service: TestService, authenticator = new Authenticator(byName(service))) {
    super({ url: byName(service) });
    this.authenticator = authenticator;
  }

  /** What the service gives the script of a page for the browser. */
  async options(path: string, fields: Record<string, string> = {}) {
    const response = await this.post(path, fields);
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as {
      readonly challenge: string;
      readonly userVerification?: string;
      readonly user?: { readonly id: string; readonly name: string };
      readonly allowCredentials?: readonly { readonly id: string }[];
      readonly excludeCredentials?: readonly { readonly id: string }[];
    };
  }

  /** What the service gives for a new passkey. */
  async creationOptions() {
    return this.options('/portal/account/passkeys/options', { formToken: await this.formToken() });
  }

  /** Sends the answer of the authenticator for a new passkey. */
  async sendRegistration(name: string, parts: AnswerParts): Promise<Response> {
    const credential = this.authenticator.registered(parts);
    return this.send('/portal/account', '/portal/account/passkeys', { name, credential });
  }

  /** Signs in by password, makes a passkey and signs out. Returns the user handle that the authenticator was given. */
  async makePasskey(username: string, name = 'laptop'): Promise<Buffer> {
    await this.signIn(username);
    const { challenge, user } = await this.creationOptions();
    const made = await this.sendRegistration(name, { challenge });
    assert.equal(made.headers.get('location'), '/portal/account/passkeys?done=added');
    await this.send('/portal/account', '/portal/logout');
    return Buffer.from(user?.id ?? '', 'base64url');
  }

  /** A new challenge for a sign-in with the passkey alone. */
  async challenge(): Promise<string> {
    return (await this.options('/portal/login/passkey-options')).challenge;
  }

  /** Sends the answer of the authenticator for a sign-in with the passkey alone. */
  sendAlone(parts: AnswerParts, headers: Record<string, string> = FROM_OWN_PAGE): Promise<Response> {
    return this.post('/portal/login/passkey', { credential: this.authenticator.signed(parts) }, headers);
  }

  /** Gives the right password, which leads to the second step. */
  async givePassword(username: string): Promise<void> {
    const led = await this.post('/portal/login', { username, password: PASSWORD });
    assert.equal(led.headers.get('location'), '/portal/second-factor');
  }

  /** Sends the answer of the authenticator for the second step. */
  sendStep(parts: AnswerParts): Promise<Response> {
    const credential = this.authenticator.signed(parts);
    return this.post('/portal/second-factor/passkey', { credential, passkeys: 'yes' });
  }
}

/** A service with the user anna, and a browser with a passkey of her, signed out. */
export async function withPasskey(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('anna');
  const visitor = new PasskeyVisitor(service);
  const userHandle = await visitor.makePasskey('anna');
  return { service, visitor, userHandle };
}

/** The user of this name, and the passkeys of that user. */
export async function kept({ store }: TestService, name: string) {
  return store.read(async ({ users, passkeys }): Promise<{ user: User; passkeys: Passkey[] }> => {
    const user = (await users.findByKey(name)) ?? assert.fail(`no user ${name}`);
    return { user, passkeys: await passkeys.ofUser(user.id) };
  });
}

/** Why the last sign-in was refused, as the events say it. */
export async function lastRefusal({ store }: TestService): Promise<string | undefined> {
  const [event] = await store.read(({ events }) => events.latest({ kind: 'login-refused', limit: 1 }));
  return event?.reason;
}
