import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { applicationOf, findPerson } from './accounts.ts';
import type { AdapterParts } from './adapter.ts';
import { targetOf } from './resources.ts';
import { MULTI_FACTOR, SINGLE_FACTOR } from './tickets.ts';

const meets = (acr: string | undefined, value: string): boolean =>
  acr === value || (acr === MULTI_FACTOR && value === SINGLE_FACTOR);

/** Whether the application needs a second factor, or one whose resource it asks for. */
async function needsFactor(
  parts: AdapterParts,
  { client, params }: KoaContextWithOIDC['oidc'],
): Promise<boolean> {
  if (client === undefined) return false;
  const resources = [params?.resource ?? []].flat();
  const targets = await Promise.all(resources.map((resource) => targetOf(parts, client, resource)));
  return [applicationOf(client), ...targets.map((target) => target?.settings)].some(
    (one) => one?.secondFactor,
  );
}

/**
 * The classes of which the sign-in has to have one, the preferred first; undefined if it may have any. Unlike OpenID Connect Core 1.0,
 * `acr_values` has to be met, as RFC 9470 section 5 says.
 */
function demandedClasses({ params, claims }: KoaContextWithOIDC['oidc']): readonly unknown[] | undefined {
  if (typeof params?.acr_values === 'string') return params.acr_values.split(' ');
  const { essential, value, values } = claims?.id_token?.acr ?? {};
  if (!essential) return undefined;
  return Array.isArray(values) ? values : [value];
}

/**
 * Has people sign in again with their second factor if the application needs that and they did not give it. Who has none is sent back
 * with the error of OpenID Connect Core Unmet Authentication Requirements 1.0.
 */
export const stepUpCheck = (parts: AdapterParts) =>
  new interactionPolicy.Check(
    'step_up',
    'the application needs a second factor',
    'login_required',
    async ({ oidc }) => {
      const { session, result } = oidc;
      const demanded = (await needsFactor(parts, oidc)) ? [MULTI_FACTOR] : demandedClasses(oidc);
      if (demanded === undefined || session?.accountId === undefined) return false;
      const told = demanded.find((value) => typeof value === 'string' && meets(session.acr, value));
      if (told !== undefined) {
        // Of the classes that it meets, the sign-in is told to be of the one that was preferred.
        session.acr = told as string;
        return false;
      }
      const isTriedAgain = result !== undefined && 'login' in result;
      const person = isTriedAgain ? undefined : await findPerson(parts, session.accountId);
      // A ticket of an earlier version, or from an identity provider, is of no class: a sign-in with a password is of one.
      const mayMeet =
        demanded.includes(SINGLE_FACTOR) ||
        (demanded.includes(MULTI_FACTOR) && person?.user.hasSecondFactor === true);
      if (person !== undefined && mayMeet) return true;
      throw new errors.UnmetAuthenticationRequirements(
        'this user has no sign-in of the class that is needed',
      );
    },
  );

/** Of the claims parameter the requirements count. Which claims there are, the scopes say, since these are what people consent to. */
export function onlyRequirements(ctx: KoaContextWithOIDC, claims: { readonly id_token?: unknown }): void {
  const { acr, auth_time, sub } = (claims.id_token ?? {}) as Record<string, unknown>;
  if (ctx.oidc.params !== undefined)
    ctx.oidc.params.claims = JSON.stringify({ id_token: { acr, auth_time, sub } });
}
