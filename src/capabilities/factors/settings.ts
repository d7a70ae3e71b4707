import { anyText, duration, listOf, oneOf, type Parser } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** A duration in milliseconds, or `off` for 0. */
const durationOrNone: Parser<number> = (text) => {
  if (text === 'off') return 0;
  try {
    return duration(text);
  } catch (error) {
    throw new Error(`${(error as Error).message}, or off`);
  }
};

/** The settings of the second factor. */
const SECOND_FACTOR = {
  secondFactor: setting(
    oneOf('off', 'optional', 'required'),
    'optional',
    'Second factor: off: no sign-in asks for one; optional: sign-ins ask users who have registered one; required: every user has to have one.',
  ),
  secondFactorGroups: setting(
    listOf(anyText),
    '',
    'Groups whose members have to have a second factor, if it is optional for the others; members of groups in them, too.',
  ),
  secondFactorGrace: setting(
    durationOrNone,
    'P7D',
    'How long users have to register a required second factor, from their first login at which it is required; off: they register at once.',
  ),
} satisfies Record<string, Setting<Plain>>;

function faultsOfSecondFactor(settings: Settings): string[] {
  const { secondFactor, secondFactorGroups, secretKeysFile, database } = settings;
  const faults: string[] = [];
  if (secondFactor === 'off' && secondFactorGroups.length > 0)
    faults.push(
      `${variableOf('secondFactorGroups')}: no sign-in asks for a second factor: set ${variableOf('secondFactor')}=optional, or name no groups`,
    );
  if (secondFactor === 'required' && database !== undefined && secretKeysFile === '')
    faults.push(
      `${variableOf('secretKeysFile')}: name a file that all instances have: without its keys no user can register an authenticator app, which ${variableOf('secondFactor')}=required asks of every user`,
    );
  return faults;
}

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof SECOND_FACTOR> {}
}

export const secondFactorSettings: SettingGroup = {
  heading: 'Second factor',
  settings: SECOND_FACTOR,
  faults: faultsOfSecondFactor,
};
