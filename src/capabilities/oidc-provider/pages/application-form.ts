import { Type } from '../../../core/schema.ts';
import { type Html, html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { choiceField, lineField, linesField, tickField } from '../../../faces/pages/parts/form.ts';
import type { TextKey } from '../../../faces/pages/texts/texts.ts';
import { type ApplicationSettings, FLOWS, type Flow, USUAL_FLOWS } from '../application.ts';

const LINES = ['redirectUris', 'postLogoutRedirectUris', 'groups'] as const;
const TICKS = ['public', 'trusted', 'secondFactor', 'actsForUser', 'pairwise'] as const;
const TEXTS = ['title', 'startUri', 'logo', 'backchannelLogoutUri'] as const;
const NUMBERS = ['accessTokenLifetime', 'refreshLifetime'] as const;
const RECORDS = ['claims', 'resources'] as const;
const NAMES = [...LINES, ...TICKS, ...TEXTS, ...NUMBERS, ...RECORDS, 'accessTokens', 'jwks'] as const;

/** The members of a form with the settings of an application. */
export type SettingName = (typeof NAMES)[number] | Flow;
export type SettingFields = { readonly [F in SettingName]?: string | undefined };

const text = () => Type.Optional(Type.String());
export const FIELDS = Object.fromEntries([...NAMES, ...FLOWS].map((name) => [name, text()])) as Readonly<
  Record<SettingName, ReturnType<typeof text>>
>;

/** What a form shows of settings. */
export function fieldsOf(settings: ApplicationSettings): Readonly<Record<SettingName, string>> {
  const { flows = USUAL_FLOWS, jwks, accessTokens = 'jwt' } = settings;
  const fields: Record<string, string> = { accessTokens };
  for (const name of LINES) fields[name] = (settings[name] ?? []).join('\n');
  for (const name of TICKS) fields[name] = settings[name] ? 'true' : '';
  for (const name of FLOWS) fields[name] = flows.includes(name) ? 'true' : '';
  for (const name of [...TEXTS, ...NUMBERS]) fields[name] = String(settings[name] ?? '');
  for (const name of RECORDS)
    fields[name] = Object.entries(settings[name] ?? {})
      .map((pair) => pair.join(' = '))
      .join('\n');
  fields.jwks = jwks === undefined ? '' : JSON.stringify(jwks, undefined, 2);
  return fields as Record<SettingName, string>;
}

const linesIn = (value = '') =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The pairs in lines such as `groups = roles`; undefined if a line is none. */
function pairsIn(value: string | undefined): readonly (readonly [string, string])[] | undefined {
  const pairs = linesIn(value).map((line) => /^(.*\S)\s*=\s*([^=\s]+)$/.exec(line));
  if (pairs.includes(null)) return undefined;
  return pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''] as const);
}

function jsonIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The flows that are ticked; undefined if they are the usual ones, and the settings did not name them. */
function flowsIn(fields: SettingFields, before: ApplicationSettings): readonly Flow[] | undefined {
  const flows = FLOWS.filter((flow) => fields[flow] === 'true');
  const isUsual = flows.length === 0 || flows.join() === USUAL_FLOWS.join();
  return isUsual && before.flows === undefined ? undefined : flows;
}

/** The settings that a form says, with those of before that it does not have; or the name of the first field that cannot be read, such as a text in place of JSON. */
export function settingsIn(
  fields: SettingFields,
  before: ApplicationSettings,
): ApplicationSettings | SettingName {
  const kind = fields.accessTokens || 'jwt';
  const keys = (fields.jwks ?? '').trim();
  const jwks = keys === '' ? undefined : (jsonIn(keys) as ApplicationSettings['jwks']);
  if (keys !== '' && !Array.isArray(jwks?.keys)) return 'jwks';
  const settings: Record<string, unknown> = {
    flows: flowsIn(fields, before),
    accessTokens: kind === 'jwt' && before.accessTokens === undefined ? undefined : kind,
    jwks,
  };
  for (const name of LINES) {
    const lines = linesIn(fields[name]);
    if (lines.length > 0 || name === 'redirectUris') settings[name] = lines;
  }
  for (const name of RECORDS) {
    const pairs = pairsIn(fields[name]);
    if (pairs === undefined) return name;
    if (pairs.length > 0) settings[name] = Object.fromEntries(pairs);
  }
  for (const name of TICKS) if (fields[name] === 'true') settings[name] = true;
  for (const name of TEXTS) settings[name] = fields[name]?.trim() || undefined;
  for (const name of NUMBERS) {
    const value = (fields[name] ?? '').trim();
    if (!/^\d{0,9}$/.test(value)) return name;
    if (value !== '') settings[name] = Number(value);
  }
  const others = Object.entries(before).filter(([name]) => !Object.hasOwn(FIELDS, name) && name !== 'flows');
  const said = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...others, ...said]) as ApplicationSettings;
}

/** Whether a field that is folded says something of its own. */
const isMoreSet = (fields: SettingFields): boolean =>
  FLOWS.some((flow) => (fields[flow] === 'true') !== USUAL_FLOWS.includes(flow)) ||
  [...NUMBERS, ...RECORDS, 'actsForUser', 'pairwise', 'backchannelLogoutUri', 'jwks', 'logo'].some(
    (name) => fields[name as SettingName],
  ) ||
  fields.accessTokens === 'opaque';

/** The fields of a form with settings: those that most applications need, and the others, folded unless they say something. */
export function settingFields(reader: Reader, fields: SettingFields): Html {
  const { say } = reader;
  const words = (name: SettingName) => ({
    name,
    label: say(`console.applications.${name}` as TextKey),
    hint: say(`console.applications.${name}Hint` as TextKey),
    value: fields[name],
    isOptional: true,
  });
  const tick = (name: SettingName) => tickField({ ...words(name), isTicked: fields[name] === 'true' });
  const group = (name: string, content: Html | readonly Html[]) =>
    html`<fieldset><legend>${say(`console.applications.${name}` as TextKey)}</legend>${content}</fieldset>`;
  const number = (name: SettingName) => lineField(reader, { ...words(name), type: 'number' });
  const choices = (['jwt', 'opaque'] as const).map((value) => ({
    value,
    text: say(`console.applications.${value}`),
  }));
  return html`${lineField(reader, words('title'))}${lineField(reader, words('startUri'))}${LINES.slice(0, 2).map((name) => linesField(reader, { ...words(name), isOptional: name !== 'redirectUris', isRequired: false }))}
${group('who', [linesField(reader, words('groups')), tick('secondFactor'), tick('trusted')])}
${tick('public')}
<details open="${isMoreSet(fields)}"><summary>${say('console.applications.more')}</summary>
${group('flows', FLOWS.map(tick))}
${group('tokens', [choiceField({ ...words('accessTokens'), choices }), ...NUMBERS.map(number), ...RECORDS.map((name) => linesField(reader, words(name))), tick('pairwise'), tick('actsForUser')])}
${group('connection', [lineField(reader, words('backchannelLogoutUri')), linesField(reader, words('jwks')), lineField(reader, words('logo'))])}
</details>`;
}
