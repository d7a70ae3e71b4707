import type { BrowserContext } from '../../core/browser-context.ts';
import { isProgramTicket } from '../../core/gate/program-ticket.ts';
import { answer } from '../../core/operation.ts';
import { Type } from '../../core/schema.ts';
import { signInPage } from './login-view.ts';
import { page, seeOther } from './page.ts';
import { anyReader } from './reader.ts';
import { otherOrigin, returnAddress } from './return-address.ts';

/** What the page needs to which the sign-in leads, as the sign-in page says it. */
function needOf(need: string | undefined) {
  if (need === 'second') return 'needsSecond';
  if (need === 'passkey') return 'needsPasskey';
  return need === 'fresh' ? 'needsFresh' : undefined;
}

/** The page where people sign in (specification, section 18). A browser that is already signed in goes to `return`. */
export default page({
  id: 'org/service/repository/portal/login.get',
  summary: 'Show the sign-in page.',
  method: 'GET',
  paths: ['/login'],
  authentication: 'none',
  input: {
    query: Type.Object({
      return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.', maxLength: 4_096 })),
      again: Type.Optional(
        Type.String({
          description:
            'yes: sign in although the browser is signed in. anew: an identity provider also asks a person who is signed in there.',
        }),
      ),
      user: Type.Optional(Type.String({ description: 'The name that stands in the form.', maxLength: 255 })),
      needs: Type.Optional(
        Type.String({ description: 'second, passkey or fresh: say what the page behind the sign-in needs.' }),
      ),
      done: Type.Optional(Type.String({ description: 'signed-out: say that the sign-out is done.' })),
      languages: Type.Optional(
        Type.String({
          description: 'Languages (BCP 47), the preferred first, with spaces between them.',
          maxLength: 255,
        }),
      ),
    }),
  },
  async perform({ input: { query }, browser, find, languageAmong, store }) {
    const own = browser as BrowserContext;
    const back = returnAddress(query.return, own);
    const lookup = own.ticket === undefined ? undefined : await find(own.ticket);
    // Pages refuse the ticket of a program and lead here: this page must not lead back to them.
    const isSignedIn =
      lookup !== undefined && !('dead' in lookup) && !(await isProgramTicket(store, lookup.ticket));
    if (isSignedIn && query.again === undefined) return seeOther(back);
    const ended = lookup !== undefined && 'dead' in lookup && 'ended';
    const text = signInPage(anyReader({ browser, languageAmong }, query.languages), {
      back,
      username: query.user,
      before: query.done === 'signed-out' ? 'signedOut' : (needOf(query.needs) ?? (ended || undefined)),
      buttons: own.signInButtons?.() ?? [],
      takesPasskeys: own.secondStep?.takesPasskeys(own) ?? false,
      mailsLinks: own.mailsLinks ?? false,
      asksAnew: query.again === 'anew',
      lacksHostName: own.secondStep?.lacksHostName(own) ?? false,
    });
    return answer({ text, formLeadsTo: otherOrigin(back) });
  },
});
