import { parseBlock } from '../../../../core/domain/address-block.ts';
import { faultOfAppPasswordName } from '../../../../core/domain/app-password.ts';
import type { Refusal } from '../../../../core/domain/refusal.ts';
import { Type } from '../../../../core/schema.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import {
  changeForm,
  choiceField,
  faultSummary,
  lineField,
  linesField,
} from '../../../../faces/pages/parts/form.ts';
import { facts } from '../../../../faces/pages/parts/list.ts';
import { copyText, notice } from '../../../../faces/pages/parts/notice.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';

const text = Type.Optional(Type.String());

/** The members of the form that makes an app password. */
export const appPasswordMembers = { name: text, days: text, addresses: text } as const;

/** The values of that form. */
interface AppPasswordForm {
  readonly name?: string;
  /** Days after which it ends, or {@link NEVER}. */
  readonly days?: string;
  /** Addresses and blocks, each on a line. */
  readonly addresses?: string;
}

/** The choices of when it ends, in days. The longest one is chosen at first. */
const LONGEST = 365;
const DAYS = [LONGEST, 90, 30];
const NEVER = 'never';
const DAY = 24 * 60 * 60 * 1_000;

/** The app password that a form asks for at `now`, in epoch milliseconds. */
export function askedIn({ name = '', days = '', addresses = '' }: AppPasswordForm, now: number) {
  const length = DAYS.find((each) => String(each) === days) ?? LONGEST;
  return {
    name: name.trim(),
    expiresAt: days === NEVER ? undefined : now + length * DAY,
    addresses: addresses.split(/[\s,]+/).filter((each) => each !== ''),
  };
}

/** Why a form was refused, and the field that it is about, if it is about one. */
interface AppPasswordFormFault {
  readonly field?: 'name' | 'addresses';
  readonly sentence: string;
}

/** What people read about a form that was refused so. */
export function formFault(reader: Reader, values: AppPasswordForm, refusal: Refusal): AppPasswordFormFault {
  const { say } = reader;
  const { name, addresses } = askedIn(values, 0);
  if (refusal.refused === 'name_taken') return { field: 'name', sentence: say('appPasswords.taken') };
  if (faultOfAppPasswordName(name) !== undefined)
    return { field: 'name', sentence: say('appPasswords.nameFault') };
  const address = addresses.find((each) => parseBlock(each) === undefined);
  return address === undefined
    ? { sentence: sentenceOf(reader, refusal) }
    : { field: 'addresses', sentence: say('appPasswords.addressFault', { address }) };
}

/** The form that makes an app password, in the card of a page. */
export function appPasswordForm(
  reader: Reader,
  where: { readonly action: string; readonly cancel: string },
  { name, days, addresses }: AppPasswordForm,
  fault?: AppPasswordFormFault,
): Html {
  const { say } = reader;
  const faultOf = (field: AppPasswordFormFault['field']) =>
    fault?.field === field ? fault?.sentence : undefined;
  const choices = [
    ...DAYS.map((count) => ({ value: String(count), text: say('appPasswords.days', { count }) })),
    { value: NEVER, text: say('appPasswords.neverEnds') },
  ];
  const fields = [
    lineField(reader, {
      name: 'name',
      label: say('appPasswords.name'),
      hint: say('appPasswords.nameHint'),
      value: name,
      isFocused: fault === undefined,
      fault: faultOf('name'),
    }),
    choiceField({ name: 'days', label: say('appPasswords.endsLabel'), choices, value: days }),
    linesField(reader, {
      name: 'addresses',
      label: say('appPasswords.addressesLabel'),
      isOptional: true,
      hint: say('appPasswords.addressesHint'),
      value: addresses,
      fault: faultOf('addresses'),
    }),
  ];
  const submit = say('appPasswords.add');
  return html`<div class="card narrow">${fault !== undefined && faultSummary([fault])}
${changeForm(reader, { ...where, isKept: true, fields, submit })}</div>`;
}

/** A new app password, to be shown once. */
interface MadeAppPassword {
  readonly userName: string;
  /** Its text, which no later page shows. */
  readonly password: string;
  /** The service as the browser reached it, such as `https://tickets.example.org`. */
  readonly origin: string;
  /** The page that lists it. */
  readonly list: string;
}

/** What a program needs to log in by a new app password, in the card of a page. */
export function madeAppPassword(reader: Reader, { userName, password, origin, list }: MadeAppPassword): Html {
  const { say } = reader;
  const rows = facts([
    [say('appPasswords.server'), origin],
    [say('appPasswords.user'), userName],
    [say('appPasswords.password'), copyText(reader, password)],
  ]);
  return html`<div class="card narrow">${notice('good', say('appPasswords.shownOnce'))}${rows}
<p>${say('appPasswords.notHere')}</p>
<p><a class="button" href="${list}">${say('appPasswords.kept')}</a></p></div>`;
}
