import type { BrowserContext } from '../../core/browser-context.ts';
import { firstTicket } from '../../core/gate/tickets.ts';
import { NO_FORM } from './kept-form.ts';
import { form, page, seeOther } from './page.ts';
import { NO_PROOF } from './proof.ts';

/** Signs out: the ticket ends, and the browser forgets it. */
export default page({
  id: 'org/service/repository/portal/logout.post',
  summary: 'Sign out.',
  method: 'POST',
  paths: ['/logout'],
  authentication: 'user',
  input: { body: form({}) },
  async perform({ caller: { heldTicket, user }, store, browser }) {
    const hasEnded =
      heldTicket !== undefined &&
      (await store.tickets.end(await firstTicket(store, heldTicket.ticket.digest)));
    const { provider } = (await store.users.find(user.id)) ?? {};
    const signsOut = provider !== undefined && (browser as BrowserContext).signsOutAt?.(provider);
    return seeOther(signsOut ? `/portal/signed-out/${provider}` : '/portal/login?done=signed-out', {
      cookie: 'none',
      cookies: [NO_PROOF, NO_FORM],
      ...(hasEnded && { ended: heldTicket }),
    });
  },
});
