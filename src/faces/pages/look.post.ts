import type { BrowserContext } from '../../core/browser-context.ts';
import { Type } from '../../core/schema.ts';
import { page, seeOther } from './page.ts';
import { LANGUAGE, THEME } from './reader.ts';
import { ownAddress } from './return-address.ts';

const YEAR = 365 * 24 * 60 * 60;

/** Keeps the language or the theme that a reader chose in a cookie of the browser, and leads back to the page. */
export default page({
  id: 'org/service/repository/portal/look.post',
  summary: 'Choose language or theme.',
  method: 'POST',
  paths: ['/look'],
  authentication: 'none',
  access: 'read',
  input: {
    body: Type.Object({
      language: Type.Optional(Type.String({ description: 'The language.', maxLength: 8 })),
      theme: Type.Optional(
        Type.String({ description: 'light, dark, or the one of the device.', maxLength: 8 }),
      ),
    }),
  },
  perform({ input: { body }, browser }) {
    const own = browser as BrowserContext;
    const chosen = { [LANGUAGE]: body.language, [THEME]: body.theme === 'device' ? 'none' : body.theme };
    const cookies = Object.entries(chosen).flatMap(([name, value]) =>
      value !== undefined && /^[a-z]+$/.test(value) ? [{ name, value, maxAge: YEAR }] : [],
    );
    return seeOther(ownAddress(own.cameFrom, own), { cookies });
  },
});
