import { isRefusal } from '../domain/refusal.ts';
import { Type } from '../schema.ts';
import { refusedSignIn } from './login-view.ts';
import { page, seeOther } from './page.ts';
import { returnAddress } from './return-address.ts';

/** Signs in (`people.md` section 17): a new ticket at every sign-in, and the one that the browser had ends. */
export default page({
  id: 'org/service/repository/portal/login.post',
  summary: 'Sign in.',
  method: 'POST',
  paths: ['/login'],
  authentication: 'none',
  access: 'write',
  takesPassword: 'body',
  input: {
    body: Type.Object({
      username: Type.String({ refusal: 'username_missing', description: 'User name.' }),
      password: Type.Optional(Type.String({ description: 'Password.' })),
      return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.' })),
    }),
  },
  refusedHtml: refusedSignIn,
  prepare: ({ input: { body }, passwords }) => passwords.check(body.username, body.password),
  async perform({ input: { body }, prepared, browser, find, issue, store }) {
    const own = browser as NonNullable<typeof browser>;
    const back = returnAddress(body.return, own);
    const issued = await issue(prepared);
    if (isRefusal(issued)) return issued;
    const before = own.ticket === undefined ? undefined : await find(own.ticket);
    if (before !== undefined && !('dead' in before)) await store.tickets.end(before.ticket.digest);
    return seeOther(back, { issued: issued.issued, cookie: issued.value.ticket });
  },
});
