import { PLACE_VARIABLES } from '../../src/core/settings/read.ts';
import { type SettingKey, variableOf } from '../../src/core/settings/table.ts';
import { SETTINGS } from '../../src/main/settings.ts';
import { code, page, table } from './markdown.ts';

const COLUMNS = ['Variable', 'Flag', 'In the file', 'Default', 'What it does'];

function row(key: SettingKey): string[] {
  const { default: fallback, help } = SETTINGS.setting(key);
  const shown = fallback === undefined || fallback === '' ? 'none' : code(fallback);
  return [code(variableOf(key)), code(SETTINGS.flagOf(key)), code(key), shown, help];
}

const SECRETS = SETTINGS.keys.filter((key) => SETTINGS.isSecret(key)).map((key) => code(variableOf(key)));

/** Every setting, of the core and of the capabilities. */
export function settingsPage(): string {
  return page(
    '# Settings',
    `A setting can be given as a flag, as a variable of the environment, or in one JSON file. The flag comes before the
variable, the variable before the file, the file before the default. The file is named by ${code('--config')} or
${code('TESSERA_CONFIG')}; its keys are in the third column. An empty variable counts as not given. A variable that begins with
${code('TESSERA_')} and is no setting is refused, but for
${Object.values(PLACE_VARIABLES).map(code).join(' and ')}, which name [another service](../how-to/administer-over-http.md). ${code('bin/tessera settings')} prints what is in effect and where it comes from.`,
    `Durations are ISO 8601 without years and months, such as ${code('PT90S')}, ${code('PT1H')} or ${code('P30D')}, up to ${code('P36500D')}. Lists have commas between their
entries; in the file they may be JSON arrays. A secret has no flag of its own: command lines are seen by others.
Each of these can be given as the path of a file that holds it, in a variable with ${code('_FILE')} behind its name:
${SECRETS.join(',\n')}.`,
    ...SETTINGS.groups.map(({ heading, keys }) => `## ${heading}\n\n${table(COLUMNS, keys.map(row))}`),
  );
}
