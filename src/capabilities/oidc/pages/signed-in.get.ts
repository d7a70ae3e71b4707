import type { BrowserContext } from '../../../core/browser-context.ts';
import type { ExternalPerson } from '../../../core/domain/external-identity.ts';
import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { maskedName } from '../../../core/domain/user.ts';
import type { Verified } from '../../../core/identity/passwords.ts';
import { Type } from '../../../core/schema.ts';
import { page } from '../../../faces/pages/page.ts';
import { proofCookie } from '../../../faces/pages/proof.ts';
import { returnAddress } from '../../../faces/pages/return-address.ts';
import { signIn, signInNow } from '../../../faces/pages/sign-in.ts';
import { provisionExternalUserIn } from '../../people/rules/external-users.ts';
import { ATTEMPT_LIFETIME, attemptOf, NO_ATTEMPT } from './attempt.ts';

const OUTDATED = refuse('sign_in_outdated', { reason: 'this browser has begun no sign-in at the provider' });

function notAdmitted({ name, provider }: ExternalPerson, why: string) {
  const more = { user: maskedName(name), reason: `${provider}: ${why}` };
  return refuse(why.startsWith('the name of ') ? 'name_of_another' : 'user_not_admitted', more);
}

/**
 * Takes the answer of an identity provider (OpenID Connect Core 1.0 section 3.1.2.5), only in the browser whose cookie shows that it
 * began this sign-in.
 */
export default page({
  id: 'org/service/repository/portal/signed-in.get',
  summary: 'Sign in with the answer of an identity provider.',
  method: 'GET',
  paths: ['/signed-in/{provider}'],
  authentication: 'none',
  access: 'write',
  takesPassword: 'provider',
  input: {
    path: Type.Object({ provider: Type.String({ description: 'Id of the provider.' }) }),
    query: Type.Object({
      state: Type.Optional(Type.String({ description: 'The state that the service sent.' })),
      code: Type.Optional(Type.String({ description: 'The authorization code.', maxLength: 8_192 })),
      iss: Type.Optional(Type.String({ description: 'The issuer (RFC 9207).' })),
      error: Type.Optional(Type.String({ description: 'Why the provider refused the sign-in.' })),
    }),
  },
  async prepare({ input: { path, query }, browser, passwords }) {
    const own = browser as BrowserContext;
    const attempt = attemptOf(own, path.provider);
    const provider = own.providers.signInAt(path.provider);
    const { state = query.state ?? '' } = attempt ?? {};
    // An answer with another state is no answer to this attempt, and does not use it up: anybody can make a browser send one.
    const lifetime = attempt !== undefined && query.state === state ? ATTEMPT_LIFETIME : 0;
    const answered = await passwords.checkSignIn({ state, lifetime }, async () =>
      attempt === undefined ? OUTDATED : provider?.finish(attempt, query as Record<string, string>),
    );
    if (isRefusal(answered)) return answered;
    if (provider === undefined || answered === undefined) return refuse('provider_not_found');
    const { configuration, rules } = provider;
    return { ...answered, configuration, rules, back: attempt?.back, anewSince: attempt?.anewSince };
  },
  async perform({ prepared, ...context }) {
    if (isRefusal(prepared)) return prepared;
    const { person, session, configuration, rules, back, anewSince } = prepared;
    const own = context.browser as BrowserContext;
    const provisioned = await provisionExternalUserIn(context.store, person, rules, {
      at: context.now,
      ...own.requestOrigin,
    });
    if ('refused' in provisioned) return notAdmitted(person, provisioned.refused);
    const { id, generation, passwordHash, disabled } = provisioned.user;
    const methods: Verified['methods'] = ['fed'];
    const { provider } = person;
    const verified = { userId: id, generation, passwordHash, methods, provider, parent: session };
    // The provider asks for a second factor itself, unless the document leaves that to this service.
    const signedIn = configuration.askSecondFactor
      ? await signIn(context, verified, back)
      : await signInNow(context, verified, returnAddress(back, own));
    if (!isRefusal(signedIn)) {
      const cookies = [...(signedIn.cookies ?? []), NO_ATTEMPT];
      const { issued } = signedIn;
      if (anewSince !== undefined && issued !== undefined)
        cookies.push(proofCookie(own, issued.ticket.digest));
      return { ...signedIn, cookies };
    }
    // The person is proved, so this is no matter of a password: the user is disabled or locked here.
    if (signedIn.refused !== 'login_failed') return signedIn;
    const { reason = '' } = signedIn;
    const why = reason === 'changed meanwhile' ? (disabled ? 'disabled' : 'locked') : reason;
    return refuse('user_not_admitted', { user: provisioned.user.name, reason: why });
  },
});
