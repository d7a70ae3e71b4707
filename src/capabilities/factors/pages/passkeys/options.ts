import { randomBytes } from 'node:crypto';
import { PORTAL } from '../../../../core/api.ts';
import type { BrowserContext } from '../../../../core/browser-context.ts';
import { nameIn } from '../../../../core/domain/brand.ts';
import { USER_HANDLE_BYTES } from '../../../../core/domain/passkey.ts';
import type { RefusalCode } from '../../../../core/domain/refusal.ts';
import {
  type Access,
  type AnyOperation,
  type Authentication,
  type InputSchemas,
  type Operation,
  operation,
} from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { ANY_REFUSAL } from '../../../../faces/pages/page.ts';
import { relyingPartyAt } from '../../passkeys/relying-party.ts';

/** What the script hands to the browser to have it ask an authenticator. */
type Options = object;

const representation = {
  schema: Type.Object({}),
  json: (options) => options,
} satisfies Representation<Options>;

type Described<I extends InputSchemas, A extends Authentication, W extends Access> = Pick<
  Operation<I, Options, RefusalCode, undefined, A, W>,
  'id' | 'summary' | 'paths' | 'authentication' | 'access' | 'input' | 'perform'
>;

/** Gives the script of a page what it hands to the browser, with a new challenge. */
export function optionsForScript<
  const I extends InputSchemas,
  const A extends Authentication,
  const W extends 'none' | 'read',
>(descriptor: Described<I, A, W>): AnyOperation {
  const common = {
    lifecycle: 'public_api',
    family: 'Portal',
    api: PORTAL,
    method: 'POST',
    transaction: descriptor.access === 'none' ? 'none' : 'required',
    formatStyle: 'argument',
    defaultFormat: 'json',
    bodyStyle: 'form',
    output: representation,
    refusals: ANY_REFUSAL,
  } as const;
  return operation({ ...common, ...descriptor } as never) as unknown as AnyOperation;
}

/** The service for authenticators, as this browser reaches it. Throws where no passkey works: see {@link takesPasskeys}. */
export function partyOf({ origin, cookieDomain, brand }: PasskeyBrowser & Pick<BrowserContext, 'brand'>) {
  const party = relyingPartyAt(origin, cookieDomain);
  if (party === undefined) throw new Error('no passkey works at an IP address');
  return { ...party, name: nameIn(brand) };
}

/** The part of a page's browser that tells whether it takes passkeys. */
type PasskeyBrowser = Pick<BrowserContext, 'origin' | 'cookieDomain' | 'secondFactors'>;

/** Whether users can have passkeys, and use them in this browser. */
export const takesPasskeys = ({ origin, cookieDomain, secondFactors }: PasskeyBrowser): boolean =>
  secondFactors.rules.mode !== 'off' && relyingPartyAt(origin, cookieDomain) !== undefined;

/** Whether users could have passkeys here if the browser reached the service by a host name. */
export const lacksHostName = ({ origin, cookieDomain, secondFactors }: PasskeyBrowser): boolean =>
  secondFactors.rules.mode !== 'off' && relyingPartyAt(origin, cookieDomain) === undefined;

/** A random user handle, in base64url. */
export const newUserHandle = (): string => randomBytes(USER_HANDLE_BYTES).toString('base64url');
