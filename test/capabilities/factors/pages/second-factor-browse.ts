import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { Visitor, valueOn } from '../../../faces/pages/browse.ts';
import { onlyElement, textOf } from '../../../faces/pages/markup.ts';
import { PASSWORD, type TestService } from '../../../service/start.ts';

/** The pages of the second factor. */
export const STEP = '/portal/second-factor';
export const APP = '/portal/account/second-factor/app';

/** The code that an app with this key (base32) shows at this time, in epoch milliseconds. */
export const codeAt = (key: string, at: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: at });

/** The key and the sealed secret on a page that registers an app. */
export function appOn(text: string): { readonly key: string; readonly sealed: string } {
  const key = textOf(onlyElement(text, 'code')).replaceAll(' ', '');
  const sealed = valueOn(text, 'sealed') || assert.fail(text);
  assert.match(key, /^[A-Z2-7]+$/);
  return { key, sealed };
}

/** The recovery codes on a page. */
export const codesOn = (text: string): string[] => text.match(/\b[0-9a-f]{4}(-[0-9a-f]{4}){6}\b/g) ?? [];

/** Registers an app for a visitor who is signed in, by a code of this time. */
export async function registerApp(
  visitor: Visitor,
  now: number,
): Promise<{ readonly key: string; readonly codes: readonly string[] }> {
  const { key, sealed } = appOn(await (await visitor.get(APP)).text());
  const response = await visitor.send(APP, APP, { sealed, code: codeAt(key, now) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return { key, codes: codesOn(text) };
}

/** A user with an authenticator app. The clock of the service stands still. */
export async function withApp(service: TestService, name = 'anna') {
  const start = Date.now();
  service.stopClock();
  await service.addUser(name);
  const visitor = new Visitor(service);
  await visitor.signIn(name);
  const { key, codes } = await registerApp(visitor, start);
  let shifted = 0;
  return {
    visitor,
    key,
    codes,
    /** The time of the service, in epoch milliseconds. */
    now: () => start + shifted,
    /** The code that the app shows now. */
    code: () => codeAt(key, start + shifted),
    /** Lets this time pass, in milliseconds. */
    pass(by: number) {
      shifted += by;
      service.shiftClock(by);
    },
    /** A new browser that has given the right password, and waits for the second factor. */
    async atSecondStep(back = '/portal/account') {
      const other = new Visitor(service);
      const response = await other.post('/portal/login', {
        ...{ username: name, password: PASSWORD, return: back },
      });
      assert.deepEqual([response.status, response.headers.get('location')], [303, STEP]);
      return other;
    },
  };
}
