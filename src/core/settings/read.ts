import { readFileSync } from 'node:fs';
import { parse } from '@humanwhocodes/momoa';
import { visible } from '../visible.ts';
import { type GivenSetting, readAgain, secretOf, textIn, textOf } from './given.ts';
import type { SettingsTable } from './groups.ts';
import { path } from './parsers.ts';
import type { Setting } from './setting.ts';
import { type SettingKey, type Settings, variableOf } from './table.ts';

/** The sources of settings. Flags override the environment, which overrides the file. */
export interface SettingSources {
  /** The values of flags, by setting. */
  readonly flags: Readonly<Partial<Record<SettingKey, string>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path of the JSON file. Without it, `TESSERA_CONFIG` names the file. */
  readonly file?: string | undefined;
}

/** A setting in effect, as `tessera settings` shows it. */
export interface SettingInEffect {
  readonly key: SettingKey;
  /** As it was written. Masked if it is secret. */
  readonly text: string;
  readonly from: string;
}

/** All faults in the settings. Each is one line that names the setting and how to mend it. */
export class SettingsFaulty extends Error {
  override name = 'SettingsFaulty';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const lines = faults.map(visible);
    super(
      `The settings have ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.map((fault) => `- ${fault}`).join('\n')}`,
    );
    this.faults = lines;
  }
}

const FILE_VARIABLE = 'TESSERA_CONFIG';
/** The variables that are no settings: they say where a command does its work, in place of `--server` and `--key-file`. */
export const PLACE_VARIABLES = { server: 'TESSERA_SERVER', keyFile: 'TESSERA_KEY_FILE' } as const;
/** Whether Kubernetes set this variable, for a Service whose name begins with Tessera. */
const isInjected = (name: string, value = '') =>
  /_SERVICE_HOST$|_SERVICE_PORT(_|$)|_PORT_\d+_/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp):\/\//.test(value));

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The place of the fault only. The text there may be a secret, and JSON.parse quotes it. */
function placeOfFault(text: string): string {
  try {
    parse(text, { mode: 'json' });
    return '';
  } catch (error) {
    const { line, column } = error as { line?: number; column?: number };
    return ` from line ${line}, column ${column} on`;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`it is not JSON${placeOfFault(text)}`);
  }
}

/** Names that an object has more than once. JSON.parse silently takes the last of them. */
function namesTwiceIn(text: string): Set<string> {
  const { body } = parse(text, { mode: 'json' });
  const members = body.type === 'Object' ? body.members : [];
  const names = members.map(({ name }) => (name.type === 'String' ? name.value : name.name));
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

function readFile(table: SettingsTable, file: string | undefined, faults: string[]): Map<string, string> {
  const values = new Map<string, string>();
  if (file === undefined) return values;
  let text: string;
  let content: unknown;
  try {
    text = textIn(readFileSync(path(file)));
    content = jsonIn(text);
  } catch (error) {
    faults.push(`settings file ${file || '(--config)'}: cannot be read: ${messageOf(error)}`);
    return values;
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    faults.push(`settings file ${file}: holds no JSON object: write one such as {"port": 8080}`);
    return values;
  }
  for (const key of namesTwiceIn(text))
    faults.push(`settings file ${file}: "${key}" stands there more than once: leave one`);
  for (const [key, value] of Object.entries(content)) {
    if (!table.keys.includes(key as SettingKey))
      faults.push(`settings file ${file}: there is no setting "${key}": see 'tessera settings'`);
    else if (table.isSecret(key as SettingKey) && typeof value !== 'string')
      faults.push(`settings file ${file}: "${key}": write it as text, in quotes`);
    else if ([value].flat().some((entry) => typeof entry === 'object'))
      faults.push(`settings file ${file}: "${key}" is no text, number or boolean, nor a list of them`);
    else values.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  return values;
}

function unknownVariables(table: SettingsTable, env: SettingSources['env']): string[] {
  const keys = new Set([
    FILE_VARIABLE,
    ...Object.values(PLACE_VARIABLES),
    ...table.keys.map(variableOf),
    ...table.keys.filter((key) => table.isSecret(key)).map((key) => `${variableOf(key)}_FILE`),
  ]);
  return Object.keys(env)
    .filter((name) => name.startsWith('TESSERA_') && !name.startsWith('TESSERA_TEST_'))
    .filter((name) => !keys.has(name) && !isInjected(name, env[name]))
    .map(
      (name) => `${name}: there is no such setting: remove it, or see 'tessera settings' for what there is`,
    );
}

/** The value of one setting from its first source. An empty variable counts as not given. */
function givenFor(
  table: SettingsTable,
  key: SettingKey,
  { flags, env }: SettingSources,
  file: Map<string, string>,
  faults: string[],
): GivenSetting | undefined {
  const variable = variableOf(key);
  const isSecret = table.isSecret(key);
  const flag = flags[key];
  if (flag !== undefined)
    return isSecret ? { file: flag, from: table.flagOf(key) } : { text: flag, from: table.flagOf(key) };
  if (env[variable]) {
    // Node replaces bytes that are not UTF-8, so the secret would be another one.
    if (isSecret && env[variable].includes('\ufffd')) faults.push(`${variable}: it is not UTF-8: convert it`);
    return { text: env[variable], from: variable };
  }
  const secretFile = isSecret ? env[`${variable}_FILE`] : undefined;
  if (secretFile) return { file: secretFile, from: `${variable}_FILE` };
  const text = file.get(key);
  return text === undefined ? undefined : { text, from: `"${key}" in the settings file` };
}

function parsed(setting: Setting<unknown>, input: GivenSetting | undefined): unknown {
  const { parse, default: fallback, asGiven, secret } = setting;
  if (input === undefined) return fallback === undefined ? undefined : parse(fallback);
  if (asGiven === 'unread') return input;
  const text = secret ? secretOf(input) : textOf(input);
  const value = parse(text);
  return asGiven === 'reread' ? readAgain(input, text) : value;
}

/** The text that `tessera settings` shows. */
function valueText(table: SettingsTable, key: SettingKey, setting: GivenSetting | undefined): string {
  if (setting === undefined) return table.setting(key).default ?? '';
  return table.isSecret(key) || !('text' in setting) ? '***' : setting.text;
}

/**
 * The settings of this table in effect, and the source of each. Throws {@link SettingsFaulty} with all faults. With `only`, it reads
 * these alone, and no fault of another is one.
 */
export function readSettingsOf(
  table: SettingsTable,
  sources: SettingSources,
  only?: readonly SettingKey[],
): { settings: Settings; inEffect: SettingInEffect[] } {
  const faults = unknownVariables(table, sources.env);
  const file = readFile(table, sources.file ?? (sources.env[FILE_VARIABLE] || undefined), faults);
  const settings: Record<string, unknown> = {};
  const inEffect: SettingInEffect[] = [];
  for (const key of only ?? table.keys) {
    const setting = givenFor(table, key, sources, file, faults);
    inEffect.push({ key, text: valueText(table, key, setting), from: setting?.from ?? 'default' });
    try {
      settings[key] = parsed(table.setting(key), setting);
    } catch (error) {
      faults.push(`${setting?.from ?? variableOf(key)}: ${messageOf(error)}`);
    }
  }
  if (faults.length === 0 && only === undefined)
    faults.push(...table.faultsOf(settings as unknown as Settings));
  if (faults.length > 0) throw new SettingsFaulty(faults);
  return { settings: settings as unknown as Settings, inEffect };
}
