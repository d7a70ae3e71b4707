import { Type } from '../../core/schema.ts';
import { refusedSignIn } from './login-view.ts';
import { page } from './page.ts';
import { signIn } from './sign-in.ts';

/** Signs in (specification, section 17): a new ticket at every sign-in, and the one that the browser had ends. */
export default page({
  id: 'org/service/repository/portal/login.post',
  summary: 'Sign in.',
  method: 'POST',
  paths: ['/login'],
  authentication: 'none',
  takesPassword: 'body',
  input: {
    body: Type.Object({
      username: Type.String({ refusal: 'username_missing', description: 'User name.' }),
      password: Type.Optional(Type.String({ description: 'Password.' })),
      return: Type.Optional(Type.String({ description: 'Where to go after the sign-in.' })),
    }),
  },
  refusedHtml: refusedSignIn,
  prepare: ({ input: { body }, passwords }) => passwords.checkOnPage(body.username, body.password),
  perform: ({ input: { body }, prepared, ...context }) => signIn(context, prepared, body.return),
});
