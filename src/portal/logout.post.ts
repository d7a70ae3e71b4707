import { form, page, seeOther } from './page.ts';

/** Signs out: the ticket ends, and the browser forgets it. */
export default page({
  id: 'org/service/repository/portal/logout.post',
  summary: 'Sign out.',
  method: 'POST',
  paths: ['/logout'],
  authentication: 'user',
  access: 'write',
  input: { body: form({}) },
  async perform({ caller: { held }, store }) {
    const hasEnded = held !== undefined && (await store.tickets.end(held.ticket.digest));
    return seeOther('/portal/login', { cookie: 'none', ...(hasEnded && { ended: held }) });
  },
});
