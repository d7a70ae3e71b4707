import { MOST_PASSKEYS, type Passkey } from '../../../../core/domain/passkey.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { confirmation, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { notice } from '../../../../faces/pages/parts/notice.ts';
import { passkeyForm } from '../../../../faces/pages/parts/passkey-form.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { SecondFactorsOfUser } from '../../rules/second-factors.ts';
import { PASSKEYS, RECOVERY_CODES } from '../account/second-factor-view.ts';

/** The pages about the own passkeys. */
export const ADD_PASSKEY = `${PASSKEYS}/add`;
export const REMOVE_PASSKEY = `${PASSKEYS}/remove`;

/** The texts after a change. The address names one of these. */
const DONE: ReadonlyMap<string | undefined, TextKey> = new Map([
  ['added', 'passkeys.added'],
  ['removed', 'passkeys.removed'],
]);

/** Why no passkey was added. The address names one of these. */
const FAULTS: ReadonlyMap<string | undefined, { readonly text: TextKey; readonly field?: 'name' }> = new Map([
  ['name', { text: 'passkeys.faultName', field: 'name' }],
  ['name-taken', { text: 'passkeys.faultNameTaken', field: 'name' }],
  ['known', { text: 'passkey.known' }],
  ['too-many', { text: 'passkeys.faultTooMany' }],
  ['refused', { text: 'passkeys.faultRefused' }],
]);

/** The id of a passkey in addresses and forms. */
export const idOf = ({ credentialId }: Pick<Passkey, 'credentialId'>): string =>
  credentialId.toString('base64url');

/** The list of the own passkeys. `done` names the last change. */
export function passkeysPage(
  reader: Reader,
  { passkeys, recoveryCodes, done }: SecondFactorsOfUser & { readonly done: string | undefined },
): string {
  const { say } = reader;
  const title = say('passkeys.title');
  const told = DONE.get(done);
  const noCodes = html`${say('passkeys.noCodes')} <a href="${RECOVERY_CODES}">${say('secondFactor.newCodes')}</a>`;
  const removeLink = (passkey: Passkey) => {
    const address = `${REMOVE_PASSKEY}?${new URLSearchParams({ id: idOf(passkey) })}`;
    const label = say('passkeys.removeNamed', { name: passkey.name });
    return html`<a class="button quiet compact" href="${address}" aria-label="${label}">${say('passkeys.remove')}</a>`;
  };
  const columns: readonly TableColumn<Passkey>[] = [
    { heading: say('passkeys.name'), cell: ({ name }) => name },
    { heading: say('passkeys.since'), cell: ({ madeAt }) => shownTime(madeAt, reader) },
    {
      heading: say('passkeys.lastUse'),
      cell: ({ usedAt }) => (usedAt === undefined ? say('passkeys.neverUsed') : shownTime(usedAt, reader)),
    },
    { heading: say('passkeys.remove'), isPlain: true, cell: removeLink },
  ];
  const body = html`<h1>${title}</h1>
${told && notice('good', say(told))}
${passkeys.length > 0 && recoveryCodes === 0 && notice('warning', noCodes)}
<p>${say('passkeys.intro')}</p>
${table({ caption: title, columns, rows: passkeys, whenEmpty: say('passkeys.none') })}
<p class="actions"><a class="button" href="${ADD_PASSKEY}">${say('passkeys.add')}</a> <a class="button quiet" href="/portal/account">${say('passkeys.back')}</a></p>`;
  return pageText(reader, { title, body, current: PASSKEYS });
}

/** The page that makes a passkey. `why` names what was wrong at the last try. */
export function addPasskeyPage(
  reader: Reader,
  { name, why }: { readonly name: string; readonly why: string | undefined },
): string {
  const { say } = reader;
  const title = say('passkeys.addTitle');
  const fault = FAULTS.get(why);
  const sentence = fault && say(fault.text, { count: MOST_PASSKEYS });
  const field = lineField(reader, {
    name: 'name',
    label: say('passkeys.name'),
    hint: say('passkeys.nameHint'),
    value: name,
    isFocused: fault === undefined,
    fault: fault?.field && sentence,
  });
  const form = passkeyForm(reader, {
    does: 'create',
    action: PASSKEYS,
    optionsUrl: `${PASSKEYS}/options`,
    fields: field,
    submit: say('passkeys.addSubmit'),
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${fault && sentence && faultSummary([{ ...(fault.field && { field: fault.field }), sentence }])}
<p>${say('passkeys.addIntro')}</p>
${form}
<p><a class="button quiet" href="${PASSKEYS}">${say('passkeys.backToList')}</a></p></div>`;
  return pageText(reader, { title, body, current: PASSKEYS, usesPasskeys: true });
}

/** The question before a passkey is removed. */
export function removePasskeyPage(reader: Reader, passkey: Passkey): string {
  const { say } = reader;
  const { name } = passkey;
  const title = say('passkeys.removeTitle');
  const form = confirmation(reader, {
    sentence: say('passkeys.removeSentence', { name }),
    action: REMOVE_PASSKEY,
    hidden: { id: idOf(passkey) },
    submit: say('passkeys.removeSubmit'),
    isDangerous: true,
    cancel: PASSKEYS,
  });
  return pageText(reader, { title, body: html`<h1>${title}</h1>${form}`, current: PASSKEYS });
}
