import { PROFILE_FIELDS, type ProfileField } from '../../core/domain/profile.ts';
import type { Say, TextKey } from './texts/texts.ts';

/**
 * The details of refusals that a form of a page can cause, as the rules write them for programs and terminals: each with its text,
 * whose placeholders are the groups of the pattern.
 */
const DETAILS: readonly (readonly [RegExp, TextKey])[] = [
  [/^a user name has 1 to (?<most>\d+) characters, none/, 'detail.userName'],
  [/^a user name holds no colon/, 'detail.userColon'],
  [/^ROLE_TICKET marks a ticket/, 'detail.roleTicket'],
  [/^a name that begins with TICKET_/, 'detail.beginsTicket'],
  [/^-me- stands for the caller/, 'detail.me'],
  [/^the name begins or ends with a blank/, 'detail.blank'],
  [/^no page can show a (?:user|group) .* called \. or \.\./, 'detail.dots'],
  [/^the name looks like that of the user "(?<name>.+)", which/, 'detail.userLookalike'],
  [/^the name looks like that of the group "(?<name>.+)", which/, 'detail.groupLookalike'],
  [/^there is a user "(?<name>.+)" already, and names/, 'detail.userTakenByCase'],
  [/^there is a user "(?<name>.+)" already:/, 'detail.userTaken'],
  [/^there is a group "(?<name>.+)" already, and case/, 'detail.groupTakenByCase'],
  [/^there is a group "(?<name>.+)" already:/, 'detail.groupTaken'],
  [/^there is no group "(?<name>.+)":/, 'detail.groupUnknown'],
  [/^the members of "(?<name>.+)" are computed/, 'detail.groupComputed'],
  [/^the name of a group has 1 to (?<most>\d+) characters/, 'detail.groupName'],
  [/^the name of a group has none of the characters (?<signs>.+):/, 'detail.groupSigns'],
  [/^the name of a group has one GROUP_ at most/, 'detail.groupPrefix'],
  [/^(?<name>GROUP_\w+) is computed from the users/, 'detail.groupReserved'],
  [
    /^"(?<member>.+)" cannot join "(?<group>.+)", which would then contain itself: (?<circle>.+)\. Take/,
    'detail.circle',
  ],
  [/^(?<field>\w+) has a control character:/, 'detail.fieldControl'],
  [/^(?<field>\w+) has (?<bytes>\d+) bytes: give at most (?<most>\d+)/, 'detail.fieldBytes'],
  [/^the name of a client has 1 to (?<most>\d+) characters/, 'detail.clientName'],
  [/^the name of an API key has 1 to (?<most>\d+) characters/, 'detail.apiKeyName'],
  [/^(?:expiresAt|this time) is over/, 'detail.timeOver'],
  [/^the name of an app password has 1 to (?<most>\d+) characters/, 'detail.appPasswordName'],
  [/^a name that begins with tap_/, 'detail.beginsTap'],
  [/^an address of an app password is/, 'detail.appPasswordAddress'],
  [/^an app password has (?<most>\d+) addresses at most/, 'detail.appPasswordAddresses'],
  [/^".+" has an app password "(?<name>.+)" already/, 'detail.appPasswordTaken'],
  [/^".+" has (?<most>\d+) app passwords, which is the most/, 'detail.appPasswordsMost'],
  [/^search \(it takes (?<least>\d+) characters/, 'detail.searchShort'],
];

const isField = (name: string): name is ProfileField => (PROFILE_FIELDS as readonly string[]).includes(name);

/** The detail of a refusal in the reader's language, if a form of a page can cause it; otherwise as it was written. */
export function detailText(say: Say, detail: string): string {
  for (const [pattern, key] of DETAILS) {
    const match = pattern.exec(detail);
    if (match === null) continue;
    const { field = '', ...values } = match.groups ?? {};
    return say(key, { ...values, field: fieldText(say, field) });
  }
  return detail;
}

const fieldText = (say: Say, field: string): string => {
  if (field === 'displayName') return say('console.groups.displayName');
  return isField(field) ? say(`profile.${field}`) : field;
};
