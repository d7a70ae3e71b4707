import type { BrowserContext } from '../../../core/browser-context.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { leadingPage } from '../../../faces/pages/leading-page.ts';
import { page, seeOther } from '../../../faces/pages/page.ts';
import { anyReader } from '../../../faces/pages/reader.ts';

const SIGN_IN = '/portal/login';

/** Leads a browser that has signed out here to the sign-out of its identity provider, and from there to the sign-in page. */
export default page({
  id: 'org/service/repository/portal/signed-out.get',
  summary: 'Sign out at the identity provider, too.',
  method: 'GET',
  paths: ['/signed-out/{provider}'],
  authentication: 'none',
  input: {
    path: Type.Object({ provider: Type.String({ description: 'Id of the provider.' }) }),
  },
  async prepare({ input: { path }, browser }) {
    const { origin, providers } = browser as BrowserContext;
    const back = `${providers.portalUrl ?? origin}${SIGN_IN}`;
    return providers.signInAt(path.provider)?.signOutAddress(back);
  },
  perform({ prepared, browser, languageAmong }) {
    if (prepared === undefined) return seeOther(SIGN_IN);
    const reader = anyReader({ browser, languageAmong });
    return answer({ text: leadingPage(reader, { ...prepared, done: reader.say('signOut.done') }) });
  },
});
