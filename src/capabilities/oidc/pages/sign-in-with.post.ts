import type { BrowserContext } from '../../../core/browser-context.ts';
import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { leadingPage } from '../../../faces/pages/leading-page.ts';
import { page } from '../../../faces/pages/page.ts';
import { anyReader } from '../../../faces/pages/reader.ts';
import { returnAddress } from '../../../faces/pages/return-address.ts';
import type { StartedSignIn } from '../sign-in-provider.ts';
import { attemptCookie } from './attempt.ts';

/** A page whose form leads to the portal at its own host, if that is set and not this one. */
interface OtherPortal {
  readonly portal: string;
}

/** Begins a sign-in at an identity provider (specification, section 22), by a form, so that no page of another site begins one. */
export default page({
  id: 'org/service/repository/portal/sign-in-with.post',
  summary: 'Begin a sign-in at an identity provider.',
  method: 'POST',
  paths: ['/sign-in-with/{provider}'],
  authentication: 'none',
  access: 'read',
  input: {
    path: Type.Object({ provider: Type.String({ description: 'Id of the provider.' }) }),
    body: Type.Object({
      return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.' })),
      again: Type.Optional(
        Type.String({ description: 'yes: the provider also asks a person who is signed in there.' }),
      ),
    }),
  },
  async prepare({
    input: { path, body },
    browser,
  }): Promise<StartedSignIn | OtherPortal | ReturnType<typeof refuse>> {
    const { keepsCookie, origin, providers } = browser as BrowserContext;
    if (!keepsCookie) return refuse('cookie_impossible');
    // The provider sends the browser back to one host alone, and only this host has the cookie then.
    // A proxy may write the usual port, which no address of a browser has.
    const own = new URL(origin).origin;
    const { portalUrl = own } = providers;
    if (portalUrl !== own) return { portal: portalUrl };
    const redirectUri = `${portalUrl}/portal/signed-in/${path.provider}`;
    const begun = await providers.signInAt(path.provider)?.begin(redirectUri, body.again === 'yes');
    return begun ?? refuse('provider_not_found');
  },
  perform({ input: { path, body }, prepared, browser, languageAmong }) {
    const own = browser as BrowserContext;
    const reader = anyReader({ browser, languageAmong });
    const back = returnAddress(body.return, own);
    if ('portal' in prepared) {
      const query = new URLSearchParams({ return: new URL(back, own.origin).href });
      const address = `${prepared.portal}/portal/login?${query}`;
      return answer({ text: leadingPage(reader, { name: new URL(address).host, address }) });
    }
    if (isRefusal(prepared)) return prepared;
    const { name, address, attempt } = prepared;
    return answer(
      { text: leadingPage(reader, { name, address }) },
      { cookies: [attemptCookie(own, { ...attempt, provider: path.provider, back })] },
    );
  },
});
